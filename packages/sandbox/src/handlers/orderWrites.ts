import { exact } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { cancelOrder, modifyOrder, placeOrder } from "@exchange-graph/contract/orderWrites";
import { Refused } from "../refused.js";
import type { Order, OrderRequest } from "../world/orders/order.js";
import type { OrderEntry } from "../world/orders/orderEntry.js";
import type { OrderKey } from "../world/orders/orderStore.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { changedTpsl, maybeExact, tpslTerms, unifiedTpsl } from "./tpsl.js";
import { picked } from "./wire/fields.js";
import { idsOf, placed } from "./wire/order.js";

/** Orders of a unified account: one set of endpoints for every category. */
export function orderWriteHandlers(state: State, entry: OrderEntry): readonly Handler[] {
  const openOrder = (uid: string, key: OrderKey): Order => {
    const order = state.orders.findOpen(uid, key);
    if (order === undefined) throw new Refused(REFUSAL.unifiedOrderNotFound);
    return order;
  };

  return [
    signed(placeOrder, ({ values, uid }) => {
      const isLate = values.requestTime !== undefined && state.now() - values.requestTime > (values.receiveWindow ?? FOREVER);
      const request = unifiedRequest(uid, values);
      return isLate ? idsOf(entry.placeLate(request)) : placed(entry.place(request));
    }),

    signed(modifyOrder, ({ values, uid }) => {
      const order = openOrder(uid, values);
      const { takeProfit, stopLoss } = unifiedTpsl(values);
      const hasTpsl = values.takeProfit !== undefined || values.stopLoss !== undefined;
      if (hasTpsl && order.position === undefined) throw new Refused(REFUSAL.brokenCombination, "category");
      try {
        entry.modify(order, {
          price: maybeExact(values.price),
          quantity: maybeExact(values.qty),
          takeProfit: changedTpsl(takeProfit),
          stopLoss: changedTpsl(stopLoss),
          requestId: values.requestId,
        });
      } catch (error) {
        if (error instanceof Refused && values.autoCancel === "yes") entry.cancel(uid, order.category, values);
        throw error;
      }
      return idsOf(order);
    }),

    signed(cancelOrder, ({ values, uid }) => idsOf(entry.cancel(uid, openOrder(uid, values).category, values))),
  ];
}

const FOREVER = Number.POSITIVE_INFINITY;

type Placement = ParametersOf<typeof placeOrder>;

/** A market buy on spot and margin has its quantity in quote coin. */
export function unifiedRequest(uid: string, values: Placement): OrderRequest {
  const { category, side, orderType, qty } = values;
  const { takeProfit, stopLoss } = unifiedTpsl(values);
  // There are no accounts of isolated pairs.
  if (category === "MARGIN" && values.marginMode === "isolated") throw new Refused(REFUSAL.malformedParameter, "marginMode");
  const spendsQuote = orderType === "market" && side === "buy" && (category === "SPOT" || category === "MARGIN");
  return {
    uid,
    category,
    ...picked(values, "symbol", "timeInForce", "clientOid", "posSide", "stpMode"),
    side,
    orderType,
    price: maybeExact(values.price),
    quantity: spendsQuote ? undefined : exact(qty),
    amount: spendsQuote ? exact(qty) : undefined,
    reduceOnly: values.reduceOnly === "yes",
    // Crossed is also the default of an order, and then the account's own setting applies.
    marginMode: values.marginMode === "isolated" ? "isolated" : undefined,
    takeProfit: tpslTerms(takeProfit),
    stopLoss: tpslTerms(stopLoss),
  };
}
