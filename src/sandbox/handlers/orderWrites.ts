import type { ParametersOf } from "../../contract/endpoint.js";
import { REFUSAL } from "../../contract/errors/refusal.js";
import { cancelOrder, modifyOrder, placeOrder } from "../../contract/orderWrites.js";
import { exact } from "../../decimal.js";
import { Refused } from "../refused.js";
import { enterLateOrder } from "../world/lateOrder.js";
import type { OrderEntry } from "../world/orders/entry.js";
import type { Order } from "../world/orders/order.js";
import type { OrderRequest } from "../world/orders/request.js";
import type { State } from "../world/state.js";
import { exitTerms, maybeExact } from "./exits.js";
import { type Handler, signed } from "./handler.js";

/** Orders of a unified account: one set of endpoints for every category. */
export function orderWriteHandlers(state: State, entry: OrderEntry): readonly Handler[] {
  const openOrder = (
    uid: string,
    key: { readonly orderId?: string | undefined; readonly clientOid?: string | undefined },
  ): Order => {
    const order = state.orders.findOpen(uid, key);
    if (order === undefined) throw new Refused(REFUSAL.unifiedOrderNotFound);
    return order;
  };

  return [
    signed(placeOrder, ({ values, uid }) => {
      const isLate = values.requestTime !== undefined && state.now() - values.requestTime > (values.receiveWindow ?? FOREVER);
      const request = requestOf(uid, values);
      const { order, hasReplaced } = isLate
        ? { order: enterLateOrder(state, request), hasReplaced: false }
        : entry.place(request);
      return { orderId: hasReplaced ? null : order.orderId, clientOid: order.clientOid };
    }),

    signed(modifyOrder, ({ values, uid }) => {
      const order = openOrder(uid, values);
      try {
        entry.modify(order, {
          price: maybeExact(values.price),
          quantity: maybeExact(values.qty),
        });
      } catch (error) {
        if (error instanceof Refused && values.autoCancel === "yes") entry.cancel(uid, order.category, values);
        throw error;
      }
      return { orderId: order.orderId, clientOid: order.clientOid };
    }),

    signed(cancelOrder, ({ values, uid }) => {
      const { category } = openOrder(uid, values);
      const { orderId, clientOid } = entry.cancel(uid, category, values);
      return { orderId, clientOid };
    }),
  ];
}

const FOREVER = Number.POSITIVE_INFINITY;

type Placement = ParametersOf<typeof placeOrder>;

/** A market buy on spot and margin gives its quantity in quote coin. */
function requestOf(uid: string, values: Placement): OrderRequest {
  const { category, side, orderType, qty } = values;
  const spendsQuote = orderType === "market" && side === "buy" && (category === "SPOT" || category === "MARGIN");
  return {
    uid,
    category,
    symbol: values.symbol,
    side,
    orderType,
    price: maybeExact(values.price),
    quantity: spendsQuote ? undefined : exact(qty),
    amount: spendsQuote ? exact(qty) : undefined,
    timeInForce: values.timeInForce,
    clientOid: values.clientOid,
    posSide: values.posSide,
    reduceOnly: values.reduceOnly === "yes",
    // Crossed is what an order says that says nothing: then the account's own setting holds.
    marginMode: values.marginMode === "isolated" ? "isolated" : undefined,
    stpMode: values.stpMode,
    takeProfit: exitTerms({
      trigger: values.takeProfit,
      by: values.tpTriggerBy,
      limit: limitOf(values.tpOrderType, values.tpLimitPrice),
    }),
    stopLoss: exitTerms({
      trigger: values.stopLoss,
      by: values.slTriggerBy,
      limit: limitOf(values.slOrderType, values.slLimitPrice),
    }),
  };
}

/** A limit price counts unless the exit is said to leave at market. */
const limitOf = (orderType: "limit" | "market" | undefined, price: string | undefined): string | undefined =>
  orderType === "market" ? undefined : price;
