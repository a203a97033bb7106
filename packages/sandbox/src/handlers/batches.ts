import {
  cancelOrderBatch,
  classicCancelFuturesOrderBatch,
  classicCancelSpotOrderBatch,
  classicPlaceFuturesOrderBatch,
  classicPlaceSpotOrderBatch,
  placeOrderBatch,
} from "@exchange-graph/contract/batches";
import { classicCancelFuturesOrder, classicPlaceFuturesOrder } from "@exchange-graph/contract/classicFuturesOrderWrites";
import { classicCancelSpotOrder, classicPlaceSpotOrder } from "@exchange-graph/contract/classicSpotOrderWrites";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { cancelOrder, placeOrder } from "@exchange-graph/contract/orderWrites";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { checkParameters } from "../http/parameters.js";
import { Refused } from "../refused.js";
import type { OrderEntry } from "../world/orders/entry.js";
import type { Order } from "../world/orders/order.js";
import type { OrderRequest } from "../world/orders/request.js";
import type { State } from "../world/state.js";
import { classicResults, type Result, unifiedResults } from "./bulkResults.js";
import { futuresRequest } from "./classicFuturesOrderWrites.js";
import { spotRequest } from "./classicSpotOrderWrites.js";
import { type Handler, signed } from "./handler.js";
import { unifiedRequest } from "./orderWrites.js";
import { categoryOf, contractIn } from "./symbols.js";

interface Ids {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

/** Calls with a list of orders, which are worked in their order: each succeeds or fails by itself, as it would alone. */
export function batchHandlers(state: State, entry: OrderEntry): readonly Handler[] {
  /** What becomes of each order of a list. */
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
    const { order, hasReplaced } = entry.place(requestOf());
    return { orderId: hasReplaced ? null : order.orderId, clientOid: order.clientOid };
  };
  const cancel = <P extends ParameterSet>(alone: Endpoint<P>, values: Values<P>, work: () => Order): Result => {
    checkParameters(alone, values, state.now());
    const { orderId, clientOid } = work();
    return { orderId, clientOid };
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
