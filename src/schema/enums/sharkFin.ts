import {
  SHARK_FIN_FILTERS,
  SHARK_FIN_OFFER_STATUSES,
  SHARK_FIN_RECORD_TYPES,
  SHARK_FIN_STATUSES,
  SHARK_FIN_TRENDS,
} from "@exchange-graph/contract/sharkfin";
import { closedEnum, type EnumValueOf, openEnum, openEnumWithInput } from "./exchangeEnum.js";

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
export type SharkFinHoldingStatus = EnumValueOf<typeof SharkFinHoldingStatus>;

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
export type SharkFinRecordTypeInput = EnumValueOf<typeof SharkFinRecordTypeInput>;
