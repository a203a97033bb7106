import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Outcome } from "../../../instrumentation/events.js";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import type { CallEnd, OperationRecording } from "../../../instrumentation/operationRecording.js";
import {
  type Answer,
  Breaker,
  type BreakerState,
  counterOf,
  EXCHANGE_FAILURES,
  ExchangeAnswered,
  type ExchangeClient,
  isExchangeFailure,
  type KnownUsers,
  type Permit,
  type Priority,
  type Requester,
  type Scheduler,
  type SendTerms,
  TransportFailure,
} from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { CacheEntry, Fresh, TopicOwner, Version } from "../cache/cacheStore.js";
import type { SharedCache } from "../cache/sharedCache.js";
import type { Call } from "./call.js";
import type { Trace } from "./trace.js";

/** The outcome of a call that was not sent. */
export const unsentBecause = (error: unknown): Outcome =>
  error instanceof Fault && error.code === "RATE_LIMITED" ? "limited" : "abandoned";

/** The outcome of a call that was sent and threw. */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Fault) || EXCHANGE_FAILURES.has(error.code)) return "failed";
  return error.code === "RATE_LIMITED" ? "throttled" : "refused";
}

/** Whether a request may still arrive at the exchange, and be counted, although its wait has ended. */
export const isUnderWay = (error: unknown): boolean =>
  error instanceof Fault && error.cause instanceof TransportFailure && error.cause.kind === "timeout";

export type Ending = Pick<CallEnd, "status" | "error">;

/** The HTTP status and the code of a failed call. */
export const endingOf = (error: unknown): Ending => ({
  status: error instanceof Fault && error.cause instanceof ExchangeAnswered ? error.cause.status : undefined,
  error: error instanceof Fault ? error.code : "INTERNAL_SERVER_ERROR",
});

/** Maximum number of attempts, and the base of the jittered pause between them. */
const TRIES = 3;
const PAUSE_MS = 150;
/** Maximum time for which a read without an answer holds its slot, in ms. */
const LATE_MS = 5_000;

/** The answer of a read, and its source. */
export interface Fetched extends CacheEntry {
  readonly waitMs: number;
  /** Whether another replica had it. */
  readonly isFound: boolean;
}

interface FetchOptions {
  readonly priority: Priority;
  readonly trace: Trace | undefined;
  readonly requester: Requester;
  /** Maximum time for waiting and retries, in ms. */
  readonly withinMs: number;
  /** Lifetime of its answer in the cache. Default: not cached. */
  readonly lifetime?: CacheLifetime | undefined;
  /** Called when it is sent, once for each attempt. */
  readonly leave?: (() => void) | undefined;
}

/** A breaker that is not closed, with its account; undefined for a public endpoint. */
export interface OpenBreaker {
  readonly endpoint: string;
  readonly account: TopicOwner;
  readonly state: BreakerState;
}

interface UpstreamParts {
  readonly client: ExchangeClient;
  readonly cache: SharedCache;
  readonly scheduler: Scheduler;
  readonly knownUsers: Pick<KnownUsers, "idOf">;
  readonly clock: Clock;
  /** Between 0 and 1; jitter of retries. */
  readonly random: () => number;
  readonly instrumentation: Instrumentation;
  /** Timeout of an answer after its call was sent, in ms. */
  readonly answerMs: number;
}

/** The upstream part of a read: breaker, rate budget, the exchange's answer, and retries. */
export class UpstreamReads {
  /** By endpoint, and by account for private endpoints: bounded by the contract and the settings. */
  readonly #breakers = new Map<string, { readonly breaker: Breaker; readonly endpoint: string; readonly account: TopicOwner }>();

  constructor(private readonly parts: UpstreamParts) {}

  /** Breakers that are not closed. */
  breakers(): OpenBreaker[] {
    return [...this.#breakers.values()]
      .map(({ endpoint, account, breaker }) => ({ endpoint, account, state: breaker.state }))
      .filter(({ state }) => state !== "CLOSED");
  }

  /** Drops the state of an owner that was removed, or has another key. */
  forget(owner: string): void {
    for (const [topic, { account }] of this.#breakers) if (account === owner) this.#breakers.delete(topic);
  }

  /** Fetches, with retries where they may help. The answer is cached if it has a lifetime. Throws `Fault`. */
  async fetch<P extends ParameterSet, D>(call: Call<P, D>, options: FetchOptions): Promise<Fetched> {
    const { clock, cache, client } = this.parts;
    const { endpoint, values, account, owner, topic, key } = call;
    const { lifetime, withinMs } = options;
    const breaker = this.#breaker(endpoint.name, owner, topic);
    const deadlineAt = clock.now() + withinMs;
    let cause: unknown;
    for (let tries = 1; ; tries++) {
      const attempt = new Attempt(this.parts, call, options, breaker, deadlineAt, tries - 1);
      let fetched: Fetched & Fresh;
      try {
        const answerBy = attempt.leave(await attempt.begin());
        fetched = attempt.answered(await client.call(endpoint, values, account, answerBy, attempt));
      } catch (error) {
        attempt.failed(error);
        // If the retry was not sent, the error of the attempt before it is thrown.
        if (cause !== undefined && !attempt.hasLeft) throw cause;
        const pause = this.#pauseAfter(error, tries);
        if (tries === TRIES || pause === undefined || clock.now() + pause >= deadlineAt) throw error;
        cause = error;
        await new Promise<void>((resolve) => clock.after(pause, resolve));
        continue;
      }
      if (lifetime !== undefined) cache.set(topic, key, fetched, lifetime);
      return fetched;
    }
  }

  /** Pause before the next attempt; undefined if a retry does not help. A call refused for its rate waits for its budget. */
  #pauseAfter(error: unknown, attempt: number): number | undefined {
    const spread = 0.5 + this.parts.random();
    if (isExchangeFailure(error)) return PAUSE_MS * 2 ** (attempt - 1) * spread;
    const { retryAfterMs = undefined, exchange = undefined } = error instanceof Fault ? error.extensions : {};
    return exchange === undefined || retryAfterMs === undefined ? undefined : retryAfterMs + PAUSE_MS * spread;
  }

  /** The endpoint's breaker. Each account has its own, so that problems of one account do not affect others. */
  #breaker(endpoint: string, account: TopicOwner, topic: string): Breaker {
    const existing = this.#breakers.get(topic);
    if (existing !== undefined) return existing.breaker;
    const breaker = new Breaker(endpoint, this.parts.clock);
    this.#breakers.set(topic, { breaker, endpoint, account });
    return breaker;
  }
}

/** One attempt of a read: its breaker, its slots of the rate budget, and what is published about it. */
class Attempt<P extends ParameterSet, D> implements Pick<SendTerms, "beforeResend"> {
  hasLeft = false;
  #hasEntered = false;
  #permit: Permit | undefined;
  #waitMs = 0;
  #requestedAt = 0;
  #version: Version = 0;
  #recorded: ReturnType<OperationRecording["calling"]>;

  constructor(
    private readonly parts: UpstreamParts,
    private readonly call: Call<P, D>,
    private readonly options: FetchOptions,
    private readonly breaker: Breaker,
    private readonly deadlineAt: number,
    private resends: number,
  ) {}

  /** Passes the breaker, and waits for a slot. */
  begin(): Promise<Permit> {
    this.breaker.enter();
    this.#hasEntered = true;
    return this.#acquire();
  }

  /** The call leaves with its slot. Returns the deadline of its answer, Unix ms. */
  leave(permit: Permit): number {
    const { clock, cache } = this.parts;
    const { trace, leave } = this.options;
    this.#take(permit);
    this.#requestedAt = clock.now();
    this.#version = cache.version(this.call.topic);
    this.#recorded = trace?.recording?.calling(this.call.endpoint.name);
    this.hasLeft = true;
    leave?.();
    trace?.called();
    return this.#answerBy();
  }

  /** The exchange counts each sending, so each takes its own slot. */
  async beforeResend(): Promise<number> {
    this.#settle();
    this.#take(await this.#acquire());
    this.resends++;
    this.options.trace?.called();
    return this.#answerBy();
  }

  answered({ data, unread, body, decode, remaining, status }: Answer<D>): Fetched & Fresh {
    this.#settle({ remaining });
    this.breaker.leave("answered");
    this.#observe("ok", { status });
    const [requestedAt, version, waitMs] = [this.#requestedAt, this.#version, this.#waitMs];
    return { value: data, isWhole: unread.length === 0, body, decode, requestedAt, version, waitMs, isFound: false };
  }

  failed(error: unknown): void {
    const { clock, instrumentation } = this.parts;
    if (!this.hasLeft) {
      const outcome = this.#hasEntered ? unsentBecause(error) : "withheld";
      if (this.#hasEntered) this.breaker.leave("unsent");
      instrumentation.upstreamCall.publish({ endpoint: this.call.endpoint.name, outcome });
      return;
    }
    // Without a slot it was not sent again.
    const outcome = this.#permit === undefined ? unsentBecause(error) : outcomeOf(error);
    // The request may still arrive: its slot is held for as long again as the call has taken.
    if (isUnderWay(error)) clock.after(Math.min(clock.now() - this.#requestedAt, LATE_MS), () => this.#settle());
    else this.#settle({ refused: outcome === "throttled" });
    this.breaker.leave({ error });
    this.#observe(outcome, endingOf(error));
  }

  #acquire(): Promise<Permit> {
    const { scheduler, knownUsers } = this.parts;
    const { endpoint, account } = this.call;
    const { priority, requester } = this.options;
    const { counter, rate } = counterOf(endpoint, account, knownUsers);
    return scheduler.acquire(endpoint.name, counter, rate, priority, this.deadlineAt, requester);
  }

  #take(permit: Permit): void {
    this.#permit = permit;
    this.#waitMs += permit.waitedMs;
  }

  #settle(outcome?: Parameters<Permit["settle"]>[0]): void {
    this.#permit?.settle(outcome);
    this.#permit = undefined;
  }

  #answerBy(): number {
    return Math.min(this.deadlineAt, this.parts.clock.now() + this.parts.answerMs);
  }

  #observe(outcome: Outcome, end: Ending): void {
    const { clock, instrumentation } = this.parts;
    const waitMs = this.#waitMs;
    this.#recorded?.({ outcome, waitMs, resends: this.resends, ...end });
    if (!instrumentation.upstreamCall.hasSubscribers) return;
    const timing = { waitMs, tookMs: clock.now() - this.#requestedAt };
    instrumentation.upstreamCall.publish({ endpoint: this.call.endpoint.name, outcome, timing, operation: this.options.trace });
  }
}
