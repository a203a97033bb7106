import type { OrderTerms, PositionTerms } from "./order.js";

type Required = "uid" | "category" | "symbol" | "side" | "orderType";
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * A requested order, in v3's values: `side` is the side in the market, so closing a long position is a `sell` with `posSide`
 * long. Missing values are the exchange's defaults (`gtc`, `none`, `normal`), or the account's settings. A limit order needs a
 * price, every order but a spot market buy a quantity, and in hedge mode an order needs a `posSide`, which one-way mode ignores.
 */
export interface OrderRequest
  extends Pick<OrderTerms, Required>,
    Optional<Omit<OrderTerms, Required | "position">>,
    Optional<Pick<PositionTerms, "posSide" | "reduceOnly" | "marginMode">> {}
