import {
  type CANDLE_PRICES,
  candles,
  classicFuturesCandles,
  classicFuturesHistoryCandles,
  classicSpotCandles,
  classicSpotHistoryCandles,
  historyCandles,
} from "@exchange-graph/contract/candle";
import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../refused.js";
import { type Candle, endOf, INTERVALS, type Interval, longestOf } from "../world/market/candles.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import { filledIn, type Handler, open } from "./handler.js";
import { categoryOf, listed } from "./symbols.js";

type CandlePrice = (typeof CANDLE_PRICES)[number];

/** A page of candles. `from` is inclusive, `to` exclusive, both Unix ms. */
interface CandleQuery {
  readonly market: Market;
  readonly interval: string;
  readonly price: CandlePrice;
  readonly from: number | undefined;
  readonly to: number;
  readonly limit: number;
  readonly closedOnly?: boolean;
}

/** The parameters of a Classic call. Its times are inclusive, both Unix ms. */
type ClassicCandleQuery = ParametersOf<typeof classicSpotCandles> & { readonly closedOnly: boolean };
type FuturesCandleQuery = ParametersOf<typeof classicFuturesCandles> & { readonly closedOnly: boolean };

/** Age up to which v3's recent list has candles of a minute. */
const RECENT_MINUTES_MS = 31 * DAY_MS;
const PREMIUM_PLACES = 8;

export function candleHandlers(markets: Markets, now: () => number): readonly Handler[] {
  const classicPage = (market: Market, price: CandlePrice, query: ClassicCandleQuery): readonly Candle[] =>
    page(now(), {
      market,
      price,
      interval: query.granularity,
      from: query.startTime,
      to: (query.endTime ?? now()) + 1,
      limit: filledIn(query.limit),
      closedOnly: query.closedOnly,
    });
  const unifiedPage = (
    { category, symbol, interval, type, limit }: ParametersOf<typeof candles>,
    range: Pick<CandleQuery, "from" | "to" | "closedOnly">,
  ): unknown =>
    page(now(), {
      ...{ market: listed(markets, category, symbol), interval, ...range },
      price: filledIn(type),
      limit: filledIn(limit),
    }).map(row);
  const spotPage = (query: ClassicCandleQuery): unknown => {
    const market = listed(markets, "SPOT", query.symbol);
    const usdt = markets.usdtPrice(market.listing.instrument.quoteCoin);
    return classicPage(market, "market", query).map((candle) => spotRow(candle, usdt));
  };
  const futuresPage = (query: FuturesCandleQuery): unknown =>
    classicPage(listed(markets, categoryOf(query.productType), query.symbol), filledIn(query.kLineType), query).map(row);

  return [
    // After the start, up to and including the end; the running candle is included. Minutes are dropped after a month.
    open(candles, ({ values }) => {
      const oldest = values.interval === "1m" ? now() - RECENT_MINUTES_MS : 0;
      return unifiedPage(values, { from: Math.max((values.startTime ?? -1) + 1, oldest), to: (values.endTime ?? now()) + 1 });
    }),
    // From the start, up to but excluding the end; closed candles only.
    open(historyCandles, ({ values }) =>
      unifiedPage(values, { from: values.startTime, to: values.endTime ?? now(), closedOnly: true }),
    ),
    open(classicSpotCandles, ({ values }) => spotPage({ ...values, closedOnly: false })),
    open(classicSpotHistoryCandles, ({ values }) => spotPage({ ...values, closedOnly: true })),

    open(classicFuturesCandles, ({ values }) => futuresPage({ ...values, closedOnly: false })),
    open(classicFuturesHistoryCandles, ({ values }) => futuresPage({ ...values, closedOnly: true })),
  ];
}

function intervalOf(name: string): Interval {
  const interval = INTERVALS.get(name);
  if (interval === undefined) throw new Refused(REFUSAL.malformedParameter, "interval");
  return interval;
}

/** The newest candles of a range, at most `limit`, oldest first. */
function page(
  now: number,
  { market, interval: name, price, from, to, limit, closedOnly = false }: CandleQuery,
): readonly Candle[] {
  const interval = intervalOf(name);
  const window = { from: Math.max(from ?? 0, to - (limit + 2) * longestOf(interval)), to, now };
  const rows = price === "premium" ? premiums(market, interval, window) : market.candles(interval, window, price);
  return rows.filter(({ start }) => !closedOnly || endOf(interval, start) <= now).slice(-limit);
}

function premiums(market: Market, interval: Interval, window: Parameters<Market["candles"]>[1]): readonly Candle[] {
  const index = market.candles(interval, window, "index");
  return market.candles(interval, window, "market").map((candle, at) => premiumOver(candle, index[at] ?? candle));
}

/** The market's premium over the index, as a fraction. */
function premiumOver(market: Candle, index: Candle): Candle {
  const premium = (price: Exact, base: Exact) => truncated(price.minus(base).div(base), PREMIUM_PLACES);
  return {
    start: market.start,
    open: premium(market.open, index.open),
    high: premium(market.high, index.high),
    low: premium(market.low, index.low),
    close: premium(market.close, index.close),
    volume: exact("0"),
    turnover: exact("0"),
  };
}

const prices = ({ start, open: first, high, low, close, volume }: Candle): readonly string[] => [
  String(start),
  ...[first, high, low, close, volume].map(plain),
];
const row = (candle: Candle): unknown => [...prices(candle), plain(candle.turnover)];
/** Spot has the turnover in USDT before the one in quote coin. */
const spotRow = (candle: Candle, usdt: Exact | undefined): unknown => [
  ...prices(candle),
  plain(candle.turnover.times(usdt ?? exact("0"))),
  plain(candle.turnover),
];
