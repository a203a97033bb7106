import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Outcome } from "../../../instrumentation/events.js";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import type { CallEnd } from "../../../instrumentation/operationRecording.js";
import {
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
  TransportFailure,
} from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { TopicOwner } from "../cache/cacheKeys.js";
import type { CacheEntry, Fresh } from "../cache/cacheStore.js";
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

/** The HTTP status and the error of a call that has ended. */
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

/** Options of a call. */
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

/** The upstream part of a read: breaker, rate budget, the exchange's answer, and retries. */
export class UpstreamReads {
  /** By endpoint, and by account for private endpoints: bounded by the contract and the settings. */
  readonly #breakers = new Map<string, { readonly breaker: Breaker; readonly endpoint: string; readonly account: TopicOwner }>();

  constructor(
    private readonly parts: {
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
    },
  ) {}

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
    const { clock, cache } = this.parts;
    const { lifetime, leave, withinMs } = options;
    const { topic, key } = call;
    const deadlineAt = clock.now() + withinMs;
    let cause: unknown;
    for (let attempt = 1; ; attempt++) {
      let hasLeft = false;
      const depart = () => {
        hasLeft = true;
        leave?.();
      };
      let fetched: Fetched & Fresh;
      try {
        fetched = await this.#once(call, options, deadlineAt, depart, attempt - 1);
      } catch (error) {
        // If the retry was not sent, the error of the attempt before it is thrown.
        if (cause !== undefined && !hasLeft) throw cause;
        const pause = this.#pauseAfter(error, attempt);
        if (attempt === TRIES || pause === undefined || clock.now() + pause >= deadlineAt) throw error;
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

  async #once<P extends ParameterSet, D>(
    { endpoint, values, account, owner, topic }: Call<P, D>,
    { priority, trace, requester }: FetchOptions,
    deadlineAt: number,
    depart: () => void,
    retries: number,
  ): Promise<Fetched & Fresh> {
    const { client, cache, scheduler, knownUsers, clock, instrumentation, answerMs } = this.parts;
    const { upstreamCall } = instrumentation;
    const { counter, rate } = counterOf(endpoint, account, knownUsers);
    const breaker = this.#enter(endpoint.name, owner, topic);
    const acquire = () => scheduler.acquire(endpoint.name, counter, rate, priority, deadlineAt, requester);
    let permit: Permit | undefined;
    try {
      permit = await acquire();
    } catch (error) {
      breaker.leave("unsent");
      upstreamCall.publish({ endpoint: endpoint.name, outcome: unsentBecause(error) });
      throw error;
    }
    const answerBy = () => Math.min(deadlineAt, clock.now() + answerMs);
    let waitMs = permit.waitedMs;
    let resends = retries;
    const settle = (outcome?: Parameters<Permit["settle"]>[0]): void => {
      permit?.settle(outcome);
      permit = undefined;
    };
    // The exchange counts each attempt, so each takes its own slot.
    const beforeResend = async (): Promise<number> => {
      settle();
      permit = await acquire();
      waitMs += permit.waitedMs;
      resends++;
      trace?.called();
      return answerBy();
    };
    const requestedAt = clock.now();
    const version = cache.version(topic);
    const recorded = trace?.recording?.calling(endpoint.name);
    const observe = (outcome: Outcome, end: Ending): void => {
      recorded?.({ outcome, waitMs, resends, ...end });
      if (!upstreamCall.hasSubscribers) return;
      const timing = { waitMs, tookMs: clock.now() - requestedAt };
      upstreamCall.publish({ endpoint: endpoint.name, outcome, timing, operation: trace });
    };
    depart();
    trace?.called();
    try {
      const answer = await client.call(endpoint, values, account, answerBy(), { beforeResend });
      const { data, unread, body, again, text, remaining, status } = answer;
      settle({ remaining });
      breaker.leave("answered");
      observe("ok", { status });
      const isWhole = unread.length === 0;
      return { value: data, isWhole, body, again, text, requestedAt, version, waitMs, isFound: false };
    } catch (error) {
      // Without a slot it was not sent again.
      const outcome = permit === undefined ? unsentBecause(error) : outcomeOf(error);
      // The request may still arrive: its slot is held for as long again as the call has taken.
      if (isUnderWay(error)) clock.after(Math.min(clock.now() - requestedAt, LATE_MS), () => settle());
      else settle({ refused: outcome === "throttled" });
      breaker.leave({ error });
      observe(outcome, endingOf(error));
      throw error;
    }
  }

  /** Passes the endpoint's breaker. Each account has its own, so that problems of one account do not affect others. */
  #enter(endpoint: string, account: TopicOwner, topic: string): Breaker {
    const breaker = this.#breaker(endpoint, account, topic);
    try {
      breaker.enter();
    } catch (error) {
      this.parts.instrumentation.upstreamCall.publish({ endpoint, outcome: "withheld" });
      throw error;
    }
    return breaker;
  }

  #breaker(endpoint: string, account: TopicOwner, topic: string): Breaker {
    const existing = this.#breakers.get(topic);
    if (existing !== undefined) return existing.breaker;
    const breaker = new Breaker(endpoint, this.parts.clock);
    this.#breakers.set(topic, { breaker, endpoint, account });
    return breaker;
  }
}
