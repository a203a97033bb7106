import { MODE_CHANGE_STATUSES } from "@exchange-graph/contract/account";
import { CLASSIC_TPSL_PLANS, FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { FUTURES_MEANINGS } from "./category.js";
import { closedEnum, openEnum, ownEnum } from "./exchangeEnum.js";

export const WriteOutcome = ownEnum("WriteOutcome", "Outcome of a write", {
  ACCEPTED: "The exchange accepted it, and it is in effect. An accepted order is not necessarily filled",
  REJECTED: "It has no effect: a rule was broken, the exchange refused it, or its request certainly never arrived",
  UNKNOWN:
    "The exchange's answer was lost, and it is not known yet whether it took effect. The gateway keeps looking it up; the same mutation with the same key and the journal return what it has found",
});

export const WriteState = ownEnum("WriteState", "State of a write in the journal", {
  SENT: "Its request was sent, or is about to be; there is no answer yet",
  ACCEPTED: "The exchange accepted it",
  REJECTED: "It has no effect",
  UNKNOWN: "The answer was lost; the outcome is being looked up, or cannot be found",
  UNSENT: "Its request was never sent: the exchange could not be reached. The key can be used again",
});

export const CancelledKind = ownEnum("CancelledKind", "Kind of order to cancel", {
  ORDER: "An order in the book",
  PLAN_ORDER:
    "A trigger order of any kind (`PlanOrder`), those that run included: a take-profit, stop-loss or trailing stop, an OCO, iceberg or TWAP order; on Classic spot an order with a trigger price",
});

export const TpslPlanType = closedEnum("TpslPlanType", CLASSIC_TPSL_PLANS, "How a trigger order closes a position (`planType`)", {
  profit_plan: "Take-profit of a part of the position",
  loss_plan: "Stop-loss of a part of the position",
  moving_plan: "Trailing stop of a part of the position; Classic only",
  pos_profit: "Take-profit of the whole position",
  pos_loss: "Stop-loss of the whole position",
});

export const LeverageCategory = closedEnum(
  "LeverageCategory",
  ["MARGIN", ...FUTURES_CATEGORIES],
  "Categories for which leverage can be set",
  {
    MARGIN: "Borrowed coins; unified accounts only",
    ...FUTURES_MEANINGS,
  },
);

openEnum("ModeChangeStatus", MODE_CHANGE_STATUSES, "State of a change of an account's mode", {
  process: "It is under way",
  success: "It is done",
  fail: "It failed; the account is unchanged",
});
