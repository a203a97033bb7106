/** Closed sets of values that several areas of the interface share, in v3's spelling. */

export const FUTURES_CATEGORIES = ["USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"] as const;
export type FuturesCategory = (typeof FUTURES_CATEGORIES)[number];

export const PRODUCT_CATEGORIES = ["SPOT", "MARGIN", ...FUTURES_CATEGORIES] as const;
export type ProductCategory = (typeof PRODUCT_CATEGORIES)[number];

/** Markets with quotes: margin trades at the prices of spot. */
export const MARKET_CATEGORIES = ["SPOT", ...FUTURES_CATEGORIES] as const;
export type MarketCategory = (typeof MARKET_CATEGORIES)[number];

/** The category of the market in which a product is quoted and its orders are matched. */
export const marketCategoryOf = (category: ProductCategory): MarketCategory => (category === "MARGIN" ? "SPOT" : category);

/** Whether a category is one of the three futures categories. */
export const isFuturesCategory = (category: string): category is FuturesCategory =>
  FUTURES_CATEGORIES.some((known) => known === category);

/** v2 futures product types: the three categories and their demo twins. */
export const FUTURES_PRODUCT_TYPES = [...FUTURES_CATEGORIES, "SUSDT-FUTURES", "SCOIN-FUTURES", "SUSDC-FUTURES"] as const;
export type FuturesProductType = (typeof FUTURES_PRODUCT_TYPES)[number];

export const HOLD_MODES = ["one_way_mode", "hedge_mode"] as const;
export const POSITION_SIDES = ["long", "short"] as const;
export const MARGIN_MODES = ["crossed", "isolated"] as const;
/** v2 and its pushes also use `cross` and `fixed`. */
export const MARGIN_MODE_WIRE_NAMES = { cross: "crossed", fixed: "isolated" } as const;

export const ORDER_SIDES = ["buy", "sell"] as const;
export const ORDER_TYPES = ["limit", "market"] as const;
export const TIMES_IN_FORCE = ["gtc", "post_only", "fok", "ioc"] as const;
export const STP_MODES = ["none", "cancel_taker", "cancel_maker", "cancel_both"] as const;

/**
 * Values of v3; `live` and `init` are the same state as `new`, and v2 futures write `canceled`. v2 margin writes `partially_fill`,
 * and `reject` for an order that never entered the book. `triggered` is a spot order that
 * waited for its trigger and has placed another order; v2 writes `executing` or `executed`, as for trigger orders.
 */
export const ORDER_STATUSES = ["new", "partially_filled", "filled", "cancelled", "triggered"] as const;
export const ORDER_STATUS_WIRE_NAMES = {
  live: "new",
  init: "new",
  not_trigger: "new",
  canceled: "cancelled",
  reject: "cancelled",
  partially_fill: "partially_filled",
  executing: "triggered",
  executed: "triggered",
  fail_execute: "cancelled",
} as const;

/** The price that a trigger price is compared with: the last trade or the mark price. v2 has other values for them. */
export const TRIGGER_PRICES = ["market", "mark"] as const;
export const CLASSIC_TRIGGER_PRICES = ["fill_price", "mark_price"] as const;
export const TRIGGER_PRICE_WIRE_NAMES = { fill_price: "market", mark_price: "mark" } as const;

/** A plain spot order, or one that waits for a trigger. */
export const SPOT_ORDER_KINDS = ["normal", "tpsl"] as const;

export const TRADE_SCOPES = ["taker", "maker"] as const;
/** Abbreviations in pushes, and one misspelling. */
export const TRADE_SCOPE_WIRE_NAMES = { t: "taker", m: "maker", marker: "maker" } as const;

/** Effect of a trade on a position. Hedge mode opens and closes, one-way mode has `_single`; the others are forced. */
export const TRADE_SIDES = [
  "open",
  "close",
  "buy_single",
  "sell_single",
  "open_long",
  "open_short",
  "close_long",
  "close_short",
  "reduce_close_long",
  "reduce_close_short",
  "reduce_buy_single",
  "reduce_sell_single",
  "burst_close_long",
  "burst_close_short",
  "burst_buy_single",
  "burst_sell_single",
  "offset_close_long",
  "offset_close_short",
  "delivery_close_long",
  "delivery_close_short",
  "delivery_buy_single",
  "delivery_sell_single",
  "dte_sys_adl_close_long",
  "dte_sys_adl_close_short",
  "dte_sys_adl_buy_in_single_side_mode",
  "dte_sys_adl_sell_in_single_side_mode",
] as const;

export const EXEC_TYPES = ["normal", "offset", "reduce", "liquidation", "delivery"] as const;

export const CANCEL_REASONS = [
  "normal_cancel",
  "trade_count_too_small",
  "trade_too_many_times_cancel",
  "fok_not_full_cancel",
  "ioc_not_full_cancel",
  "post_only_fill_cancel",
  "self_trade_cancel",
  "trade_max_deal_size_cancel",
  "tpsl_plan_cancel",
  "back_contract_cancel",
  "delegated_risk_order_cancel",
  "trader_order_cancel",
  "delivery_order_cancel",
  "modify_limit_order",
  "slippage_cancel",
  "adl_cancel",
  "penetrate_cancel",
  "stp_cancel",
  "call_auction_cancel",
  "limit_price_exceed_cancel",
  "burst_cancel",
  "cancel_receiveWindow",
] as const;

export const POSITION_STATUSES = ["normal", "ended"] as const;
/** The value of pushes for an open position. */
export const POSITION_STATUS_WIRE_NAMES = { opening: "normal" } as const;

/** Classic trigger orders that close a position: a part of it, trailing, or all of it. */
export const CLASSIC_TPSL_PLANS = ["profit_plan", "loss_plan", "moving_plan", "pos_profit", "pos_loss"] as const;
/** Strategy orders of v3 that Classic does not have, beside its trailing stop. */
export const STRATEGIES = ["oco", "trailing_stop", "iceberg", "twap"] as const;
/** Take-profits and stop-losses of v3 and of Classic, trigger orders that open positions, and v3's other strategy orders. */
export const PLAN_TYPES = ["tpsl", ...CLASSIC_TPSL_PLANS, "normal_plan", "track_plan", ...STRATEGIES] as const;
export const TPSL_ROLES = ["takeProfit", "stopLoss"] as const;
/** The position that a trigger order closes: the side of a hedged position, or the direction of a one-way position. */
export const PLAN_HOLD_SIDES = ["long", "short", "buy", "sell"] as const;
export const PLAN_STATUSES = ["live", "executing", "executed", "fail_execute", "cancelled"] as const;
/** v3 lists its strategy orders by kind: take-profits and stop-losses of a position, orders that are placed at a price, and others. */
export const STRATEGY_TYPES = ["tpsl", "trigger", ...STRATEGIES] as const;
export type StrategyType = (typeof STRATEGY_TYPES)[number];
/** What the activation price of a trailing stop is compared with; `index` on futures only. */
export const ACTIVATION_PRICES = [...TRIGGER_PRICES, "index"] as const;
/** How a trailing stop measures its distance from the best price: in percent, or in quote coin. */
export const TRAIL_TYPES = ["ratio", "spread"] as const;
/** How an iceberg order is divided: into parts of a quantity, or into a number of parts. */
export const SPLIT_MODES = ["quantity", "order"] as const;
/** How the parts of an iceberg order are priced: by the book, at a distance from the market, or at one price. */
export const ICEBERG_PREFERENCES = ["faster_execution", "fixed_distance", "fixed_price"] as const;
/** The best price of the own side of the book, or of the other side. */
export const BOOK_PLACES = ["queue1", "counterparty1"] as const;
/** A distance from the market: in percent, or in quote coin. */
export const OFFSET_TYPES = ["percentage", "spread"] as const;
/** Seconds between two parts of a TWAP order. */
export const TWAP_INTERVALS = ["5", "10", "20", "30", "60"] as const;
/** State of an order that a trigger order has placed; `placed` is v2's, which does not say whether it was filled. */
export const SUB_ORDER_STATUSES = ["live", "placed", "filled", "cancelled", "failed"] as const;
/**
 * Kinds of trigger orders for each of which a Classic account has a list: opening plans, trailing orders, and all take-profits and
 * stop-losses.
 */
export const CLASSIC_PLAN_LISTS = ["normal_plan", "track_plan", "profit_loss"] as const;
/** v3's value for Classic's `normal_plan`. */
export const PLAN_TYPE_WIRE_NAMES = { trigger: "normal_plan" } as const;
/** v2 and v3 have several values for the same state. */
export const PLAN_STATUS_WIRE_NAMES = {
  not_trigger: "live",
  pending: "live",
  submitting: "executing",
  success: "executed",
  failed: "fail_execute",
  canceled: "cancelled",
} as const;
