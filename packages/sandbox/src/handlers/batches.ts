import {
  cancelOrderBatch,
  classicCancelFuturesOrderBatch,
  classicCancelSpotOrderBatch,
  classicPlaceFuturesOrderBatch,
  classicPlaceSpotOrderBatch,
  placeOrderBatch,
} from "@exchange-graph/contract/batches";
import {
  cancelSymbolOrders,
  classicCancelAllFuturesOrders,
  classicCancelSpotSymbolOrders,
  classicClosePositions,
  closePositions,
  countdownCancelAll,
} from "@exchange-graph/contract/bulkWrites";
import { classicCancelFuturesOrder, classicPlaceFuturesOrder } from "@exchange-graph/contract/classicFuturesOrderWrites";
import { classicCancelSpotOrder, classicPlaceSpotOrder } from "@exchange-graph/contract/classicSpotOrderWrites";
import { SECOND_MS } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { cancelOrder, placeOrder } from "@exchange-graph/contract/orderWrites";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import { checkParameters } from "../http/parameters.js";
import { Refused } from "../refused.js";
import type { PositionSide } from "../world/accounts.js";
import { onlyCloses, targetOf } from "../world/orders/closers.js";
import type { Order, OrderRequest } from "../world/orders/order.js";
import type { OrderEntry } from "../world/orders/orderEntry.js";
import type { OrderService } from "../world/orders/orderService.js";
import { closedBy, type Position } from "../world/positions/position.js";
import type { State } from "../world/state.js";
import type { WorldTime } from "../world/worldTime.js";
import { futuresRequest } from "./classicFuturesOrderWrites.js";
import { spotRequest } from "./classicSpotOrderWrites.js";
import { type Handler, signed } from "./handler.js";
import { unifiedRequest } from "./orderWrites.js";
import { categoryOf, contractIn } from "./symbols.js";
import { idsOf, placed } from "./wire/order.js";

interface Result {
  readonly orderId: string | null;
  readonly clientOid: string | null;
  readonly refused?: Refused;
}

const unifiedResults = (results: readonly Result[]): readonly unknown[] =>
  results.map(({ orderId, clientOid, refused }) => ({
    ...{ orderId, clientOid },
    ...(refused === undefined ? {} : { code: refused.refusal.code, msg: refused.message }),
  }));

const classicResults = (results: readonly Result[]): unknown => ({
  successList: results.filter(({ refused }) => refused === undefined).map(({ orderId, clientOid }) => ({ orderId, clientOid })),
  failureList: results.flatMap(({ orderId, clientOid, refused }) =>
    refused === undefined ? [] : [{ orderId, clientOid, errorMsg: refused.message, errorCode: refused.refusal.code }],
  ),
});

interface Ids {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

/** Calls with a list of orders, which are worked in their order: each succeeds or fails by itself, as it would alone. */
export function batchHandlers(state: State, entry: OrderEntry): readonly Handler[] {
  const each = <I extends Ids>(orders: readonly I[], work: (one: I) => Result): readonly Result[] =>
    orders.map((one) => {
      try {
        return work(one);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { orderId: one.orderId ?? null, clientOid: one.clientOid ?? null, refused: error };
      }
    });
  /** Places an order, if the call about one order takes these values. */
  const place = <P extends ParameterSet>(alone: Endpoint<P>, values: Values<P>, requestOf: () => OrderRequest): Result => {
    checkParameters(alone, values, state.now());
    return placed(entry.place(requestOf()));
  };
  const cancel = <P extends ParameterSet>(alone: Endpoint<P>, values: Values<P>, work: () => Order): Result => {
    checkParameters(alone, values, state.now());
    return idsOf(work());
  };

  return [
    signed(placeOrderBatch, ({ values: { orders }, uid }) =>
      unifiedResults(each(orders, (one) => place(placeOrder, one, () => unifiedRequest(uid, one)))),
    ),
    signed(cancelOrderBatch, ({ values: { orders }, uid }) =>
      unifiedResults(each(orders, (one) => cancel(cancelOrder, one, () => entry.cancel(uid, one.category, one)))),
    ),

    signed(classicPlaceSpotOrderBatch, ({ values: { symbol: common = "", batchMode, orderList }, uid }) =>
      classicResults(
        each(orderList, (one) => {
          const order = { ...one, symbol: batchMode === "multiple" ? (one.symbol ?? "") : common };
          return place(classicPlaceSpotOrder, order, () => spotRequest(uid, order));
        }),
      ),
    ),
    signed(classicCancelSpotOrderBatch, ({ values: { symbol: common, batchMode, orderList }, uid }) =>
      classicResults(
        each(orderList, (one) => {
          const order = { ...one, symbol: batchMode === "multiple" ? one.symbol : common };
          return cancel(classicCancelSpotOrder, order, () => entry.cancel(uid, "SPOT", order));
        }),
      ),
    ),

    signed(classicPlaceFuturesOrderBatch, ({ values: { orderList, ...common }, uid }) => {
      const category = categoryOf(common.productType);
      contractIn(state.markets, category, common);
      return classicResults(
        each(orderList, (one) => {
          const order = { ...common, ...one };
          return place(classicPlaceFuturesOrder, order, () => futuresRequest(state, uid, category, order));
        }),
      );
    }),
    signed(classicCancelFuturesOrderBatch, ({ values: { orderIdList, ...common }, uid }) =>
      classicResults(
        each(orderIdList, (one) => {
          const order = { ...common, ...one };
          return cancel(classicCancelFuturesOrder, order, () => entry.cancel(uid, categoryOf(common.productType), order));
        }),
      ),
    ),
  ];
}

/** Calls about many orders, each of which succeeds or fails by itself. */
export function bulkWriteHandlers(
  state: State,
  entry: OrderEntry,
  service: OrderService,
  timeline: Pick<WorldTime, "at">,
): readonly Handler[] {
  /** When all orders of a user are cancelled, Unix ms. */
  const deadlines = new Map<string, number>();
  const count = (uid: string, seconds: number): void => {
    if (seconds === 0) {
      deadlines.delete(uid);
      return;
    }
    const deadline = state.now() + seconds * SECOND_MS;
    deadlines.set(uid, deadline);
    timeline.at(deadline, () => {
      // A later call has started the time anew, or ended it.
      if (deadlines.get(uid) !== deadline) return;
      deadlines.delete(uid);
      for (const order of [...state.orders.open(uid)]) service.cancel(order, "normal_cancel");
    });
  };

  const cancelAll = (uid: string, category: ProductCategory, symbol: string | undefined): readonly Result[] => {
    const open = [...state.orders.open(uid)].filter((order) => order.category === category && isNamed(order.symbol, symbol));
    for (const order of open) service.cancel(order, "normal_cancel");
    return open.map(idsOf);
  };

  /** Orders that would close the position are cancelled first. */
  const closed = (uid: string, { category, symbol, side, size }: Position): Result => {
    const isOfIt = (order: Order): boolean =>
      onlyCloses(order) && order.category === category && order.symbol === symbol && targetOf(order).side === side;
    for (const order of [...state.orders.open(uid)].filter(isOfIt)) service.cancel(order, "normal_cancel");
    try {
      const order = { uid, category, symbol, side: closedBy(side), posSide: side, reduceOnly: true, quantity: size } as const;
      return entry.place({ ...order, orderType: "market" }).order;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { orderId: "", clientOid: "", refused: error };
    }
  };
  const closeAll = (uid: string, category: FuturesCategory, symbol?: string, side?: PositionSide): readonly Result[] =>
    [...state.positions.open(uid)]
      .filter((one) => one.category === category && isNamed(one.symbol, symbol) && (side ?? one.side) === one.side)
      .map((position) => closed(uid, position));

  return [
    signed(cancelSymbolOrders, ({ values, uid }) => ({ list: unifiedResults(cancelAll(uid, values.category, values.symbol)) })),
    signed(countdownCancelAll, ({ values, uid }) => {
      count(uid, values.countdown);
      return "success";
    }),
    signed(closePositions, ({ values, uid }) => ({
      list: unifiedResults(closeAll(uid, values.category, values.symbol, values.posSide)),
    })),
    signed(classicCancelSpotSymbolOrders, ({ values, uid }) => {
      cancelAll(uid, "SPOT", values.symbol);
      return { symbol: values.symbol };
    }),
    signed(classicCancelAllFuturesOrders, ({ values, uid }) =>
      classicResults(cancelAll(uid, categoryOf(values.productType), values.symbol)),
    ),
    signed(classicClosePositions, ({ values, uid }) =>
      classicResults(closeAll(uid, categoryOf(values.productType), values.symbol, values.holdSide)),
    ),
  ];
}
