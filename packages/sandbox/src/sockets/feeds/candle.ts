import { classicCandleChannel, klineChannel } from "@exchange-graph/contract/channels/candle";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { type Candle, INTERVALS, type Interval, longestOf, startOf } from "../../world/market/candles.js";
import { timeOf } from "../../world/market/listing.js";
import type { Market } from "../../world/market/market.js";
import type { Markets } from "../../world/market/markets.js";
import { type MarketSource, marketFeed, type TopicFeed } from "./topicFeed.js";

/** Number of candles in the first snapshot of a subscription. */
const OPENING_BARS = 500;

/** The candle channels of both API versions. */
export const candleFeeds = (markets: Markets): readonly TopicFeed[] => [
  marketFeed(markets, klineChannel, (market, { interval }) => new Candles(market, markets, intervalOf(interval), unified)),
  marketFeed(
    markets,
    classicCandleChannel,
    (market, { interval }) =>
      new Candles(market, markets, intervalOf(interval), (candle) => classic(candle, usdtTurnover(market, markets, candle))),
  ),
];

function intervalOf(name: string): Interval {
  const interval = INTERVALS.get(name);
  if (interval === undefined) throw new RangeError(`there are no candles of ${name}`);
  return interval;
}

/** The candles so far, then the running one as it changes; when a candle closes, it is pushed with the next one. */
class Candles implements MarketSource {
  /** Time of the state, Unix ms. */
  #at: number;
  /** Start of the running candle, Unix ms. */
  #start: number;
  #running: string;

  constructor(
    private readonly market: Market,
    private readonly markets: Markets,
    private readonly interval: Interval,
    private readonly render: (candle: Candle) => unknown,
  ) {
    this.#at = timeOf(markets.tick);
    this.#start = startOf(interval, this.#at);
    this.#running = this.#written(this.#bars(this.#start));
  }

  opening(): string {
    return this.#written(this.#bars(this.#start - OPENING_BARS * longestOf(this.interval)).slice(-OPENING_BARS));
  }

  advance(): string | undefined {
    this.#at = timeOf(this.markets.tick);
    const bars = this.#bars(this.#start);
    const present = this.#written(bars);
    if (present === this.#running) return undefined;
    this.#start = bars.at(-1)?.start ?? this.#start;
    this.#running = this.#written(bars.slice(-1));
    return present;
  }

  #bars(from: number): readonly Candle[] {
    return this.market.candles(this.interval, { from, to: this.#at + 1, now: this.#at });
  }

  #written(bars: readonly Candle[]): string {
    return JSON.stringify(bars.map(this.render));
  }
}

const unified = ({ start, open, high, low, close, volume, turnover }: Candle): unknown => ({
  start: String(start),
  open: plain(open),
  close: plain(close),
  high: plain(high),
  low: plain(low),
  volume: plain(volume),
  turnover: plain(turnover),
});

const classic = ({ start, open, high, low, close, volume, turnover }: Candle, usdt: Exact): unknown => [
  String(start),
  ...[open, high, low, close, volume, turnover, usdt].map(plain),
];

/** The turnover of futures is already in US dollars. */
function usdtTurnover({ listing }: Market, markets: Markets, { turnover }: Candle): Exact {
  const { category, quoteCoin } = listing.instrument;
  return category === "SPOT" ? turnover.times(markets.usdtPrice(quoteCoin) ?? exact("0")) : turnover;
}
