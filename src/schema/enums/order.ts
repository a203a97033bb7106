import {
  EXEC_TYPES,
  ORDER_SIDES,
  ORDER_STATUSES,
  ORDER_TYPES,
  SPOT_ORDER_KINDS,
  STP_MODES,
  TIMES_IN_FORCE,
  TRADE_SCOPES,
  TRIGGER_PRICES,
} from "@exchange-graph/contract/vocabulary";
import { openEnum, openEnumWithInput, type WordOf } from "./exchangeEnum.js";

export const [OrderSide, OrderSideInput] = openEnumWithInput("OrderSide", ORDER_SIDES, {
  description: "What is done in the market",
  meanings: {
    buy: "Base coin is bought: a long is opened or a short closed",
    sell: "Base coin is sold: a short is opened or a long closed",
  },
});
export type OrderSide = WordOf<typeof OrderSide>;
export type OrderSideInput = WordOf<typeof OrderSideInput>;

export const [OrderType, OrderTypeInput] = openEnumWithInput("OrderType", ORDER_TYPES, {
  description: "How an order names its price",
  meanings: {
    limit: "At its limit price or better",
    market: "At whatever the book offers",
  },
});
export type OrderType = WordOf<typeof OrderType>;
export type OrderTypeInput = WordOf<typeof OrderTypeInput>;

export const [TimeInForce, TimeInForceInput] = openEnumWithInput("TimeInForce", TIMES_IN_FORCE, {
  description: "How long an order may wait for its counterpart (`timeInForce`; Classic: `force`)",
  meanings: {
    gtc: "Good till cancelled: it rests in the book",
    post_only: "It only rests: cancelled if it would trade at once",
    fok: "Fill or kill: filled whole at once, or cancelled",
    ioc: "Immediate or cancel: what does not fill at once is cancelled",
  },
});
export type TimeInForce = WordOf<typeof TimeInForce>;
export type TimeInForceInput = WordOf<typeof TimeInForceInput>;

export const OrderStatus = openEnum("OrderStatus", ORDER_STATUSES, {
  description: "State of an order (`orderStatus`)",
  meanings: {
    new: "Open, nothing filled yet (also spelt `live` and `init`)",
    partially_filled: "Open, filled in part",
    filled: "Done: filled whole",
    cancelled:
      "Done: cancelled, possibly after filling in part (also spelt `canceled`). Of an order that waited for its trigger also: it was triggered and could not be placed (`fail_execute`)",
    triggered:
      "Done: it waited for its trigger, and has placed another order at it (`executed`, at first `executing`); Classic spot only",
  },
});
export type OrderStatus = WordOf<typeof OrderStatus>;

export const [StpMode, StpModeInput] = openEnumWithInput("StpMode", STP_MODES, {
  description: "Self-trade prevention: what happens when an order would trade with one of the same user's",
  meanings: {
    none: "They trade with each other",
    cancel_taker: "The newer order is cancelled",
    cancel_maker: "The resting order is cancelled",
    cancel_both: "Both orders are cancelled",
  },
});
export type StpMode = WordOf<typeof StpMode>;
export type StpModeInput = WordOf<typeof StpModeInput>;

export const [TriggerBy, TriggerByInput] = openEnumWithInput("TriggerBy", TRIGGER_PRICES, {
  description: "The price that a trigger price is compared with",
  meanings: {
    market: "The last trade (Classic: `fill_price`)",
    mark: "The mark price (Classic: `mark_price`)",
  },
});
export type TriggerBy = WordOf<typeof TriggerBy>;
export type TriggerByInput = WordOf<typeof TriggerByInput>;

export const [SpotOrderKind, SpotOrderKindInput] = openEnumWithInput("SpotOrderKind", SPOT_ORDER_KINDS, {
  description: "Kind of a Classic spot order (`tpslType`)",
  meanings: {
    normal: "It goes to the book at once",
    tpsl: "It waits for its trigger price first",
  },
});
export type SpotOrderKind = WordOf<typeof SpotOrderKind>;
export type SpotOrderKindInput = WordOf<typeof SpotOrderKindInput>;

export const TradeScope = openEnum("TradeScope", TRADE_SCOPES, {
  description: "Whether an order was the taker or the maker of a trade",
  meanings: {
    taker: "It traded with an order that rested in the book",
    maker: "It rested in the book",
  },
});
export type TradeScope = WordOf<typeof TradeScope>;

export const ExecType = openEnum("ExecType", EXEC_TYPES, {
  description: "Why an order was executed (`execType`)",
  meanings: {
    normal: "Placed by its owner",
    offset: "Positions were set off against each other",
    reduce: "The exchange reduced a position",
    liquidation: "The exchange liquidated a position",
    delivery: "A contract was delivered",
  },
});
export type ExecType = WordOf<typeof ExecType>;
