import {
  classicCancelSpotOrder,
  classicPlaceSpotOrder,
  classicReplaceSpotOrder,
} from "@exchange-graph/contract/classicSpotOrderWrites";
import { exact } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { Refused } from "../refused.js";
import type { OrderRequest } from "../world/orders/order.js";
import type { OrderEntry } from "../world/orders/orderEntry.js";
import type { Plan } from "../world/plans/plan.js";
import type { PlanService } from "../world/plans/planService.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { checkInTime } from "./paging.js";
import { maybeExact, tpslTerms } from "./tpsl.js";
import { picked } from "./wire/fields.js";
import { idsOf } from "./wire/order.js";
import { planIdsOf } from "./wire/plan.js";

export const classicSpotOrderWriteHandlers = (state: State, entry: OrderEntry, plans: PlanService): readonly Handler[] => [
  signed(classicPlaceSpotOrder, ({ values, uid }) => {
    checkInTime(state.now(), values);
    const { tpslType, triggerPrice } = values;
    const order = spotRequest(uid, values);
    if (tpslType === "tpsl" && triggerPrice !== undefined) {
      const plan = plans.placeEntry({ kind: "spot", triggerPrice: exact(triggerPrice), triggerBy: "market", order });
      return planIdsOf(plan);
    }
    return idsOf(entry.place(order).order);
  }),

  signed(classicCancelSpotOrder, ({ values, uid }) => {
    if (values.tpslType === "tpsl") {
      const isMeant = ({ kind, symbol }: Plan) => kind === "spot" && isNamed(symbol, values.symbol);
      const plan = plans.waitingPlan(uid, values, isMeant);
      plans.cancel(plan);
      return planIdsOf(plan);
    }
    return idsOf(entry.cancel(uid, "SPOT", values));
  }),

  // A replacement that fails is reported inside a successful answer.
  signed(classicReplaceSpotOrder, ({ values, uid }) => {
    try {
      const old = entry.openOrder(uid, "SPOT", values);
      const { order } = entry.replace(old, {
        uid,
        category: "SPOT",
        symbol: values.symbol,
        side: old.side,
        orderType: "limit",
        price: exact(values.price),
        quantity: exact(values.size),
        clientOid: values.newClientOid,
        ...presets(values),
      });
      return { orderId: order.orderId, clientOid: null, success: "success", msg: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { orderId: null, clientOid: null, success: "failure", msg: error.message };
    }
  }),
];

type Placement = ParametersOf<typeof classicPlaceSpotOrder>;
type Presets = Pick<
  Placement,
  "presetTakeProfitPrice" | "executeTakeProfitPrice" | "presetStopLossPrice" | "executeStopLossPrice"
>;

const presets = (values: Presets) => ({
  takeProfit: tpslTerms({ trigger: values.presetTakeProfitPrice, limit: values.executeTakeProfitPrice }),
  stopLoss: tpslTerms({ trigger: values.presetStopLossPrice, limit: values.executeStopLossPrice }),
});

/** A market buy has its size in quote coin. */
export function spotRequest(uid: string, values: Placement): OrderRequest {
  const spendsQuote = values.orderType === "market" && values.side === "buy";
  return {
    uid,
    category: "SPOT",
    ...picked(values, "symbol", "side", "orderType", "clientOid", "stpMode"),
    price: maybeExact(values.price),
    quantity: spendsQuote ? undefined : exact(values.size),
    amount: spendsQuote ? exact(values.size) : undefined,
    timeInForce: values.force,
    ...presets(values),
  };
}
