import { type ClassType, FieldResolver, Resolver, Root } from "type-graphql";
import type { OrderType, TriggerBy } from "../schema/enums/order.js";
import { Order, OrderExit } from "../schema/order.js";
import { PlanOrder } from "../schema/planOrder.js";
import { InheritsScope } from "../schema/requiresScope.js";

/** How orders and trigger orders carry their take-profit and stop-loss. */
interface WithExits {
  readonly takeProfit: string | null;
  readonly tpTriggerBy: TriggerBy | null;
  readonly tpTriggerByRaw: string | null;
  readonly tpOrderType: OrderType | null;
  readonly tpOrderTypeRaw: string | null;
  readonly tpLimitPrice: string | null;
  readonly stopLoss: string | null;
  readonly slTriggerBy: TriggerBy | null;
  readonly slTriggerByRaw: string | null;
  readonly slOrderType: OrderType | null;
  readonly slOrderTypeRaw: string | null;
  readonly slLimitPrice: string | null;
}

type ExitRecord = OrderExit & { readonly triggerByRaw: string | null; readonly orderTypeRaw: string | null };

function exitsOf(type: ClassType<object>) {
  @Resolver(() => type)
  class Exits {
    @InheritsScope()
    @FieldResolver(() => OrderExit, {
      nullable: true,
      description:
        "Its take-profit (`takeProfit` or `takeprofit`, `tpTriggerBy`, `tpOrderType`, `tpLimitPrice`); null without one",
    })
    takeProfit(@Root() order: WithExits): ExitRecord | null {
      if (order.takeProfit === null) return null;
      return {
        triggerPrice: order.takeProfit,
        triggerBy: order.tpTriggerBy,
        triggerByRaw: order.tpTriggerByRaw,
        orderType: order.tpOrderType,
        orderTypeRaw: order.tpOrderTypeRaw,
        limitPrice: order.tpLimitPrice,
      };
    }

    @InheritsScope()
    @FieldResolver(() => OrderExit, {
      nullable: true,
      description: "Its stop-loss (`stopLoss` or `stoploss`, `slTriggerBy`, `slOrderType`, `slLimitPrice`); null without one",
    })
    stopLoss(@Root() order: WithExits): ExitRecord | null {
      if (order.stopLoss === null) return null;
      return {
        triggerPrice: order.stopLoss,
        triggerBy: order.slTriggerBy,
        triggerByRaw: order.slTriggerByRaw,
        orderType: order.slOrderType,
        orderTypeRaw: order.slOrderTypeRaw,
        limitPrice: order.slLimitPrice,
      };
    }
  }
  return Exits;
}

/** What may carry a take-profit and a stop-loss. */
export const EXITS = [Order, PlanOrder].map(exitsOf);
