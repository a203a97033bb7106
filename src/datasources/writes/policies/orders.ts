import {
  classicCancelFuturesOrder,
  classicModifyFuturesOrder,
  classicPlaceFuturesOrder,
} from "../../../contract/classicFuturesOrderWrites.js";
import {
  classicCancelSpotOrder,
  classicPlaceSpotOrder,
  classicReplaceSpotOrder,
} from "../../../contract/classicSpotOrderWrites.js";
import type { Order, OrderAck } from "../../../contract/order.js";
import {
  classicFuturesOrderDetail,
  classicSpotOpenOrders,
  classicSpotOrderHistory,
  classicSpotOrderInfo,
  orderInfo,
} from "../../../contract/orderReads.js";
import { cancelOrder, modifyOrder, placeOrder } from "../../../contract/orderWrites.js";
import type { ParameterSet } from "../../../contract/parameter.js";
import { TIMESTAMP_WINDOW_MS } from "../../../contract/signing.js";
import type { FuturesProductType } from "../../../contract/vocabulary.js";
import type { DecimalText } from "../../../decimal.js";
import type { JournalEntry } from "../journal/entry.js";
import { found, isCovered, isEqual, placed } from "./evidence.js";
import { type Finding, type LookUp, type LostWrite, policy } from "./policy.js";
import type { Acknowledgement } from "./replies.js";

/** Orders are found again by the `clientOid` that went out with them, whatever the generation. */

const reply = ({ orderId, clientOid }: OrderAck): Acknowledgement => ({ orderId, clientOid });

interface Ids {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}
/** Where both are given the exchange goes by `orderId`. */
const oneOf = ({ orderId, clientOid }: Ids): Ids => (orderId === undefined ? { clientOid } : { orderId });

interface Contract {
  readonly symbol: string;
  readonly productType: FuturesProductType;
}
const unifiedOrder = (lookUp: LookUp, ids: Ids) => found(lookUp.read(orderInfo, oneOf(ids)));
const spotOrder = (lookUp: LookUp, ids: Ids) => found(lookUp.read(classicSpotOrderInfo, oneOf(ids)));
const futuresOrder = (lookUp: LookUp, { symbol, productType }: Contract, ids: Ids) =>
  found(lookUp.read(classicFuturesOrderDetail, { symbol, productType, ...oneOf(ids) }));

type Terms = Pick<Order, "orderId" | "clientOid" | "price" | "qty" | "takeProfit" | "stopLoss" | "orderStatus" | "cancelReason">;
const acknowledged = ({ orderId, clientOid }: Terms): Finding<Acknowledgement> => ({ accepted: { orderId, clientOid } });
const hasEnded = ({ orderStatus }: Terms): boolean => orderStatus === "filled" || orderStatus === "cancelled";

/** What a change asks for; an exit of `0` takes it off the order. */
type Change = { readonly [K in "price" | "qty" | "takeProfit" | "stopLoss"]?: DecimalText | undefined };
const asked = (exit: DecimalText): DecimalText | null => (isEqual(exit, "0") ? null : exit);

/** A change shows in the order itself, until another one is made. An order that has ended can no longer be changed. */
function changed(
  lost: Pick<LostWrite<ParameterSet>, "since">,
  order: Terms | null,
  { price, qty, takeProfit, stopLoss }: Change,
): Finding<Acknowledgement> {
  if (order === null) return "no trace";
  const isDone =
    (price === undefined || isEqual(order.price, price)) &&
    (qty === undefined || isEqual(order.qty, qty)) &&
    (takeProfit === undefined || isEqual(order.takeProfit, asked(takeProfit))) &&
    (stopLoss === undefined || isEqual(order.stopLoss, asked(stopLoss)));
  if (isDone) return acknowledged(order);
  const isOfThisOrder = ({ orderId, clientOid }: JournalEntry["values"]): boolean =>
    orderId === order.orderId || (clientOid !== undefined && clientOid === order.clientOid);
  if (isCovered(lost, isOfThisOrder)) return "undecidable";
  // Some changes are made by putting a new order in the old one's place.
  if (order.cancelReason === "modify_limit_order") return acknowledged(order);
  return hasEnded(order) ? { rejected: "EXCHANGE_REJECTED", why: "the order had ended before it could be changed" } : "no trace";
}

/** A cancellation shows in the order's state, and it does not matter who asked for it. */
function cancelled(order: Terms | null): Finding<Acknowledgement> {
  if (order?.orderStatus === "cancelled") return acknowledged(order);
  return order?.orderStatus === "filled"
    ? { rejected: "EXCHANGE_REJECTED", why: "the order was filled before it could be cancelled" }
    : "no trace";
}

const NAMED = "an order with its clientOid, created since";
const CHANGED = "the order has the new terms";
const CANCELLED = "the order is cancelled";

export const placeOrderPolicy = policy(placeOrder, {
  reply,
  proof: {
    reads: [orderInfo.name],
    shows: NAMED,
    look: async (lookUp, lost) => placed(lost, await unifiedOrder(lookUp, { clientOid: lost.values.clientOid })),
  },
});

export const modifyOrderPolicy = policy(modifyOrder, {
  reply,
  clientOid: undefined,
  proof: {
    reads: [orderInfo.name],
    shows: CHANGED,
    look: async (lookUp, lost) => changed(lost, await unifiedOrder(lookUp, lost.values), lost.values),
  },
});

export const cancelOrderPolicy = policy(cancelOrder, {
  reply,
  urgency: "cancel",
  clientOid: undefined,
  proof: {
    reads: [orderInfo.name],
    shows: CANCELLED,
    look: async (lookUp, { values }) => cancelled(await unifiedOrder(lookUp, values)),
  },
});

export const classicPlaceSpotOrderPolicy = policy(classicPlaceSpotOrder, {
  reply,
  validForMs: ({ receiveWindow = TIMESTAMP_WINDOW_MS }) => Math.min(receiveWindow, TIMESTAMP_WINDOW_MS),
  proof: {
    reads: [classicSpotOrderInfo.name],
    shows: `${NAMED}; an order that waits for a trigger carries none and is never proven`,
    look: async (lookUp, lost) =>
      lost.values.clientOid === undefined
        ? "undecidable"
        : placed(lost, await spotOrder(lookUp, { clientOid: lost.values.clientOid })),
  },
});

export const classicReplaceSpotOrderPolicy = policy(classicReplaceSpotOrder, {
  // The answer names the new order by its identifier alone.
  reply: ({ orderId, clientOid }, { newClientOid = null }): Acknowledgement => ({
    orderId,
    clientOid: clientOid ?? newClientOid,
  }),
  clientOid: "newClientOid",
  refusedIn: ({ success, msg }) => (success === "failure" ? (msg ?? "the order was not replaced") : undefined),
  proof: {
    reads: [classicSpotOrderInfo.name],
    shows: "an order with its newClientOid, created since",
    look: async (lookUp, lost) => placed(lost, await spotOrder(lookUp, { clientOid: lost.values.newClientOid })),
  },
});

export const classicCancelSpotOrderPolicy = policy(classicCancelSpotOrder, {
  reply,
  urgency: "cancel",
  clientOid: undefined,
  proof: {
    reads: [classicSpotOrderInfo.name, classicSpotOpenOrders.name, classicSpotOrderHistory.name],
    shows: `${CANCELLED}; one that waited for a trigger stands in the history and no longer among those that wait`,
    look: async (lookUp, { values }) => {
      if (values.tpslType !== "tpsl") return cancelled(await spotOrder(lookUp, values));
      const { orderId } = values;
      if (orderId === undefined) return "undecidable";
      const filter = { symbol: values.symbol, orderId, tpslType: "tpsl" } as const;
      const isIt = (order: Order): boolean => order.orderId === orderId;
      if ((await lookUp.read(classicSpotOpenOrders, filter)).list.some(isIt)) return "no trace";
      return cancelled((await lookUp.read(classicSpotOrderHistory, filter)).list.find(isIt) ?? null);
    },
  },
});

export const classicPlaceFuturesOrderPolicy = policy(classicPlaceFuturesOrder, {
  reply,
  proof: {
    reads: [classicFuturesOrderDetail.name],
    shows: NAMED,
    look: async (lookUp, lost) => placed(lost, await futuresOrder(lookUp, lost.values, { clientOid: lost.values.clientOid })),
  },
});

export const classicModifyFuturesOrderPolicy = policy(classicModifyFuturesOrder, {
  reply,
  clientOid: "newClientOid",
  proof: {
    reads: [classicFuturesOrderDetail.name],
    shows: `an order with its newClientOid, created since; where its exits alone change: ${CHANGED}`,
    look: async (lookUp, lost) => {
      const { values } = lost;
      if (values.newPrice !== undefined || values.newSize !== undefined)
        return placed(lost, await futuresOrder(lookUp, values, { clientOid: values.newClientOid }));
      return changed(lost, await futuresOrder(lookUp, values, values), {
        takeProfit: values.newPresetStopSurplusPrice,
        stopLoss: values.newPresetStopLossPrice,
      });
    },
  },
});

export const classicCancelFuturesOrderPolicy = policy(classicCancelFuturesOrder, {
  reply,
  urgency: "cancel",
  clientOid: undefined,
  proof: {
    reads: [classicFuturesOrderDetail.name],
    shows: CANCELLED,
    look: async (lookUp, { values }) => cancelled(await futuresOrder(lookUp, values, values)),
  },
});
