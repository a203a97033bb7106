import { type OptionalTokenField, optionalToken } from "./codec.js";
import { maybe, oneOf, required, timestamp, whole, words } from "./parameter.js";
import {
  FUTURES_PRODUCT_TYPES,
  type FuturesCategory,
  HOLD_MODES,
  MARGIN_MODE_SPELLINGS,
  MARGIN_MODES,
  POSITION_SIDES,
  TRADE_SIDES,
} from "./vocabulary.js";

/** What orders, fills, trigger orders and positions have in common. */

/** The position side of a trade. One-way mode needs none: it says `net` or nothing, on unified accounts at times the side held. */
function sideOfPosition(): OptionalTokenField<(typeof POSITION_SIDES)[number]> {
  const side = optionalToken(
    "Position side; null on spot, and mostly in one-way mode",
    POSITION_SIDES,
    undefined,
    "posSide",
    "holdSide",
  );
  return { ...side, decode: (wire) => (wire === "net" ? null : side.decode(wire)) };
}

/** How a trade stands to a position; all of it is null on spot. */
export const positionTerms = {
  posSide: sideOfPosition(),
  holdMode: optionalToken("Position mode; null on spot (Classic: `posMode`)", HOLD_MODES),
  tradeSide: optionalToken("What it does to the position; null where the exchange does not say", TRADE_SIDES),
};

/** The margin mode of an order or a position; null where the exchange does not say. */
export const marginMode = (doc: string) => optionalToken(doc, MARGIN_MODES, MARGIN_MODE_SPELLINGS);

/** A Classic record is filed under the call's product type and does not repeat it: it comes without a category. */
export type WithoutCategory<T> = Omit<T, "category" | "categoryRaw">;

/** Puts the category back that the call asked for. Every Classic futures record passes here before it leaves the data source. */
export const withCategory = <C extends FuturesCategory, T extends object>(category: C, item: T) => ({
  // Behind a spread V8 makes room for as much again as the record has.
  category,
  categoryRaw: category as string,
  ...item,
});

interface Directed {
  readonly side: "buy" | "sell" | "UNKNOWN" | null;
  readonly holdMode: string | null;
  readonly posSide: "long" | "short" | "UNKNOWN" | null;
  readonly tradeSideRaw: string | null;
}

const OPENS = { long: "buy", short: "sell" } as const;
const CLOSES = { long: "sell", short: "buy" } as const;

/**
 * In hedge mode the Classic REST interface writes the direction of the position as the side: closing a long is
 * `buy` + `close`. The graph means by `side` what was done in the market, as v3 and the pushes do: there it is `sell`.
 * The raw text stays as it came.
 */
export function asExecuted<T extends Directed>(trade: T): T {
  if (trade.holdMode !== "hedge_mode" || trade.tradeSideRaw === null) return trade;
  const posSide =
    trade.posSide ?? namedSide(trade.tradeSideRaw) ?? (trade.side === "buy" ? "long" : trade.side === "sell" ? "short" : null);
  if (posSide === null || posSide === "UNKNOWN") return trade;
  const side = (trade.tradeSideRaw.includes("close") ? CLOSES : OPENS)[posSide];
  return { ...trade, posSide, side };
}

const namedSide = (tradeSide: string): "long" | "short" | undefined =>
  tradeSide.endsWith("_long") ? "long" : tradeSide.endsWith("_short") ? "short" : undefined;

/** How a take-profit or stop-loss closes: v2 has a limit price or none, v3 has a field for it. */
export const exitOrderType = (trigger: string | null, limitPrice: string | null): "limit" | "market" | null =>
  trigger === null ? null : limitPrice === null ? "market" : "limit";

/** Ids that the exchange assigns. */
export const orderIdText = () => words({ max: 64 });
/** The client's order id as v3 takes it. */
export const unifiedClientOid = () =>
  words({ max: 32, pattern: /^[.A-Z:/a-z0-9_-]+$/, allowed: "text of 1 to 32 letters, digits and . : / _ -" });
/** The client's order id as v2 takes it: longer, and with more signs. */
export const classicClientOid = () =>
  words({ max: 64, pattern: /^[\x21-\x7e]+$/, allowed: "text of 1 to 64 printable characters without spaces" });

export const productType = required("Product type", oneOf(FUTURES_PRODUCT_TYPES));
/** Two placements show their product type in lower case. */
export const lowerCaseProductType = required(
  "Product type",
  oneOf(FUTURES_PRODUCT_TYPES, { spelt: (type) => type.toLowerCase() }),
);

/** Guards a call of Classic spot against arriving late. */
export const receiveGuard = {
  requestTime: maybe("When the call was sent", timestamp()),
  receiveWindow: maybe("How many milliseconds after `requestTime` it may arrive", whole({ min: 1, max: 59_999 })),
};

/** One of the two ids must be given; where both are, the exchange takes `orderId`. */
export const orderIdOrClientOid = {
  says: "must be given: orderId or clientOid",
  broken: ({ orderId, clientOid }: { readonly orderId?: string | undefined; readonly clientOid?: string | undefined }) =>
    orderId === undefined && clientOid === undefined ? "orderId" : undefined,
};
