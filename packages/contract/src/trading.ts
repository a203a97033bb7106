import { type OptionalTokenField, optionalToken } from "./codec.js";
import { amount, maybe, oneOf, required, textRule, timestamp, whole } from "./parameter.js";
import {
  FUTURES_PRODUCT_TYPES,
  HOLD_MODES,
  MARGIN_MODE_WIRE_NAMES,
  MARGIN_MODES,
  ORDER_TYPES,
  POSITION_SIDES,
  type ProductCategory,
  STP_MODES,
  TRADE_SIDES,
  TRIGGER_PRICES,
} from "./vocabulary.js";

/** Fields that orders, fills, trigger orders and positions have in common. */

/**
 * The position side of a trade. In one-way mode it is `net` or empty, and on unified accounts sometimes the side of the position.
 */
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

/** Relation of a trade to a position; all of it is null on spot. */
export const positionTerms = {
  posSide: sideOfPosition(),
  holdMode: optionalToken("Position mode; null on spot (Classic: `posMode`)", HOLD_MODES),
  tradeSide: optionalToken("What it does to the position; null where the exchange does not say", TRADE_SIDES),
};

/** The margin mode of an order or a position; null if the exchange does not send it. */
export const marginMode = (doc: string) => optionalToken(doc, MARGIN_MODES, MARGIN_MODE_WIRE_NAMES);

/** A Classic record has no category: it follows from the call's product type. */
export type WithoutCategory<T> = Omit<T, "category" | "categoryRaw">;

/** Adds the category of the call. Every Classic record passes here before it leaves the data source. */
export const withCategory = <C extends ProductCategory, T extends object>(category: C, item: T) => ({
  // After a spread V8 reserves twice the memory of the record.
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
 * In hedge mode the Classic REST interface has the direction of the position as the side: closing a long is `buy` + `close`. In
 * the graph `side` is the side of the trade in the market, as in v3 and the pushes: there it is `sell`. The raw text is
 * unchanged.
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

/** Order type of a take-profit or stop-loss: v2 has a limit price or none, v3 has a field for it. */
export const tpslOrderType = (trigger: string | null, limitPrice: string | null): "limit" | "market" | null =>
  trigger === null ? null : limitPrice === null ? "market" : "limit";

/** Ids that the exchange assigns. */
export const orderIdText = () => textRule({ max: 64 });
export const unifiedClientOid = () =>
  textRule({ max: 32, pattern: /^[.A-Z:/a-z0-9_-]+$/, allowed: "text of 1 to 32 letters, digits and . : / _ -" });
/** The client's order id in v2: longer, and with more signs. */
export const classicClientOid = () =>
  textRule({ max: 64, pattern: /^[\x21-\x7e]+$/, allowed: "text of 1 to 64 printable characters without spaces" });

export const productType = required("Product type", oneOf(FUTURES_PRODUCT_TYPES));
/** Two placement endpoints require the product type in lower case. */
export const lowerCaseProductType = required(
  "Product type",
  oneOf(FUTURES_PRODUCT_TYPES, { wireName: (type) => type.toLowerCase() }),
);

/** The ids of one order, or of one that waits for a trigger: either, or both. */
export const unifiedOrderIds = {
  orderId: maybe("Order identifier; decides when both are given", orderIdText()),
  clientOid: maybe("The client's own order identifier", unifiedClientOid()),
};
export const classicOrderIds = {
  orderId: unifiedOrderIds.orderId,
  clientOid: maybe("The client's own order identifier", classicClientOid()),
};

export const stpMode = maybe(
  "What happens when it would trade with the account's own orders",
  oneOf(STP_MODES, { fallback: "none" }),
);
export const reduceOnly = maybe("Only make the position smaller; one-way mode alone", oneOf(["yes", "no"], { fallback: "no" }));

/** Take-profit and stop-loss of a unified account's order or position. `price`: what a trigger price may be. */
export const tpslParameters = (price: ReturnType<typeof amount>) => ({
  takeProfit: maybe("Trigger price of the take-profit", price),
  stopLoss: maybe("Trigger price of the stop-loss", price),
  tpTriggerBy: maybe("What the take-profit looks at", oneOf(TRIGGER_PRICES, { fallback: "market" })),
  slTriggerBy: maybe("What the stop-loss looks at", oneOf(TRIGGER_PRICES, { fallback: "market" })),
  tpOrderType: maybe("How the take-profit leaves", oneOf(ORDER_TYPES)),
  slOrderType: maybe("How the stop-loss leaves", oneOf(ORDER_TYPES)),
  tpLimitPrice: maybe("Limit price of the take-profit", amount()),
  slLimitPrice: maybe("Limit price of the stop-loss", amount()),
});

/** Rejects a Classic spot call that arrives too late. */
export const receiveGuard = {
  requestTime: maybe("When the call was sent", timestamp()),
  receiveWindow: maybe("How many milliseconds after `requestTime` it may arrive", whole({ min: 1, max: 59_999 })),
};

/** One of the two ids is required; if both are present, the exchange uses `orderId`. */
export const orderIdOrClientOid = {
  rule: "must be given: orderId or clientOid",
  broken: ({ orderId, clientOid }: { readonly orderId?: string | undefined; readonly clientOid?: string | undefined }) =>
    orderId === undefined && clientOid === undefined ? "orderId" : undefined,
};

export const limitPrice = {
  required: "price",
  when: "for a limit order",
  applies: ({ orderType }: { readonly orderType: string }) => orderType === "limit",
} as const;
