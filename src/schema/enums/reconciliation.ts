import { ownEnum } from "./exchangeEnum.js";

export const DifferenceKind = ownEnum("DifferenceKind", "What does not agree with the exchange", {
  BALANCE_UNEXPLAINED:
    "The balance of a coin has changed otherwise than the exchange's records say. `expected`: change by the records, `found`: change of the balance, in the coin",
  FILLS_INCOMPLETE:
    "The exchange lists other executions of an order than the order says. `expected`: filled quantity of the order, `found`: sum of its executions, in base coin",
  ORDER_NOT_JOURNALED:
    "An order was filled that was not placed through this gateway, nor by a trigger order or by the exchange itself. `found`: its filled quantity, in base coin",
  ORDER_MISSING: "The exchange accepted an order, and does not have it",
  WRITE_UNSETTLED: "The outcome of a write was still not known after the day",
});

export const UncheckedReason = ownEnum("UncheckedReason", "Why a part of a day was not compared", {
  NOT_RECORDED: "There is no sample of the account on that day; the next day with one is compared from the last one on",
  NO_WRITES: "The journal has no order of the account: it is traded elsewhere",
  MODE_CHANGED: "The account changed from Classic to unified, or back",
  TOO_OLD: "The exchange did not keep the lists of that day any more",
  TOO_MANY: "There are more rows than one day is compared by",
  UNREADABLE: "A list could not be read for a day",
});
