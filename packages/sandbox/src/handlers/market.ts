import {
  BOOK_STEPS,
  classicFuturesOrderBook,
  classicSpotMergedOrderBook,
  classicSpotOrderBook,
  orderBook,
} from "@exchange-graph/contract/book";
import type { Clock } from "@exchange-graph/contract/clock";
import { type DecimalText, Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { type FUND_FLOW_PERIODS, serverTime, spotFundFlow } from "@exchange-graph/contract/market";
import { classicFuturesTrades, classicSpotTrades, publicTrades } from "@exchange-graph/contract/publicTrade";
import { classicFuturesTicker, classicFuturesTickers, classicSpotTickers, tickers } from "@exchange-graph/contract/ticker";
import { type Flow, fundFlow, INVESTORS } from "../world/fundFlow.js";
import type { PrintedLevel } from "../world/market/depth.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import type { Trade } from "../world/market/tape.js";
import type { Ticker } from "../world/market/ticker.js";
import { filledIn, type Handler, open } from "./handler.js";
import { categoryOf, listed, named } from "./symbols.js";
import { picked, Verbatim } from "./wire/fields.js";
import { type Best, bestOf, classicFigures, delivery, sinceMidnight, unifiedFigures } from "./wire/ticker.js";

/** Default market of a call without a symbol. */
const MAIN_SYMBOL = "BTCUSDT";

const MINUTES = { "15m": 15, "30m": 30, "1h": 60, "2h": 120, "4h": 240, "1d": 1_440 } as const satisfies Readonly<
  Record<(typeof FUND_FLOW_PERIODS)[number], number>
>;

/** The exchange's clock, and flows of money. */
export const marketHandlers = (markets: Markets, clock: Clock): readonly Handler[] => [
  open(serverTime, () => ({ serverTime: String(clock.now()) })),

  open(spotFundFlow, ({ values: { symbol = MAIN_SYMBOL, period } }) => {
    const { bought, sold } = fundFlow(listed(markets, "SPOT", symbol), MINUTES[filledIn(period)], clock.now());
    return { ...flow(bought, "Buy"), ...flow(sold, "Sell") };
  }),
];

/** A side under the keys of each class: `whaleBuyVolume`, `whaleBuyRatio` and so on. */
const flow = (classes: Flow, side: "Buy" | "Sell"): object =>
  Object.fromEntries(
    INVESTORS.flatMap((investor) => [
      [`${investor}${side}Volume`, plain(classes[investor].volume)],
      [`${investor}${side}Ratio`, plain(classes[investor].ratio)],
    ]),
  );

export function tickerHandlers(markets: Markets): readonly Handler[] {
  const each = (found: readonly Market[], render: (market: Market, ticker: Ticker, best: Best) => unknown): unknown =>
    found.map((market) => render(market, market.ticker(markets.tick), bestOf(market.depth(markets.tick, 1))));

  return [
    open(tickers, ({ values }) => each(named(markets, values.category, values.symbol), unified)),
    open(classicSpotTickers, ({ values }) =>
      each(named(markets, "SPOT", values.symbol), (market, ticker, best) => ({
        ...classic(market, ticker, best),
        open: plain(ticker.open24h),
        usdtVolume: usdtVolume(markets, market, ticker),
      })),
    ),
    open(classicFuturesTickers, ({ values }) => each(named(markets, categoryOf(values.productType), undefined), futures)),
    open(classicFuturesTicker, ({ values }) => each([listed(markets, categoryOf(values.productType), values.symbol)], futures)),
  ];
}

const usdtVolume = (markets: Markets, { listing }: Market, { turnover24h }: Ticker): string =>
  plain(turnover24h.times(markets.usdtPrice(listing.instrument.quoteCoin) ?? exact("0")));

const unified = ({ listing: { instrument } }: Market, ticker: Ticker, best: Best): unknown => ({
  ...picked(instrument, "category", "symbol"),
  ...unifiedFigures(instrument, ticker, best),
  ts: String(ticker.at),
});

const classic = ({ listing }: Market, ticker: Ticker, best: Best) => ({
  symbol: listing.instrument.symbol,
  ...classicFigures(ticker, best),
  changeUtc24h: sinceMidnight(ticker),
});

/** The turnover of futures is in US dollars, for every settlement coin. */
const futures = (market: Market, ticker: Ticker, best: Best): unknown => ({
  ...classic(market, ticker, best),
  usdtVolume: plain(ticker.turnover24h),
  open24h: plain(ticker.open24h),
  ...delivery(market.listing.instrument, ticker.at),
});

const MOST = 100;

export function publicTradeHandlers(markets: Markets): readonly Handler[] {
  const latest = (market: Market, limit: number | undefined): readonly Trade[] =>
    market.trades(markets.tick, Math.min(limit ?? MOST, MOST));
  const classic = (market: Market, limit: number | undefined): unknown =>
    latest(market, limit).map((trade) => classicTrade(market, trade));

  return [
    open(publicTrades, ({ values }) =>
      latest(listed(markets, values.category, values.symbol), values.limit).map((trade) => ({
        ...picked(trade, "execId", "execLinkId", "side"),
        price: plain(trade.price),
        size: plain(trade.quantity),
        ts: String(trade.at),
        isRPI: "no",
      })),
    ),
    open(classicSpotTrades, ({ values }) => classic(listed(markets, "SPOT", values.symbol), values.limit)),
    open(classicFuturesTrades, ({ values }) =>
      classic(listed(markets, categoryOf(values.productType), values.symbol), values.limit),
    ),
  ];
}

/** v2, a public trade. */
export const classicTrade = ({ listing }: Market, { execId, price, quantity, side, at }: Trade) => ({
  tradeId: execId,
  price: plain(price),
  size: plain(quantity),
  side,
  ts: String(at),
  symbol: listing.instrument.symbol,
});

/** Default number of levels of a merged book, and the maximum. */
const MERGED_DEFAULT = 100;
const MERGED_MOST = 500;

export const bookHandlers = (markets: Markets): readonly Handler[] => [
  open(orderBook, ({ values }) => {
    const { asks, bids, at } = listed(markets, values.category, values.symbol).depth(markets.tick, values.limit);
    return { a: asks.slice(0, values.limit), b: bids.slice(0, values.limit), ts: String(at) };
  }),

  open(classicSpotOrderBook, ({ values }) => {
    const market = listed(markets, "SPOT", values.symbol);
    const { asks, bids, at } = market.depth(markets.tick);
    const step = stepOf(market, BOOK_STEPS.indexOf(filledIn(values.type)));
    return {
      asks: merged(asks, step, Exact.roundUp).slice(0, values.limit),
      bids: merged(bids, step, Exact.roundDown).slice(0, values.limit),
      ts: String(at),
    };
  }),

  open(classicSpotMergedOrderBook, ({ values }) => mergedBook(listed(markets, "SPOT", values.symbol), markets.tick, values)),

  open(classicFuturesOrderBook, ({ values }) => {
    const market = listed(markets, categoryOf(values.productType), values.symbol);
    const { asks, bids, ...rest } = mergedBook(market, markets.tick, values);
    return new Verbatim(`{"asks":${bareLevels(asks)},"bids":${bareLevels(bids)},${JSON.stringify(rest).slice(1)}`);
  }),
];

/** A book in coarser steps, with the requested number of levels. */
function mergedBook(
  market: Market,
  tick: number,
  { precision, limit }: { readonly precision?: string | undefined; readonly limit?: string | undefined },
) {
  const { asks, bids, at } = market.depth(tick);
  const scale = filledIn(precision);
  const step = stepOf(market, Number.parseInt(scale.slice(-1), 10));
  const levels = levelsOf(limit);
  return {
    asks: merged(asks, step, Exact.roundUp).slice(0, levels),
    bids: merged(bids, step, Exact.roundDown).slice(0, levels),
    ts: String(at),
    scale: plain(step),
    precision: scale,
    isMaxPrecision: scale === "scale0" ? "YES" : "NO",
  };
}

function levelsOf(limit: string | undefined): number {
  if (limit === undefined) return MERGED_DEFAULT;
  return limit === "max" ? MERGED_MOST : Number.parseInt(limit, 10);
}

/** The price step of a precision: each one is ten times the one before. */
const stepOf = ({ listing }: Market, coarseness: number): Exact =>
  listing.grid.tickSize.times(exact(`1${"0".repeat(coarseness)}`));

/** Levels on a coarser grid, each rounded away from the middle of the book. */
function merged(levels: readonly PrintedLevel[], step: Exact, rounding: 0 | 3): readonly PrintedLevel[] {
  const sizes = new Map<DecimalText, Exact>();
  for (const [price, size] of levels) {
    const level = plain(exact(price).div(step).round(0, rounding).times(step));
    sizes.set(level, (sizes.get(level) ?? exact("0")).plus(exact(size)));
  }
  return [...sizes].map(([price, size]) => [price, plain(size)]);
}

/** The levels of a merged futures book are bare JSON numbers, with all digits. */
const bareLevels = (levels: readonly PrintedLevel[]): string =>
  `[${levels.map(([price, size]) => `[${price},${size}]`).join(",")}]`;
