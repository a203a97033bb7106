import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import type { Position } from "@exchange-graph/contract/position";
import { MARKET_CATEGORIES, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import type { CompleteFills } from "./fillLedger.js";
import type { AccountHoldings } from "./holdings.js";

/** The kinds of an account's state that queries are answered from. */
export interface LiveKinds {
  readonly orders: readonly StreamedOrder[];
  readonly fills: CompleteFills;
  readonly planOrders: readonly PlanOrder[];
  readonly positions: readonly Position[];
  readonly accountUpdates: AccountHoldings;
}
export type LiveKind = keyof LiveKinds;
export const LIVE_KINDS: ReadonlySet<LiveKind> = new Set(["orders", "fills", "planOrders", "positions", "accountUpdates"]);

/** The parts of a kind of an account's state: its lists at the exchange. */

/** The part of a kind of state of which the exchange has one list. */
export const WHOLE = "ALL";

/** The parts that show changes in these product categories. A part is named by its category, perhaps with a kind after it. */
export const partsShowing = (parts: readonly string[], categories: readonly string[]): readonly string[] =>
  categories.length === 0 ? [] : parts.filter((part) => part === WHOLE || categories.includes(categoryOf(part)));

const categoryOf = (part: string): string => part.split(" ")[0] ?? part;

export const fillParts = (mode: AccountMode): readonly string[] =>
  mode === "UNIFIED" ? PRODUCT_CATEGORIES : CLASSIC_BALANCE_PARTS;

/** The lists of a Classic account's balances. */
export const CLASSIC_BALANCE_PARTS: readonly string[] = MARKET_CATEGORIES;
