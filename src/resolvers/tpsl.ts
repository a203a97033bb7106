import { type ClassType, FieldResolver, Resolver, Root } from "type-graphql";
import { Order, OrderExit } from "../schema/order.js";
import { PlanOrder } from "../schema/planOrder.js";
import { InheritsScope } from "../schema/requiresScope.js";

type Role = "takeProfit" | "stopLoss";
type Prefix = "tp" | "sl";
/** The flat take-profit and stop-loss fields of orders and trigger orders. */
type WithTpsl = Readonly<
  Record<`${Prefix}TriggerBy`, OrderExit["triggerBy"]> &
    Record<`${Prefix}OrderType`, OrderExit["orderType"]> &
    Record<Role | `${Prefix}${"TriggerByRaw" | "OrderTypeRaw" | "LimitPrice"}`, string | null>
>;

type TpslRecord = OrderExit & { readonly triggerByRaw: string | null; readonly orderTypeRaw: string | null };

/** A take-profit or stop-loss of an order; null without one. */
export function tpslOf(order: WithTpsl, role: Role, prefix: Prefix): TpslRecord | null {
  const triggerPrice = order[role];
  if (triggerPrice === null) return null;
  return {
    triggerPrice,
    triggerBy: order[`${prefix}TriggerBy`],
    triggerByRaw: order[`${prefix}TriggerByRaw`],
    orderType: order[`${prefix}OrderType`],
    orderTypeRaw: order[`${prefix}OrderTypeRaw`],
    limitPrice: order[`${prefix}LimitPrice`],
  };
}

function tpslResolver(type: ClassType<object>) {
  @Resolver(() => type)
  class TpslFields {
    @InheritsScope()
    @FieldResolver(() => OrderExit, {
      nullable: true,
      description:
        "Its take-profit (`takeProfit` or `takeprofit`, `tpTriggerBy`, `tpOrderType`, `tpLimitPrice`); null without one",
    })
    takeProfit(@Root() order: WithTpsl): TpslRecord | null {
      return tpslOf(order, "takeProfit", "tp");
    }

    @InheritsScope()
    @FieldResolver(() => OrderExit, {
      nullable: true,
      description: "Its stop-loss (`stopLoss` or `stoploss`, `slTriggerBy`, `slOrderType`, `slLimitPrice`); null without one",
    })
    stopLoss(@Root() order: WithTpsl): TpslRecord | null {
      return tpslOf(order, "stopLoss", "sl");
    }
  }
  return TpslFields;
}

/** Types with a take-profit and a stop-loss. */
export const TPSL_RESOLVERS = [Order, PlanOrder].map(tpslResolver);
