import { type DecimalText, exact, plain } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import {
  classicFuturesOpenOrders,
  classicFuturesOrderDetail,
  classicSpotOpenOrders,
  classicSpotOrderInfo,
  openOrders,
  orderInfo,
} from "@exchange-graph/contract/orderReads";
import { classicPositions, type Position, positions } from "@exchange-graph/contract/position";
import type { ExchangeAccount } from "../../calls/index.js";
import { everyRow, Fault } from "../../errors/index.js";
import { type RequestReads, readEveryOpenOrder, readOrder, readPositions } from "../../reads/index.js";
import { type MarketView, most } from "./exposure.js";
import { type OpenPlan, PLAN_LISTS, readRiskyPlans } from "./riskyPlans.js";
import type { OpenRisk, PlansSnapshot, RiskSnapshots } from "./usage.js";

export const marketViewOf = (reads: RequestReads, account: ExchangeAccount): MarketView => ({
  quotes: (category, symbol) => orNothing(reads.loaders.marketTicker(category, symbol)),
  usdtPrice: (coin) => orNothing(reads.loaders.usdtPrice(coin)),
  order: (market, ids) => readOrder(reads.afresh(account, ORDERS), account, { ...market, ...ids }),
});

/** The filled quantity of a changed order determines what the change adds, so it is not read from a cache. */
const ORDERS = [orderInfo, classicSpotOrderInfo, classicFuturesOrderDetail].map(({ name }) => name);

/** A price that cannot be read counts as missing: only writes that need it are refused. */
export async function orNothing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

const LISTS = [openOrders, classicSpotOpenOrders, classicFuturesOpenOrders, positions, classicPositions].map(({ name }) => name);

/**
 * The open orders and positions of the user's account, read at `since` or later by the exchange's clock, and its trigger orders,
 * read at `plansSince` or later. Concurrent and subsequent callers share one read. Throws `Fault`.
 */
export function openRisk(
  reads: RequestReads,
  riskSnapshots: RiskSnapshots,
  account: ExchangeAccount,
  user: string,
  since: number,
  plansSince: number,
): Promise<OpenRisk> {
  const previous = riskSnapshots.get(user);
  const requestedAt = reads.now();
  // A snapshot from the future was taken while the exchange's clock was ahead.
  const isRecent = (at: number | undefined, from: number): boolean => at !== undefined && at >= from && at <= requestedAt;
  const plans =
    previous !== undefined && isRecent(previous.plans.requestedAt, plansSince)
      ? previous.plans
      : takePlans(reads, account, requestedAt);
  if (previous !== undefined && plans === previous.plans && isRecent(previous.requestedAt, since)) return previous.risk;
  const taken = { requestedAt, plans, risk: take(reads, account, requestedAt, plans) };
  riskSnapshots.set(user, taken);
  const forget = (): void => {
    if (riskSnapshots.get(user) === taken) riskSnapshots.delete(user);
  };
  taken.risk.catch(forget);
  return taken.risk;
}

function takePlans(request: RequestReads, account: ExchangeAccount, requestedAt: number): PlansSnapshot {
  const reads = request.afresh(account, PLAN_LISTS);
  const rows = readRiskyPlans(reads, account).then((plans) => Promise.all(plans.map((plan) => ofPlan(reads, plan))));
  // Callers that await it get its error; here it must only not stay unhandled.
  void Promise.allSettled([rows]);
  return { requestedAt, rows };
}

async function take(
  request: RequestReads,
  account: ExchangeAccount,
  requestedAt: number,
  plans: PlansSnapshot,
): Promise<OpenRisk> {
  // First: the order of a trigger that is reached meanwhile is in one of the lists.
  const waiting = await plans.rows;
  const reads = request.afresh(account, LISTS);
  // One after the other: an order that is filled in between is in both lists, and never in none.
  const orders = await readEveryOpenOrder(reads, account);
  const held = await readPositions(reads, account, {});
  return {
    requestedAt,
    orders: await Promise.all(
      everyRow(orders)
        .filter(({ isReduceOnly }) => isReduceOnly !== true)
        .map((order) => ofOrder(reads, order)),
    ),
    positions: await Promise.all(everyRow(held).map((position) => ofPosition(reads, position))),
    plans: waiting,
    plansRequestedAt: plans.requestedAt,
  };
}

/** The whole quantity of a trigger order: its list does not show how much of an iceberg or TWAP order is executed. */
async function ofPlan(reads: RequestReads, plan: OpenPlan): Promise<OpenRisk["orders"][number]> {
  const { orderId, clientOid, category, symbol, side, qty, executePrice } = plan;
  if (qty === null) throw unknownQuantity(`the trigger order ${orderId}`);
  const [{ coin, rate }, quotes] = await Promise.all([
    coinsOf(reads, category, symbol),
    reads.loaders.marketTicker(category, symbol),
  ]);
  const { iceberg, oco, triggerPrice } = plan;
  const terms = {
    side: side === null || side === "UNKNOWN" ? undefined : side,
    qty,
    price: executePrice ?? iceberg?.fixedPrice ?? undefined,
    trigger: (side === "sell" ? (oco?.limitPrice ?? triggerPrice) : triggerPrice) ?? undefined,
  };
  return { orderId, clientOid, coin, terms: undefined, ...most(terms, quotes, rate) };
}

async function ofOrder(reads: RequestReads, order: Order): Promise<OpenRisk["orders"][number]> {
  const { orderId, clientOid, category, symbol, side, qty, quoteQty, cumExecQty, price, triggerPrice } = order;
  if (qty === null && quoteQty === null) throw unknownQuantity(`the order ${orderId}`);
  // An unknown filled quantity counts as unfilled.
  const left = exact(qty ?? "0").minus(exact(cumExecQty ?? "0"));
  const [{ coin, rate }, quotes] = await Promise.all([
    coinsOf(reads, category, symbol),
    price !== null && triggerPrice === null ? null : reads.loaders.marketTicker(category, symbol),
  ]);
  const terms = {
    side: side === null || side === "UNKNOWN" ? undefined : side,
    qty: plain(left),
    quoteQty: quoteQty ?? undefined,
    price: price ?? undefined,
    trigger: triggerPrice ?? undefined,
  };
  const isPlaced = side !== null && side !== "UNKNOWN" && qty !== null && price !== null && triggerPrice === null;
  const shown = isPlaced ? { symbol, side, qty, price } : undefined;
  return { orderId, clientOid, coin, terms: shown, ...most(terms, quotes, rate) };
}

async function ofPosition(reads: RequestReads, { category, symbol, qty, markPrice }: Position) {
  if (qty === null) throw unknownQuantity(`the position in ${symbol}`);
  const [{ coin, rate }, ticker] = await Promise.all([
    coinsOf(reads, category, symbol),
    markPrice === null ? reads.loaders.marketTicker(category, symbol) : null,
  ]);
  const price = markPrice ?? ticker?.lastPrice ?? null;
  const held = exact(qty).abs();
  return { coin, qty: held, value: price === null || rate === null ? null : held.times(exact(price)).times(exact(rate)) };
}

/** Limits cannot be checked against an unknown quantity. */
const unknownQuantity = (what: string): Fault =>
  new Fault("EXCHANGE_BAD_RESPONSE", `the exchange does not give the quantity of ${what}; nothing was sent`);

/**
 * The coin of a market, and the price of its quote coin in USDT. An unlisted symbol counts under its own name, and as quoted in
 * USDT.
 */
async function coinsOf(
  reads: RequestReads,
  category: Order["category"],
  symbol: string,
): Promise<{ readonly coin: string; readonly rate: DecimalText | null }> {
  const instrument = await reads.loaders.instrument(category, symbol);
  const quoteCoin = instrument?.quoteCoin ?? "USDT";
  const rate = quoteCoin.toUpperCase() === "USD" ? "1" : await reads.loaders.usdtPrice(quoteCoin);
  return { coin: (instrument?.baseCoin ?? symbol).toUpperCase(), rate };
}
