import { dialectOf } from "./dialect.js";
import { newOrder, type Order } from "./orders/order.js";
import type { OrderRequest } from "./orders/request.js";
import { listedMarket, termsOf } from "./orders/terms.js";
import type { State } from "./state.js";

/** Takes an order that arrived after its receive window: it is accepted, and ends before it could trade. */
export function enterLateOrder(state: State, request: OrderRequest): Order {
  const { instrument } = listedMarket(state, request).listing;
  const dialect = dialectOf(state.accounts.of(request.uid), request.category);
  const order = newOrder(termsOf(state, request, instrument, dialect), state.ids.next(), state.now());
  order.status = "cancelled";
  order.cancelReason = "cancel_receiveWindow";
  state.orders.enter(order);
  state.events.emit({ kind: "order", order });
  return order;
}
