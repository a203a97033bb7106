import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../../refused.js";
import { isFutures, statusAt } from "../catalogue/instrument.js";
import { type Dialect, refused } from "../dialect.js";
import type { Market } from "../market/market.js";
import { least, most } from "../money.js";
import { isReached, tpslTrigger, wrongSide } from "../plans/plan.js";
import { type State, usdtPrice } from "../state.js";
import { onlyCloses } from "./closers.js";
import type { OrderTerms } from "./order.js";

/** Checks of every order before those of balances. Each throws `Refused` in the client's dialect. */

/** Validity of an order's client id on Classic spot. */
const SPOT_CLIENT_OID_MS = 6 * 60 * 60_000;

const ONE = exact("1");
const HUNDRED = exact("100");
/** Maximum number of open orders over all spot and margin symbols, and over all futures. */
const MOST_OPEN_ORDERS = 400;

/** Checks that the symbol is open for trading, for opening or for closing a position. */
export function checkStatus({ now }: State, { listing }: Market, closes: boolean, dialect: Dialect): void {
  const status = statusAt(listing.instrument, now());
  if (status === "offline") throw refused(dialect, "symbolOffline");
  if (status === "online" || status === "gray") return;
  if (status === (closes ? "limitOpen" : "limitClose")) return;
  throw refused(dialect, "symbolHalted");
}

function checkPriceScale(price: Exact, { listing: { grid } }: Market, dialect: Dialect): void {
  if (grid.isPrice(price) && price.gt("0")) return;
  const step = [plain(grid.tickSize)];
  throw refused(dialect, "priceScale", { futures: step, unified: step });
}

/** Checks that a price is on the grid and inside the band around the last price. */
export function checkPrice(terms: Pick<OrderTerms, "side" | "price">, market: Market, last: Exact, dialect: Dialect): void {
  const { price, side } = terms;
  if (price === undefined) return;
  checkPriceScale(price, market, dialect);
  const { instrument } = market.listing;
  const ratio = side === "buy" ? instrument.buyLimitRatio : instrument.sellLimitRatio;
  const percent = plain(exact(ratio).times(HUNDRED));
  const bound = last.times(side === "buy" ? ONE.plus(ratio) : ONE.minus(ratio));
  const fillings = { spot: [plain(bound)], unified: [instrument.symbol, percent] };
  if (side === "buy" && price.gt(bound)) throw refused(dialect, "priceTooHigh", fillings);
  if (side === "sell" && price.lt(bound)) throw refused(dialect, "priceTooLow", fillings);
}

/** Checks a quantity against its step and bounds. */
export function checkQuantity(
  terms: Pick<OrderTerms, "quantity" | "amount" | "orderType">,
  { listing }: Market,
  dialect: Dialect,
): void {
  const { instrument, grid } = listing;
  const { quantity, amount, orderType } = terms;
  const scaled = (value: Exact, places: number) => ({
    spot: ["size", plain(value), String(places)],
    futures: ["size", plain(value), String(places)],
    unified: [String(places)],
  });
  if (amount !== undefined) {
    if (!amount.round(instrument.quotePrecision).eq(amount)) {
      throw refused(dialect, "quantityScale", scaled(amount, instrument.quotePrecision));
    }
    return;
  }
  if (!grid.isQuantity(quantity)) throw refused(dialect, "quantityScale", scaled(quantity, instrument.quantityPrecision));
  if (quantity.lt(instrument.minQuantity)) throw refused(dialect, "quantityTooSmall", { unified: [instrument.minQuantity] });
  const isMarket = orderType === "market" && isFutures(instrument);
  const most = isMarket ? instrument.contract.maxMarketQuantity : instrument.maxQuantity;
  if (quantity.gt(most)) throw refused(dialect, "quantityTooLarge", { unified: [most] });
}

/** Checks the decimals of a trigger price and its limit price. */
export function checkTriggerScale(
  { triggerPrice, limitPrice }: { readonly triggerPrice: Exact; readonly limitPrice?: Exact | undefined },
  market: Market,
  dialect: Dialect,
): void {
  for (const price of [triggerPrice, limitPrice]) if (price !== undefined) checkPriceScale(price, market, dialect);
}

/**
 * Take-profit and stop-loss become active with the opened position, so their prices must be beyond its best possible fill price.
 * On a unified account an order that can only close must not have any.
 */
export function checkTpsl(terms: OrderTerms, market: Market, last: Exact, dialect: Dialect): void {
  const { side, price = last, position } = terms;
  const entry = side === "buy" ? least(price, last) : most(price, last);
  const held = position?.posSide ?? (side === "buy" ? "long" : "short");
  for (const role of ["takeProfit", "stopLoss"] as const) {
    const tpsl = terms[role];
    if (tpsl === undefined) continue;
    checkTriggerScale(tpsl, market, dialect);
    if (!onlyCloses(terms)) {
      if (isReached(tpslTrigger(role, tpsl, held), entry)) throw wrongSide(role, held, dialect);
    } else if (dialect === "unified") {
      throw new Refused(REFUSAL.unifiedTpslOfClosing);
    }
  }
}

/** Checks the minimum value of an order, unless it only closes a position. */
export function checkValue(state: State, terms: OrderTerms, { listing }: Market, last: Exact, dialect: Dialect): void {
  if (onlyCloses(terms)) return;
  const { quoteCoin, minValue } = listing.instrument;
  const value = terms.amount ?? terms.quantity.times(terms.price ?? last);
  if (value.times(usdtPrice(state, quoteCoin)).gte(minValue)) return;
  throw refused(dialect, "valueTooSmall", { spot: [minValue], futures: [minValue], unified: [minValue] });
}

/**
 * Limits the number of open orders, and refuses duplicate client ids. Classic has separate client ids for spot and futures, and
 * on spot the id of an old order is free again.
 */
export function checkOpenOrders(state: State, terms: OrderTerms, { listing }: Market, dialect: Dialect): void {
  const isContract = isFutures(listing.instrument);
  let onSymbol = 0;
  let onProduct = 0;
  for (const order of state.orders.open(terms.uid)) {
    const isBeside = (order.position !== undefined) === isContract;
    const isNamed = dialect === "unified" || (isBeside && (isContract || state.now() - order.createdTime < SPOT_CLIENT_OID_MS));
    if (isNamed && terms.clientOid !== "" && order.clientOid === terms.clientOid) throw refused(dialect, "duplicate");
    if (isBeside) onProduct++;
    if (order.category === terms.category && order.symbol === terms.symbol) onSymbol++;
  }
  if (onSymbol >= listing.instrument.maxOrders || onProduct >= MOST_OPEN_ORDERS) throw refused(dialect, "tooManyOrders");
}
