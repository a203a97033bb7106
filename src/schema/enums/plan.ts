import { PLAN_STATUSES, PLAN_TYPES, TPSL_ROLES } from "@exchange-graph/contract/vocabulary";
import { type EnumValueOf, openEnum, openEnumWithInput } from "./exchangeEnum.js";

export const [PlanType, PlanTypeInput] = openEnumWithInput("PlanType", PLAN_TYPES, "Kind of trigger order (`planType`)", {
  tpsl: "Take-profit, stop-loss or both of a position, on unified accounts",
  profit_plan: "Take-profit of a part of a position",
  loss_plan: "Stop-loss of a part of a position",
  moving_plan: "Trailing stop of a part of a position",
  pos_profit: "Take-profit of a whole position",
  pos_loss: "Stop-loss of a whole position",
  normal_plan: "An order that is placed once its trigger is reached (on unified accounts: `trigger`)",
  track_plan: "An order that trails the price before it is placed",
  oco: "One cancels the other, on unified accounts: a limit order in the book, and an order that takes its place at a trigger price",
  trailing_stop: "An order that is placed when the price comes back by a distance, on unified accounts",
  iceberg: "An order of which one part at a time is in the book, on unified accounts",
  twap: "An order that is placed in equal parts at intervals, on unified accounts",
});

export type PlanTypeInput = EnumValueOf<typeof PlanTypeInput>;

openEnum("PlanStatus", PLAN_STATUSES, "State of a trigger order (`planStatus`)", {
  live: "It waits for its trigger (also spelt `not_trigger`)",
  executing: "It was triggered and is being executed",
  executed: "It was triggered and executed",
  fail_execute: "It was triggered and could not be executed",
  cancelled: "It was cancelled",
});

openEnum("PlanExit", TPSL_ROLES, "Whether the take-profit or the stop-loss of a trigger order was triggered", {
  takeProfit: "The take-profit was triggered",
  stopLoss: "The stop-loss was triggered",
});
