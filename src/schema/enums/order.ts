import {
  CANCEL_REASONS,
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
import { openEnum, openEnumWithInput } from "./exchangeEnum.js";

export const [, OrderSideInput] = openEnumWithInput("OrderSide", ORDER_SIDES, "Whether base coin is bought or sold", {
  buy: "Base coin is bought: a long is opened or a short closed",
  sell: "Base coin is sold: a short is opened or a long closed",
});

export const [OrderType, OrderTypeInput] = openEnumWithInput("OrderType", ORDER_TYPES, "Type of an order: limit or market", {
  limit: "At its limit price or better",
  market: "At the best prices of the book",
});

export const [, TimeInForceInput] = openEnumWithInput(
  "TimeInForce",
  TIMES_IN_FORCE,
  "How long an order stays open (`timeInForce`; Classic: `force`)",
  {
    gtc: "Good till cancelled: it stays in the book",
    post_only: "Post only: cancelled if it would trade at once",
    fok: "Fill or kill: filled whole at once, or cancelled",
    ioc: "Immediate or cancel: what does not fill at once is cancelled",
  },
);

openEnum("OrderStatus", ORDER_STATUSES, "State of an order (`orderStatus`)", {
  new: "Open, nothing filled yet (also spelt `live` and `init`)",
  partially_filled: "Open, filled in part",
  filled: "Done: filled whole",
  cancelled:
    "Done: cancelled, possibly after filling in part (also spelt `canceled`). An order with a trigger price also ends so if it was triggered and could not be placed (`fail_execute`)",
  triggered:
    "Done: its trigger price was reached, and another order was placed (`executed`, at first `executing`); Classic spot only",
});

export const [, StpModeInput] = openEnumWithInput(
  "StpMode",
  STP_MODES,
  "Self-trade prevention: what happens when an order would trade with an order of the same user",
  {
    none: "They trade with each other",
    cancel_taker: "The newer order is cancelled",
    cancel_maker: "The resting order is cancelled",
    cancel_both: "Both orders are cancelled",
  },
);

export const [TriggerBy, TriggerByInput] = openEnumWithInput(
  "TriggerBy",
  TRIGGER_PRICES,
  "The price that a trigger price is compared with",
  {
    market: "The last trade (Classic: `fill_price`)",
    mark: "The mark price (Classic: `mark_price`)",
  },
);

export const [, SpotOrderKindInput] = openEnumWithInput(
  "SpotOrderKind",
  SPOT_ORDER_KINDS,
  "Kind of a Classic spot order (`tpslType`)",
  {
    normal: "It goes to the book at once",
    tpsl: "It waits for its trigger price first",
  },
);

openEnum("TradeScope", TRADE_SCOPES, "Whether an order was the taker or the maker of a trade", {
  taker: "It traded with an order that rested in the book",
  maker: "It rested in the book",
});

openEnum("ExecType", EXEC_TYPES, "Why an order was executed (`execType`)", {
  normal: "Placed by its owner",
  offset: "Positions were set off against each other",
  reduce: "The exchange reduced a position",
  liquidation: "The exchange liquidated a position",
  delivery: "A contract was delivered",
});

openEnum("CancelReason", CANCEL_REASONS, "Why an order was cancelled (`cancelReason`)", {
  normal_cancel: "Its owner cancelled it",
  trade_count_too_small: "The quantity that was left was too small to trade",
  trade_too_many_times_cancel: "It would have traded in too many pieces",
  fok_not_full_cancel: "Fill or kill: it could not be filled whole",
  ioc_not_full_cancel: "Immediate or cancel: the rest could not be filled at once",
  post_only_fill_cancel: "Post only: it would have traded at once",
  self_trade_cancel: "It would have traded with its owner's own order",
  trade_max_deal_size_cancel: "It exceeded the largest size of a deal",
  tpsl_plan_cancel: "Its take-profit or stop-loss was cancelled",
  back_contract_cancel: "The contract was taken back",
  delegated_risk_order_cancel: "The exchange's risk control cancelled it",
  trader_order_cancel: "A copied trader's order was cancelled",
  delivery_order_cancel: "The contract was delivered",
  modify_limit_order: "It was replaced by its modification",
  slippage_cancel: "The price would have slipped too far",
  adl_cancel: "Auto-deleveraging cancelled it",
  penetrate_cancel: "The account's equity no longer covered it",
  stp_cancel: "Self-trade prevention cancelled it",
  call_auction_cancel: "The call auction ended",
  limit_price_exceed_cancel: "Its price lay beyond the limit",
  burst_cancel: "The position behind it was liquidated",
  cancel_receiveWindow: "It arrived after its receive window had closed",
});
