import type { Clock } from "@exchange-graph/contract/clock";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Outcome } from "../../instrumentation/events.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Owner } from "../cache/cacheKey.js";
import type { SharedCache } from "../cache/sharedCache.js";
import type { ExchangeClient } from "../exchange/client.js";
import { Fault } from "../fault.js";
import type { Entry, Fresh } from "../ports/cacheStore.js";
import { counterOf } from "../scheduler/counterOf.js";
import type { Requester } from "../scheduler/requester.js";
import type { Permit, Scheduler } from "../scheduler/scheduler.js";
import type { Priority } from "../scheduler/waitingLine.js";
import { Breaker, type BreakerState, isExchangeFailure } from "./breaker.js";
import type { Call } from "./call.js";
import type { Trace } from "./trace.js";
import { isUnderWay, outcomeOf, unsentBecause } from "./traffic.js";

/** How often a read is tried, and the base of the jittered pause between tries. */
const TRIES = 3;
const PAUSE_MS = 150;
/** A read that was given up on keeps its slot, and rests it only then, for as long as it took, and this at most. */
const LATE_MS = 5_000;

/** An answer to a read, and how it came. */
export interface Fetched extends Entry {
  readonly waitMs: number;
  /** Did another replica have it? */
  readonly isFound: boolean;
}

/** How a call waits and leaves. */
interface Asking {
  readonly priority: Priority;
  readonly trace: Trace | undefined;
  readonly requester: Requester;
  /** How long it may wait and try, ms. */
  readonly withinMs: number;
  /** For how long its answer is kept. Default: not at all. */
  readonly lifetime?: CacheLifetime | undefined;
  /** Called when it leaves, once for each try. */
  readonly leave?: (() => void) | undefined;
}

/** An endpoint that is left alone, and whose: nobody's where it is public. */
export interface OpenBreaker {
  readonly endpoint: string;
  readonly account: Owner;
  readonly state: BreakerState;
}

/** The part of a read that leaves the gateway: breaker, rate budget, the exchange's answer, and further tries. */
export class UpstreamReads {
  /** By endpoint, and account where it is private: as many as the contract and the settings have. */
  readonly #breakers = new Map<string, { readonly breaker: Breaker; readonly endpoint: string; readonly account: Owner }>();

  constructor(
    private readonly parts: {
      readonly client: ExchangeClient;
      readonly cache: SharedCache;
      readonly scheduler: Scheduler;
      readonly clock: Clock;
      /** Between 0 and 1; spreads repeated tries. */
      readonly random: () => number;
      readonly instrumentation: Instrumentation;
      /** How long an answer may take once its call has left, ms. */
      readonly answerMs: number;
    },
  ) {}

  /** Endpoints that are not in order right now. */
  breakers(): OpenBreaker[] {
    return [...this.#breakers.values()]
      .map(({ endpoint, account, breaker }) => ({ endpoint, account, state: breaker.state }))
      .filter(({ state }) => state !== "CLOSED");
  }

  /** Forgets what is known of an owner that has gone, or has another key. */
  forget(owner: string): void {
    for (const [topic, { account }] of this.#breakers) if (account === owner) this.#breakers.delete(topic);
  }

  /** Asks, again where that may help. What is answered is kept where it has a lifetime. Throws `Fault`. */
  async fetch<P extends ParameterSet, D>(call: Call<P, D>, asking: Asking): Promise<Fetched> {
    const { clock, cache } = this.parts;
    const { lifetime, leave, withinMs } = asking;
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
        fetched = await this.#once(call, asking, deadlineAt, depart);
      } catch (error) {
        // A try that never left says nothing: what is wrong is what the one before it met.
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

  /** Until the next try; none where the exchange has said no. One call too many waits until its budget is open again. */
  #pauseAfter(error: unknown, attempt: number): number | undefined {
    const spread = 0.5 + this.parts.random();
    if (isExchangeFailure(error)) return PAUSE_MS * 2 ** (attempt - 1) * spread;
    const { retryAfterMs = undefined, exchange = undefined } = error instanceof Fault ? error.extensions : {};
    return exchange === undefined || retryAfterMs === undefined ? undefined : retryAfterMs + PAUSE_MS * spread;
  }

  async #once<P extends ParameterSet, D>(
    { endpoint, values, account, owner, topic }: Call<P, D>,
    { priority, trace, requester }: Asking,
    deadlineAt: number,
    depart: () => void,
  ): Promise<Fetched & Fresh> {
    const { client, cache, scheduler, clock, instrumentation, answerMs } = this.parts;
    const { upstreamCall } = instrumentation;
    const breaker = this.#enter(endpoint.name, owner, topic);
    const { counter, rate } = counterOf(endpoint, account);
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
    const settle = (outcome?: Parameters<Permit["settle"]>[0]): void => {
      permit?.settle(outcome);
      permit = undefined;
    };
    // The exchange counts each sending, so each takes a slot of its own.
    const beforeResend = async (): Promise<number> => {
      settle();
      permit = await acquire();
      waitMs += permit.waitedMs;
      trace?.called();
      return answerBy();
    };
    const askedAt = clock.now();
    const version = cache.version(topic);
    const observe = (outcome: Outcome): void => {
      if (!upstreamCall.hasSubscribers) return;
      const timing = { waitMs, tookMs: clock.now() - askedAt };
      upstreamCall.publish({ endpoint: endpoint.name, outcome, timing, operation: trace });
    };
    depart();
    trace?.called();
    try {
      const answer = await client.call(endpoint, values, account, answerBy(), { beforeResend });
      const { data, unread, body, again, text, remaining } = answer;
      settle({ remaining });
      breaker.leave("answered");
      observe("ok");
      const isWhole = unread.length === 0;
      return { value: data, isWhole, body, again, text, askedAt, version, waitMs, isFound: false };
    } catch (error) {
      // Without a slot it was not sent again.
      const outcome = permit === undefined ? unsentBecause(error) : outcomeOf(error);
      // It has taken so long already, and may take as long again.
      if (isUnderWay(error)) clock.after(Math.min(clock.now() - askedAt, LATE_MS), () => settle());
      else settle({ refused: outcome === "throttled" });
      breaker.leave({ error });
      observe(outcome);
      throw error;
    }
  }

  /** Passes the endpoint's breaker: each account has one of its own, so that what is wrong with one keeps no other out. */
  #enter(endpoint: string, account: Owner, topic: string): Breaker {
    const breaker = this.#breaker(endpoint, account, topic);
    try {
      breaker.enter();
    } catch (error) {
      this.parts.instrumentation.upstreamCall.publish({ endpoint, outcome: "withheld" });
      throw error;
    }
    return breaker;
  }

  #breaker(endpoint: string, account: Owner, topic: string): Breaker {
    const known = this.#breakers.get(topic);
    if (known !== undefined) return known.breaker;
    const breaker = new Breaker(endpoint, this.parts.clock);
    this.#breakers.set(topic, { breaker, endpoint, account });
    return breaker;
  }
}
