import { type Decoded, id, optionalDecimal } from "./codec.js";
import { endpoint, perSecond } from "./endpoint.js";
import { listOf } from "./lists.js";
import { maybe, oneOf, required, symbolName } from "./parameter.js";
import { FUTURES_READ, SPOT_READ, UNIFIED_MANAGEMENT_READ } from "./permissions.js";
import { record } from "./record.js";
import { PRODUCT_CATEGORIES } from "./vocabulary.js";

/** Trading fees of an account: they depend on its level, and so differ from those of the instrument. */

/** Levels change once a day. */
const FEE_LEVELS = { freshMs: 60_000, staleMs: 600_000 } as const;

export const feeRate = record({
  symbol: id("Symbol name"),
  maker: optionalDecimal("Fee of a maker, as a fraction of the value; below zero: a rebate", "makerFeeRate", "makerRate"),
  taker: optionalDecimal("Fee of a taker, as a fraction of the value", "takerFeeRate", "takerRate"),
});
export type FeeRate = Decoded<typeof feeRate>;

export const feeRates = endpoint({
  name: "feeRates",
  doc: "Fee rates of a unified account, for every symbol of a category",
  path: "/api/v3/account/all-fee-rate",
  permissions: UNIFIED_MANAGEMENT_READ,
  // No source names the limit; it is that of a single symbol.
  rate: perSecond(3, "UID"),
  cache: FEE_LEVELS,
  parameters: { category: required("Product category", oneOf(PRODUCT_CATEGORIES)) },
  data: listOf(feeRate),
});

/** Kinds of products with fees of their own. */
export const FEE_BUSINESS_TYPES = ["mix", "spot", "margin"] as const;

export const classicFeeRates = endpoint({
  name: "classicFeeRates",
  doc: "Fee rates of a Classic account, for every symbol of a kind of products",
  path: "/api/v2/common/all-trade-rate",
  permissions: [...SPOT_READ, ...FUTURES_READ],
  rate: perSecond(10, "UID"),
  cache: FEE_LEVELS,
  parameters: {
    symbol: maybe("Symbol name. Default: all of them", symbolName()),
    businessType: required("Kind of products", oneOf(FEE_BUSINESS_TYPES)),
  },
  data: listOf(feeRate),
});
