import { CANDLE_INTERVALS, type Candle, type CandleInterval, candle } from "../candle.js";
import { record } from "../record.js";
import { classicMarket, type Market, unifiedMarket } from "./arguments.js";
import type { Argument, Channel } from "./channel.js";

/** v2 also streams an interval that no REST endpoint has. */
const CLASSIC_STREAMED_INTERVALS = [...CANDLE_INTERVALS, "8H"] as const;
type StreamedInterval = (typeof CLASSIC_STREAMED_INTERVALS)[number];

/** The candles of one interval. Letter case counts: `1m` is a minute, `1M` a month. */
export interface CandleMarket extends Market {
  readonly interval: StreamedInterval;
}

/** v3 streams fewer intervals than it serves over REST. */
export const STREAMED_INTERVALS = [
  "1m",
  "3m",
  "5m",
  "15m",
  "30m",
  "1H",
  "4H",
  "6H",
  "12H",
  "1D",
] as const satisfies readonly CandleInterval[];

const intervalAmong = (intervals: readonly StreamedInterval[], text: string | undefined) => intervals.find((one) => one === text);

// Once per second while there are trades, else once per interval.
const common = { opens: "snapshot", continues: "update", frequency: { spot: 1_000, futures: 1_000 } } as const;

const topic = unifiedMarket("kline");

export const klineChannel: Channel<CandleMarket, Candle> = {
  name: "kline",
  doc: "Candles: up to 500, oldest first, then the running one; at a change of bar the closed one comes along",
  ...topic,
  ...common,
  argument: ({ interval, ...market }) => ({ ...topic.argument(market), interval }),
  parameters: (argument) => withInterval(topic.parameters(argument), intervalAmong(STREAMED_INTERVALS, argument.interval)),
  item: record(candle.fields),
};

const CHANNEL_PREFIX = "candle";

/** The channel's name contains the interval: `candle1m`. Its rows are the REST interface's rows. */
export const classicCandleChannel: Channel<CandleMarket, Candle> = {
  name: "classicCandle",
  doc: "Candles: up to 500, oldest first, then the running one; at a change of bar the closed one comes along",
  apiVersion: "v2",
  access: "public",
  ...common,
  argument: ({ interval, ...market }) => classicMarket(`${CHANNEL_PREFIX}${interval}`).argument(market),
  parameters: (argument) => {
    const interval = intervalAmong(CLASSIC_STREAMED_INTERVALS, intervalText(argument));
    return withInterval(interval && classicMarket(`${CHANNEL_PREFIX}${interval}`).parameters(argument), interval);
  },
  item: candle,
};

const intervalText = ({ channel }: Argument): string | undefined =>
  channel?.startsWith(CHANNEL_PREFIX) ? channel.slice(CHANNEL_PREFIX.length) : undefined;

const withInterval = (market: Market | undefined, interval: StreamedInterval | undefined): CandleMarket | undefined =>
  market === undefined || interval === undefined ? undefined : { ...market, interval };
