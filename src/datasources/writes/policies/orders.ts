import {
  cancelOrderBatch,
  classicCancelFuturesOrderBatch,
  classicCancelSpotOrderBatch,
  classicPlaceFuturesOrderBatch,
  classicPlaceSpotOrderBatch,
  placeOrderBatch,
} from "@exchange-graph/contract/batches";
import {
  classicCancelFuturesOrder,
  classicModifyFuturesOrder,
  classicPlaceFuturesOrder,
} from "@exchange-graph/contract/classicFuturesOrderWrites";
import {
  classicCancelSpotOrder,
  classicPlaceSpotOrder,
  classicReplaceSpotOrder,
} from "@exchange-graph/contract/classicSpotOrderWrites";
import type { Order } from "@exchange-graph/contract/order";
import {
  classicFuturesOrderDetail,
  classicSpotOpenOrders,
  classicSpotOrderHistory,
  classicSpotOrderInfo,
  orderInfo,
} from "@exchange-graph/contract/orderReads";
import { cancelOrder, modifyOrder, placeOrder } from "@exchange-graph/contract/orderWrites";
import { rowsRead } from "@exchange-graph/contract/rows";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import { FUTURES_TRADING, SPOT_TRADING, UNIFIED_PLANS, UNIFIED_TRADING } from "../../reads/index.js";
import { placed } from "./evidence.js";
import {
  cancelled,
  changed,
  futuresOrder,
  isAsRequested,
  isOfThat,
  OF_NAMED_ORDER,
  OF_NEW_ORDER,
  reply,
  spotOrder,
  unifiedOrder,
} from "./orderEvidence.js";
import { batchOf, innerRefusal, policy } from "./policy.js";
import { type Acknowledgement, ALREADY_CHANGED, ALREADY_ENDED } from "./replies.js";

/** Orders are found by the `clientOid` that was sent with them, on either API version. */

const NAMED = "an order with its clientOid, created since";
const CHANGED = "the order has the new terms";
const CANCELLED = "the order is cancelled";

export const placeOrderPolicy = policy(placeOrder, {
  invalidates: UNIFIED_TRADING,
  batch: batchOf(placeOrderBatch, { list: "orders", alike: ["category"] }),
  // Only in futures an order can have exits, or end those of a position.
  unchanged: ({ category }) => (category === "SPOT" || category === "MARGIN" ? UNIFIED_PLANS : []),
  ...OF_NEW_ORDER,
  proof: {
    reads: [orderInfo.name],
    shows: NAMED,
    look: async (lookUp, lost) => {
      const { clientOid } = lost.values;
      return placed(lost, await unifiedOrder(lookUp, { clientOid }), isAsRequested(lost.values));
    },
  },
});

export const modifyOrderPolicy = policy(modifyOrder, {
  invalidates: UNIFIED_TRADING,
  ...OF_NAMED_ORDER,
  echoes: ALREADY_CHANGED.v3,
  proof: {
    reads: [orderInfo.name],
    shows: CHANGED,
    look: async (lookUp, lost) => changed(lost, await unifiedOrder(lookUp, lost.values), lost.values),
  },
});

export const cancelOrderPolicy = policy(cancelOrder, {
  invalidates: UNIFIED_TRADING,
  batch: batchOf(cancelOrderBatch, { list: "orders", alike: [] }),
  ...OF_NAMED_ORDER,
  priority: "cancel",
  echoes: ALREADY_ENDED.v3,
  proof: {
    reads: [orderInfo.name],
    shows: CANCELLED,
    look: async (lookUp, lost) => cancelled(lost, await unifiedOrder(lookUp, lost.values)),
  },
});

export const classicPlaceSpotOrderPolicy = policy(classicPlaceSpotOrder, {
  invalidates: SPOT_TRADING,
  batch: batchOf(classicPlaceSpotOrderBatch, { list: "orderList", alike: [], more: { batchMode: "multiple" } }),
  category: "SPOT",
  ...OF_NEW_ORDER,
  triggers: ({ tpslType, symbol, side, size, price }) =>
    tpslType === "tpsl" && price !== undefined ? { symbol, side, qty: size, price } : undefined,
  validForMs: ({ receiveWindow = TIMESTAMP_WINDOW_MS }) => Math.min(receiveWindow, TIMESTAMP_WINDOW_MS),
  proof: {
    reads: [classicSpotOrderInfo.name],
    shows: `${NAMED}; an order with a trigger price has none and is never proven`,
    look: async (lookUp, lost) => {
      const { clientOid, size } = lost.values;
      if (clientOid === undefined) return "undecidable";
      return placed(lost, await spotOrder(lookUp, { clientOid }), isAsRequested({ ...lost.values, qty: size }));
    },
  },
});

export const classicReplaceSpotOrderPolicy = policy(classicReplaceSpotOrder, {
  invalidates: SPOT_TRADING,
  category: "SPOT",
  // The answer names the new order by its identifier only.
  reply: ({ orderId, clientOid }, { newClientOid = null }): Acknowledgement => ({
    orderId,
    clientOid: clientOid ?? newClientOid,
  }),
  isAnswerTo: ({ clientOid }, { newClientOid }) => clientOid === null || clientOid === newClientOid,
  clientOid: "newClientOid",
  replaces: ({ orderId, clientOid }) => ({ orderId, clientOid }),
  refusedIn: ({ success, msg }) => (success === "failure" ? innerRefusal(msg ?? "the order was not replaced") : undefined),
  echoes: ALREADY_CHANGED.v2,
  proof: {
    reads: [classicSpotOrderInfo.name],
    shows: "an order with its newClientOid, created since",
    look: async (lookUp, lost) => {
      const { newClientOid, size } = lost.values;
      return placed(lost, await spotOrder(lookUp, { clientOid: newClientOid }), isAsRequested({ ...lost.values, qty: size }));
    },
  },
});

export const classicCancelSpotOrderPolicy = policy(classicCancelSpotOrder, {
  invalidates: SPOT_TRADING,
  batch: batchOf(classicCancelSpotOrderBatch, { list: "orderList", alike: [], more: { batchMode: "multiple" } }),
  category: "SPOT",
  ...OF_NAMED_ORDER,
  priority: "cancel",
  echoes: ALREADY_ENDED.v2,
  proof: {
    reads: [classicSpotOrderInfo.name, classicSpotOpenOrders.name, classicSpotOrderHistory.name],
    shows: `${CANCELLED}; an order with a trigger price is in the history, and no longer among the open ones`,
    look: async (lookUp, lost) => {
      const { values } = lost;
      if (values.tpslType !== "tpsl") return cancelled(lost, await spotOrder(lookUp, values));
      const { orderId } = values;
      // An order with a trigger price has no client's own identifier.
      if (orderId === undefined) return lost.refusedAt === undefined ? "undecidable" : "no trace";
      const filter = { symbol: values.symbol, orderId, tpslType: "tpsl" } as const;
      const isIt = (order: Order): boolean => order.orderId === orderId;
      if (rowsRead((await lookUp.read(classicSpotOpenOrders, filter)).list).some(isIt)) return "no trace";
      return cancelled(lost, rowsRead((await lookUp.read(classicSpotOrderHistory, filter)).list).find(isIt) ?? null);
    },
  },
});

export const classicPlaceFuturesOrderPolicy = policy(classicPlaceFuturesOrder, {
  invalidates: FUTURES_TRADING,
  batch: batchOf(classicPlaceFuturesOrderBatch, {
    list: "orderList",
    alike: ["symbol", "productType", "marginMode", "marginCoin"],
    most: 20,
  }),
  ...OF_NEW_ORDER,
  proof: {
    reads: [classicFuturesOrderDetail.name],
    shows: NAMED,
    look: async (lookUp, lost) => {
      const { values } = lost;
      const { symbol, orderType, price, size, clientOid, reduceOnly } = values;
      // In hedge mode the sent side is that of the position, not that in the market.
      const isIt = isAsRequested({ symbol, orderType, price, qty: size, reduceOnly });
      return placed(lost, await futuresOrder(lookUp, values, { clientOid }), isIt);
    },
  },
});

export const classicModifyFuturesOrderPolicy = policy(classicModifyFuturesOrder, {
  invalidates: FUTURES_TRADING,
  reply,
  // A new price or quantity creates a new order, and it is not documented which of the two is acknowledged.
  isAnswerTo: (ack, values) => isOfThat(ack, values) || ack.clientOid === values.newClientOid,
  clientOid: "newClientOid",
  replaces: ({ newSize, orderId, clientOid }) => (newSize === undefined ? undefined : { orderId, clientOid }),
  echoes: ALREADY_CHANGED.v2,
  proof: {
    reads: [classicFuturesOrderDetail.name],
    shows: `an order with its newClientOid, created since; where its take-profit and stop-loss alone change: ${CHANGED}`,
    look: async (lookUp, lost) => {
      const { values } = lost;
      const { symbol, newClientOid, newPrice, newSize } = values;
      if (newPrice !== undefined || newSize !== undefined) {
        const order = await futuresOrder(lookUp, values, { clientOid: newClientOid });
        return placed(lost, order, isAsRequested({ symbol, price: newPrice, qty: newSize }));
      }
      return changed(lost, await futuresOrder(lookUp, values, values), {
        takeProfit: values.newPresetStopSurplusPrice,
        stopLoss: values.newPresetStopLossPrice,
      });
    },
  },
});

export const classicCancelFuturesOrderPolicy = policy(classicCancelFuturesOrder, {
  invalidates: FUTURES_TRADING,
  batch: batchOf(classicCancelFuturesOrderBatch, { list: "orderIdList", alike: ["symbol", "productType"], most: 20 }),
  ...OF_NAMED_ORDER,
  priority: "cancel",
  echoes: ALREADY_ENDED.v2,
  proof: {
    reads: [classicFuturesOrderDetail.name],
    shows: CANCELLED,
    look: async (lookUp, lost) => cancelled(lost, await futuresOrder(lookUp, lost.values, lost.values)),
  },
});
