import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { closedEnum, type EnumValueOf, ownEnum } from "./exchangeEnum.js";

export const EquityInterval = ownEnum("EquityInterval", "Interval of the points of an equity curve", {
  MINUTE: "Every recorded sample: one a minute, unless `HISTORY_INTERVAL_MINUTES` says otherwise. Kept for 31 days",
  HOUR: "The last sample of each hour",
  DAY: "The last sample of each day, in UTC",
});
export type EquityInterval = EnumValueOf<typeof EquityInterval>;

export const EquitySource = ownEnum("EquitySource", "Source of a recorded sample", {
  STREAM: "Proven live state of the account",
  RECONSTRUCTED: "Computed backwards from the money history and past prices",
});

export const EquityGapReason = ownEnum("EquityGapReason", "Why there is no sample of an interval", {
  INTERRUPTED: "The account's streams were interrupted",
  BEING_READ: "Its lists were still being read",
  NOT_REPRODUCED: "The exchange's formulas had not reproduced its figures yet",
  NOT_COMPUTABLE: "Something was not known that its figures depend on, or of the past an execution could not be read",
  NO_PRICE: "The price of a coin was not known",
  NOT_RECORDED: "The gateway was not running, or could not store it",
  NOT_KEPT: "It is before everything that could be rebuilt: the exchange keeps nothing of it any more",
});

export const BackfillStatus = ownEnum("BackfillStatus", "State of the reconstruction of an account's past", {
  WAITING: "It begins once the account has two samples and its financial records are stored",
  RUNNING: "It goes on, at the lowest priority; while the exchange is out of service it waits",
  COMPLETE: "Everything that the exchange keeps, or as far back as a setting says",
  STOPPED: "The exchange's record of an execution could not be read, so nothing before it is known",
});

export const CoinPool = closedEnum(
  "CoinPool",
  ["UNIFIED", "SPOT", ...FUTURES_CATEGORIES],
  "The purse of an account that holds a coin",
  {
    UNIFIED: "The unified account",
    SPOT: "The spot account of a Classic account",
    "USDT-FUTURES": "The USDT futures account of a Classic account",
    "COIN-FUTURES": "The coin futures account of a Classic account",
    "USDC-FUTURES": "The USDC futures account of a Classic account",
  },
);

export const UnknownFigureReason = ownEnum("UnknownFigureReason", "Why a figure of a performance is not known", {
  TOO_FEW_POINTS: "There are less than two samples in the range",
  CHANGES_NOT_KNOWN: "The changes of balances of a part of the range are not known, so flows cannot be told from profit",
  NO_EQUITY: "The account was worth nothing, or less, at the start of an interval",
  TOO_FEW_DAYS: "The range has less than five days",
  NO_LOSS: "There was no loss to divide by",
  NO_CLOSED_TRADES: "No position was closed or reduced",
  NO_SPREAD: "All daily returns are equal",
  NOT_BY_PRODUCT: "Equity belongs to an account as a whole, and not to a category or a symbol",
});

export const PerformanceGroup = ownEnum("PerformanceGroup", "What the rows of a performance are about", {
  ACCOUNT: "One row per account; of several accounts also one for all of them together, without an account",
  CATEGORY: "One row per product category",
  SYMBOL: "One row per symbol",
  MONTH: "One row per calendar month, in UTC",
});
export type PerformanceGroup = EnumValueOf<typeof PerformanceGroup>;

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
