import {
  ACTIVATION_PRICES,
  BOOK_PLACES,
  ICEBERG_PREFERENCES,
  OFFSET_TYPES,
  PLAN_STATUSES,
  PLAN_TYPES,
  SPLIT_MODES,
  SUB_ORDER_STATUSES,
  TPSL_ROLES,
  TRAIL_TYPES,
  TWAP_INTERVALS,
} from "@exchange-graph/contract/vocabulary";
import { closedEnum, openEnum, openEnumWithInput } from "./exchangeEnum.js";

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

export const TwapInterval = closedEnum(
  "TwapInterval",
  TWAP_INTERVALS,
  "Time between two parts of a TWAP order (`interval`)",
  { "5": "5 seconds", "10": "10 seconds", "20": "20 seconds", "30": "30 seconds", "60": "A minute" },
  { "5": "SECONDS_5", "10": "SECONDS_10", "20": "SECONDS_20", "30": "SECONDS_30", "60": "SECONDS_60" },
);

export const [ActivationPrice, ActivationPriceInput] = openEnumWithInput(
  "ActivationPrice",
  ACTIVATION_PRICES,
  "Price that the activation price of a trailing stop is compared with (`activationType`)",
  { market: "The last trade", mark: "The mark price", index: "The index price; futures only" },
);

openEnum("TrailType", TRAIL_TYPES, "Unit of a trailing stop's distance (`trailType`)", {
  ratio: "A share of the best price",
  spread: "An amount of quote coin",
});

openEnum("IcebergSplit", SPLIT_MODES, "How an iceberg order is divided (`splitMode`)", {
  quantity: "Into parts of one quantity",
  order: "Into a number of equal parts",
});

openEnum("IcebergPricing", ICEBERG_PREFERENCES, "How the parts of an iceberg order are priced (`orderPreference`)", {
  faster_execution: "At a place in the book",
  fixed_distance: "At a distance from the market",
  fixed_price: "At one price",
});

export const [, BookPlaceInput] = openEnumWithInput(
  "BookPlace",
  BOOK_PLACES,
  "Place in the book at which an order is priced (`executionStrategy`)",
  { queue1: "The best price of its own side", counterparty1: "The best price of the other side" },
);

openEnum("PriceOffset", OFFSET_TYPES, "Unit of a distance from the market", {
  percentage: "A share of the price, in the exchange's percentage",
  spread: "An amount of quote coin",
});

openEnum("SubOrderStatus", SUB_ORDER_STATUSES, "State of an order that a strategy order has placed", {
  live: "It is in the book",
  placed: "It was placed; `order` says how it was filled (Classic)",
  filled: "It was filled whole",
  cancelled: "It was cancelled, possibly after it was filled in part",
  failed: "The exchange refused it",
});
