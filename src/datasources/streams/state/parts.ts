import { MARKET_CATEGORIES, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";

/** The parts of a kind of an account's state: its lists at the exchange. */

/** The part of a kind of state of which the exchange has one list. */
export const WHOLE = "ALL";

/** The parts that show changes in these product categories. A part is named by its category, perhaps with a kind after it. */
export const partsShowing = (parts: readonly string[], categories: readonly string[]): readonly string[] =>
  categories.length === 0 ? [] : parts.filter((part) => part === WHOLE || categories.includes(categoryOf(part)));

export const categoryOf = (part: string): string => part.split(" ")[0] ?? part;

/** The lists of an account's executions. */
export const fillParts = (mode: AccountMode): readonly string[] =>
  mode === "UNIFIED" ? PRODUCT_CATEGORIES : CLASSIC_BALANCE_PARTS;

/** The lists of a Classic account's balances. */
export const CLASSIC_BALANCE_PARTS: readonly string[] = MARKET_CATEGORIES;
