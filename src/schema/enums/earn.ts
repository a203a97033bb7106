import {
  SAVINGS_FILTERS,
  SAVINGS_HOLDING_STATUSES,
  SAVINGS_LEVELS,
  SAVINGS_PERIOD_TYPES,
  SAVINGS_PRODUCT_STATUSES,
  SAVINGS_RATE_TYPES,
  SAVINGS_RECORD_TYPES,
  SAVINGS_RESULTS,
  SAVINGS_SETTLE_METHODS,
} from "@exchange-graph/contract/savings";
import {
  SHARK_FIN_FILTERS,
  SHARK_FIN_OFFER_STATUSES,
  SHARK_FIN_RECORD_TYPES,
  SHARK_FIN_STATUSES,
  SHARK_FIN_TRENDS,
} from "@exchange-graph/contract/sharkfin";
import { closedEnum, type EnumValueOf, openEnum, openEnumWithInput } from "./exchangeEnum.js";

export const [, SavingsPeriodTypeInput] = openEnumWithInput(
  "SavingsPeriodType",
  SAVINGS_PERIOD_TYPES,
  "Kind of term of a savings product (`periodType`)",
  {
    flexible: "It can be redeemed at any time",
    fixed: "It runs for a set number of days",
  },
);
export type SavingsPeriodTypeInput = EnumValueOf<typeof SavingsPeriodTypeInput>;

export const SavingsFilter = closedEnum("SavingsFilter", SAVINGS_FILTERS, "Which savings products to list", {
  available: "Products that can be subscribed",
  held: "Products that the account holds",
  available_and_held: "Products that can be subscribed and those that the account holds",
  all: "Every product, ended ones included",
});
export type SavingsFilter = EnumValueOf<typeof SavingsFilter>;

openEnum("SavingsRateType", SAVINGS_RATE_TYPES, "How the rate depends on the amount (`apyType`)", {
  single: "One rate for all amounts",
  ladder: "A rate for each tier of the amount",
});

openEnum("SavingsSettleMethod", SAVINGS_SETTLE_METHODS, "When interest is paid (`settleMethod`)", {
  daily: "Every day of the term",
  maturity: "At the end of the term",
});

openEnum("SavingsLevel", SAVINGS_LEVELS, "Users that a savings product is for (`productLevel`)", {
  beginner: "New users of the exchange",
  normal: "All users of the exchange",
  VIP: "Users with VIP status",
});

openEnum("SavingsProductStatus", SAVINGS_PRODUCT_STATUSES, "State of a savings product", {
  not_started: "Not yet open for subscription",
  in_progress: "Open for subscription",
  paused: "Subscription is paused",
  completed: "It has ended",
  sold_out: "It is sold out",
  off_line: "It has been withdrawn",
});

openEnum("SavingsHoldingStatus", SAVINGS_HOLDING_STATUSES, "State of savings that are held", {
  in_progress: "They earn interest (also spelt `in_holding`)",
  in_redemption: "They are being paid back",
});

export const [, SavingsRecordTypeInput] = openEnumWithInput(
  "SavingsRecordType",
  SAVINGS_RECORD_TYPES,
  "What a savings record is about (`orderType`)",
  {
    subscribe: "Coins were paid in",
    redeem: "Coins were paid back",
    pay_interest: "Interest was paid out",
    deduction: "Interest was deducted, for redeeming early",
  },
);

openEnum("SavingsRedemptionResult", SAVINGS_RESULTS, "How a redemption of savings ended", {
  success: "The coins were paid back",
  fail: "It failed; the savings are unchanged",
});

const STATUS_MEANINGS = {
  running: "Open for subscription",
  pause: "Subscription is suspended",
  wait_interest: "Waiting for interest to accrue",
  wait_settle: "Waiting for its settlement",
  settle: "It has been settled",
  redeem: "It has been redeemed",
  sell_out: "It is sold out",
} as const;

openEnum("SharkFinStatus", SHARK_FIN_STATUSES, "State of a shark-fin product (`productStatus`)", STATUS_MEANINGS);

openEnum("SharkFinOfferStatus", SHARK_FIN_OFFER_STATUSES, "State of a shark-fin product that is on offer", {
  not_started: "Not yet open for subscription",
  ...STATUS_MEANINGS,
});

openEnum("SharkFinTrend", SHARK_FIN_TRENDS, "The direction of the price for which a shark-fin product pays more", {
  up: "It pays more when the price rises",
  down: "It pays more when the price falls",
});

export const SharkFinHoldingStatus = closedEnum("SharkFinHoldingStatus", SHARK_FIN_FILTERS, "Which shark-fin holdings to list", {
  subscribed: "Products that the account holds now",
  settled: "Products that were settled",
});

export const [, SharkFinRecordTypeInput] = openEnumWithInput(
  "SharkFinRecordType",
  SHARK_FIN_RECORD_TYPES,
  "What a shark-fin record is about",
  {
    subscription: "Coins were paid in",
    redemption: "Coins were paid back",
    interest: "Interest was paid out",
  },
);
