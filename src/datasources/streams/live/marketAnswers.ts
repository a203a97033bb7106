import { orderBook } from "@exchange-graph/contract/book";
import { candles } from "@exchange-graph/contract/candle";
import type { Market } from "@exchange-graph/contract/channels/arguments";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { Fault } from "../../errors/index.js";
import type { Call, LiveAnswer } from "../../reads/index.js";
import type { Depth } from "../book/orderBook.js";
import type { Unlisten } from "../listening.js";
import type { MarketTopics } from "../marketTopics.js";
import { AnswerCounts } from "./answerCounts.js";
import type { Keeper } from "./keeper.js";
import type { MarketKind } from "./marketKinds.js";

/** A dead connection is detected late; data without an update for this long is read instead, even in a quiet market. */
const MAX_AGE_MS = 5_000;

/** Market data that can be kept live. */
export interface MarketSubject {
  /** Identifies it among the others of its kind. */
  readonly name: string;
  listen(market: MarketTopics, failed: (why: Fault) => void): Unlisten;
}

const DEPTHS = [1, 5, 15, 50] as const;
/** Levels without a limit. */
const DEFAULT_LEVELS = 5;
const DEFAULT_CANDLES = 100;

const quiet = (failed: (why: Fault) => void) => ({ next: () => undefined, failed });

/** Answers queries of market data from live streams. A stream without recent pushes is not used. */
export class MarketAnswers {
  readonly counts = new AnswerCounts<MarketKind>();

  constructor(
    private readonly market: MarketTopics,
    private readonly keeper: Pick<Keeper<MarketSubject, MarketKind>, "asked">,
    /** The exchange's time, Unix ms. */
    private readonly now: () => number,
  ) {}

  /** A symbol's ticker. */
  ticker({ category, symbol: name }: Market): (LiveAnswer & { readonly value: Ticker }) | undefined {
    const market = { category, symbol: inCapitals(name) };
    this.keeper.asked({ name: named(market), listen: (topics, failed) => topics.ticker(market, quiet(failed)) }, "ticker");
    const current = () => this.market.liveTicker(market);
    const value = current();
    // A ticker without a time may have any age.
    const isKnown = value !== undefined && value.time !== null && this.#isNew(value.time);
    this.counts.add("ticker", isKnown);
    if (!isKnown) return undefined;
    const { validity } = this.#answer(value.time ?? 0, () => current() === value);
    return { value, ageMs: Math.max(0, this.now() - (this.market.tickerKnownUntil(market) ?? value.time ?? 0)), validity };
  }

  answer<P extends ParameterSet, D>(call: Call<P, D>): LiveAnswer | undefined {
    if (isOf(call, orderBook)) return this.#book(call.values);
    return isOf(call, candles) ? this.#candles(call.values) : undefined;
  }

  #book({ category, symbol, limit = DEFAULT_LEVELS }: Call<typeof orderBook.parameters, unknown>["values"]) {
    const market = { category, symbol: inCapitals(symbol) };
    const depth: Depth = DEPTHS.find((step) => step >= limit) ?? "full";
    const subject = {
      name: `${named(market)} ${depth}`,
      listen: (topics: MarketTopics, failed: (why: Fault) => void) => topics.orderBook(market, { depth }, quiet(failed)),
    };
    this.keeper.asked(subject, "orderBook");
    const book = this.market.liveBook(market, { depth });
    // A side that is limited to its proven levels may be shorter than the market's.
    const isKnown = book !== undefined && this.#isNew(book.time) && book.asks.length >= limit && book.bids.length >= limit;
    this.counts.add("orderBook", isKnown);
    if (!isKnown) return undefined;
    const { asks, bids, time, seq } = book;
    const value = { asks: asks.slice(0, limit), bids: bids.slice(0, limit), time };
    return { value, ...this.#answer(time, () => this.market.liveBook(market, { depth })?.seq === seq && seq !== null) };
  }

  #candles({
    category,
    symbol,
    interval,
    type = "market",
    endTime,
    startTime,
    limit = DEFAULT_CANDLES,
  }: Call<typeof candles.parameters, unknown>["values"]) {
    if (type !== "market" || endTime !== undefined || startTime !== undefined) return undefined;
    const market = { category, symbol: inCapitals(symbol), interval };
    const subject = {
      name: `${named(market)} ${interval}`,
      listen: (topics: MarketTopics, failed: (why: Fault) => void) => topics.candles(market, quiet(failed)),
    };
    this.keeper.asked(subject, "candles");
    const current = () => this.market.liveCandles(market);
    const kept = current();
    const isKnown = kept !== undefined && this.#isNew(kept.time) && kept.value.length >= limit;
    this.counts.add("candles", isKnown);
    if (!isKnown) return undefined;
    return { value: kept.value.slice(-limit), ...this.#answer(kept.time, () => current()?.value === kept.value) };
  }

  #isNew(time: number): boolean {
    return this.now() - time <= MAX_AGE_MS;
  }

  /** Its age is that of its data, and it is valid while that is the newest. */
  #answer(time: number, isCurrent: () => boolean) {
    const holds = () => isCurrent() && this.#isNew(time);
    return { ageMs: Math.max(0, this.now() - time), validity: { holds, isDropped: () => false } };
  }
}

const named = ({ category, symbol }: Market): string => `${category} ${symbol}`;

/** Narrows a call to the endpoint with its name. */
const isOf = <P extends ParameterSet, D>(
  call: { readonly endpoint: Pick<Endpoint, "name"> },
  endpoint: Endpoint<P, D>,
): call is Call<P, D> => call.endpoint.name === endpoint.name;
