/** The closed sets of words that several areas of the interface share, spelt as v3 spells them. */

export const FUTURES_CATEGORIES = ["USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"] as const;
export type FuturesCategory = (typeof FUTURES_CATEGORIES)[number];

export const PRODUCT_CATEGORIES = ["SPOT", "MARGIN", ...FUTURES_CATEGORIES] as const;
export type ProductCategory = (typeof PRODUCT_CATEGORIES)[number];

/** v2 futures product types: the three categories and their demo twins. */
export const FUTURES_PRODUCT_TYPES = [...FUTURES_CATEGORIES, "SUSDT-FUTURES", "SCOIN-FUTURES", "SUSDC-FUTURES"] as const;
export type FuturesProductType = (typeof FUTURES_PRODUCT_TYPES)[number];

export const HOLD_MODES = ["one_way_mode", "hedge_mode"] as const;
export const POSITION_SIDES = ["long", "short"] as const;
export const MARGIN_MODES = ["crossed", "isolated"] as const;
/** v2 and its pushes also say `cross` and `fixed`. */
export const MARGIN_MODE_SPELLINGS = { cross: "crossed", fixed: "isolated" } as const;

export const ORDER_SIDES = ["buy", "sell"] as const;
export const ORDER_TYPES = ["limit", "market"] as const;
export const TIMES_IN_FORCE = ["gtc", "post_only", "fok", "ioc"] as const;
export const STP_MODES = ["none", "cancel_taker", "cancel_maker", "cancel_both"] as const;

/** v3 words; `live` and `init` are the same state as `new`, and v2 futures write `canceled`. */
export const ORDER_STATUSES = ["new", "partially_filled", "filled", "cancelled"] as const;
export const ORDER_STATUS_SPELLINGS = { live: "new", init: "new", canceled: "cancelled" } as const;
