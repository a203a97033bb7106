/**
 * Permissions of an API key that an endpoint requires: any one of the list. Write permissions include reading. The codes are the
 * exchange's own.
 */

export const UNIFIED_TRADE_READ = ["uta_trade:read", "uta_trade:read_write"];
export const UNIFIED_TRADE_WRITE = ["uta_trade:read_write"];
/** Covers the account paths of v3. */
export const UNIFIED_MANAGEMENT_READ = ["uta_mgt:read", "uta_mgt:read_write"];
export const UNIFIED_MANAGEMENT_WRITE = ["uta_mgt:read_write"];

/** Covers convert too, which exchanges coins in the spot account. */
export const SPOT_READ = ["stor", "stow"];
export const SPOT_WRITE = ["stow"];
export const FUTURES_ORDERS_READ = ["coor", "coow"];
export const FUTURES_ORDERS_WRITE = ["coow"];
export const FUTURES_POSITIONS_READ = ["cpor", "cpow"];
export const FUTURES_POSITIONS_WRITE = ["cpow"];
export const FUTURES_READ = [...FUTURES_ORDERS_READ, ...FUTURES_POSITIONS_READ];

export const MARGIN_READ = ["smor", "smow"];

/** Covers savings and shark-fin too: they move funds between the spot account and a product. */
export const WALLET_READ = ["wtor", "wtow"];
export const WALLET_WRITE = ["wtow"];
export const WITHDRAW = ["wwow"];
export const LOANS_READ = ["pllr", "pllw"];
export const BROKER_READ = ["chor", "chow"];
export const BROKER_WRITE = ["chow"];
