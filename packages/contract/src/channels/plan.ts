import { type Codec, joinedFields, optionalText, token } from "../codec.js";
import { isObject } from "../json.js";
import { classicPlanOrder, type PlanOrder, planOrder } from "../plan.js";
import { record } from "../record.js";
import { FUTURES_CATEGORIES, type PLAN_TYPES } from "../vocabulary.js";
import { WireError } from "../wireError.js";
import { classicFuturesAccount, type Everything, type FuturesMarket, inCategory, unifiedAccount } from "./arguments.js";
import { type Channel, EVENTS } from "./channel.js";

/** Trigger orders, which wait for a price. */

export const strategyOrderChannel: Channel<Everything, PlanOrder> = {
  name: "strategyOrder",
  doc: "Strategy orders of a unified account",
  ...unifiedAccount("strategy-order"),
  ...EVENTS,
  item: planOrder,
};

/** Values of pushes that differ from those of the REST interface. */
const PUSHED_PLAN_TYPES: ReadonlyMap<string, (typeof PLAN_TYPES)[number]> = new Map([
  ["pl", "normal_plan"],
  ["tp", "profit_plan"],
  ["sl", "loss_plan"],
  ["ptp", "pos_profit"],
  ["psl", "pos_loss"],
  ["track", "track_plan"],
  ["mtpsl", "moving_plan"],
]);

/** Fields whose wire keys in pushes differ from those of the REST interface. */
const pushKeys = record({
  symbol: optionalText("Symbol name", "instId"),
  planType: optionalText("Kind of plan"),
  stopSurplusExecutePrice: optionalText("Limit price of the take-profit", "stopSurplusPrice"),
  stopLossExecutePrice: optionalText("Limit price of the stop-loss", "stopLossPrice"),
});
const filed = record({ category: token("Product category", FUTURES_CATEGORIES) });

const classicPlan: Codec<PlanOrder> = {
  fields: joinedFields(classicPlanOrder, pushKeys, filed),
  decode(wire, found) {
    if (!isObject(wire)) throw new WireError("an object");
    const { planType, ...rest } = pushKeys.decode(wire);
    const named = planType === null ? undefined : PUSHED_PLAN_TYPES.get(planType);
    const plan = classicPlanOrder.decode({ ...wire, ...rest, planType: named ?? planType }, found);
    return { ...plan, planTypeRaw: named ?? planType, ...filed.decode(wire, found) };
  },
};

export const classicPlanOrdersChannel: Channel<FuturesMarket, PlanOrder> = {
  name: "classicPlanOrders",
  doc: "Trigger, take-profit and stop-loss orders of a Classic account, by product type",
  ...classicFuturesAccount("orders-algo", "instId"),
  ...EVENTS,
  item: classicPlan,
  implied: inCategory,
};
