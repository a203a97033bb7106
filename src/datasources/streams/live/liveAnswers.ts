import { orderBook } from "@exchange-graph/contract/book";
import { candles } from "@exchange-graph/contract/candle";
import type { Market } from "@exchange-graph/contract/channels/arguments";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { ExchangeAccount } from "../../calls/index.js";
import { type Fault, growingLru } from "../../errors/index.js";
import type { Call, LiveAnswer, LiveAnswers } from "../../reads/index.js";
import type { Depth } from "../book/orderBook.js";
import type { Unlisten } from "../listening.js";
import type { MarketTopics } from "../marketTopics.js";
import type { LiveKind } from "../state/kinds.js";
import type { Keeper } from "./keeper.js";
import type { LiveAccounts } from "./liveAccounts.js";
import { isOf, type LiveEndpoint, liveEndpoints } from "./liveEndpoints.js";

/** Numbers of answered and missed reads of one kind. */
export interface AnswerCount<K> {
  readonly kind: K;
  readonly answered: number;
  readonly missed: number;
}

/** Numbers of answered and missed reads by kind. */
class AnswerCounts<K> {
  readonly #counts = new Map<K, { answered: number; missed: number }>();

  get all(): readonly AnswerCount<K>[] {
    return [...this.#counts].map(([kind, counts]) => ({ kind, ...counts }));
  }

  add(kind: K, isAnswered: boolean): void {
    const counts = this.#counts.get(kind) ?? { answered: 0, missed: 0 };
    this.#counts.set(kind, counts);
    if (isAnswered) counts.answered++;
    else counts.missed++;
  }
}

/** Maximum number of answers kept until their state changes, so that equal calls share one object. */
const MAX_ANSWERS = 2_000;

/** Answers calls from the state of accounts, while that is proven. */
export class AccountAnswers implements Pick<LiveAnswers, "answer"> {
  readonly #answers = growingLru<{ readonly version: object; readonly value: unknown }>(MAX_ANSWERS);
  readonly counts = new AnswerCounts<LiveKind>();

  constructor(
    private readonly states: LiveAccounts,
    private readonly keeper: Pick<Keeper<ExchangeAccount, LiveKind>, "used">,
    /** Whether this replica may rely on having received the notices of the others' writes. */
    private readonly isConfirmed: () => boolean,
  ) {}

  answer<P extends ParameterSet, D>(call: Call<P, D>): LiveAnswer | undefined {
    const { account, endpoint } = call;
    const live = liveEndpoints.get(endpoint.name);
    if (live === undefined || account === undefined) return undefined;
    const { kind } = live;
    this.keeper.used(account, kind);
    const part = live.partOf(call);
    const versionNow = () => (this.isConfirmed() ? this.states.versionOf(account.name, live, endpoint.serves, part) : undefined);
    const version = versionNow();
    const value = version === undefined ? undefined : this.#valueOf(call, account.name, live, version);
    this.counts.add(kind, value !== undefined);
    if (value === undefined) {
      this.states.missed(account.name, live);
      return undefined;
    }
    const holds = () => versionNow() === version;
    const ageMs = this.states.ageOf(account.name, live, part);
    const comparedAt = this.states.comparedAtOf(account.name, live, part);
    return { value, ageMs, comparedAt, validity: { holds, isDropped: () => !holds() } };
  }

  #valueOf<P extends ParameterSet, D>(call: Call<P, D>, account: string, live: LiveEndpoint, version: object): unknown {
    const cached = this.#answers.get(call.key);
    if (cached?.version === version) return cached.value;
    const value = live.answer(call, this.states.provenOf(account));
    if (value !== undefined) this.#answers.set(call.key, { version, value });
    return value;
  }
}

/** A dead connection is detected late; data without an update for this long is read instead, even in a quiet market. */
const MAX_AGE_MS = 5_000;

/** The kinds of market data that queries are answered from, by the names of their subscriptions. */
export type MarketKind = "ticker" | "orderBook" | "candles";

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
    private readonly keeper: Pick<Keeper<MarketSubject, MarketKind>, "used">,
    /** The exchange's time, Unix ms. */
    private readonly now: () => number,
  ) {}

  ticker({ category, symbol: name }: Market): (LiveAnswer & { readonly value: Ticker }) | undefined {
    const market = { category, symbol: inCapitals(name) };
    this.keeper.used({ name: named(market), listen: (topics, failed) => topics.ticker(market, quiet(failed)) }, "ticker");
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
    this.keeper.used(subject, "orderBook");
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
    this.keeper.used(subject, "candles");
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
