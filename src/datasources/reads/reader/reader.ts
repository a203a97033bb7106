import type { Clock } from "@exchange-graph/contract/clock";
import { type Endpoint, encoded, violations } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { INSTRUMENTATION, type Instrumentation } from "../../../instrumentation/instrumentation.js";
import {
  counterOf,
  type ExchangeAccount,
  type ExchangeClient,
  GATEWAY,
  type KnownUsers,
  type Priority,
  type Requester,
  type Scheduler,
} from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import { cacheKey, type TopicOwner, topicKey } from "../cache/cacheStore.js";
import { boundOf, type SharedCache } from "../cache/sharedCache.js";
import type { Call } from "./call.js";
import { Flights, isScarce, PLACE_MS, Places } from "./flights.js";
import { type Refreshable, Refresher } from "./refresher.js";
import type { Trace } from "./trace.js";
import { type Fetched, type OpenBreaker, UpstreamReads } from "./upstreamReads.js";

export interface ReadOptions {
  readonly trace?: Trace | undefined;
  /** Default: `read`. */
  readonly priority?: Priority | undefined;
  /** The answer is valid for one caller: the call is not shared. */
  readonly alone?: boolean;
  /** The requester. Default: the gateway itself. */
  readonly requester?: Requester | undefined;
  /** Maximum age of a cached answer, in ms. Default: the endpoint's lifetime. */
  readonly maxAgeMs?: number | undefined;
  /** Maximum wait for a slot of each call, in ms, for reads without a waiting client. Default: that of a request. */
  readonly patienceMs?: number | undefined;
  /** Called if a row of the answer could not be decoded. */
  readonly onPartial?: () => void;
}

/** `category`: the only product category whose data has changed; undefined if that of any may have. */
type InvalidationListener = (account: string, endpointNames: readonly string[], category: ProductCategory | undefined) => void;

/**
 * Executes reads: validation, cache, shared calls, breaker, rate budget, exchange. Reads may be repeated, shared and cached;
 * writes may not, and are executed elsewhere.
 */
export class Reader {
  readonly #flights = new Flights<Fetched>();
  readonly #instrumentation: Instrumentation;
  readonly #onInvalidated: InvalidationListener[] = [];
  readonly #places: Places;
  readonly #scarceDeadlineMs: number;
  readonly #refresher: Refresher;
  readonly #upstream: UpstreamReads;

  constructor(
    private readonly client: ExchangeClient,
    private readonly cache: SharedCache,
    scheduler: Scheduler,
    private readonly clock: Clock,
    private readonly options: {
      readonly deadlineMs: number;
      readonly knownUsers: KnownUsers;
      /** Maximum wait on scarce budgets, in ms: the next slot may be further away than the usual one. */
      readonly scarceDeadlineMs?: number;
      /** Between 0 and 1; jitter of retries. */
      readonly random: () => number;
      readonly instrumentation?: Instrumentation | undefined;
    },
  ) {
    this.#scarceDeadlineMs = options.scarceDeadlineMs ?? options.deadlineMs;
    this.#places = new Places(clock, this.#scarceDeadlineMs);
    this.#refresher = new Refresher(clock, (endpoint, error) =>
      this.#instrumentation.refreshFailure.publish({ endpoint, error }),
    );
    cache.onDropped((topic) => this.#flights.forget(topic === undefined ? "" : `${topic}?`));
    this.#instrumentation = options.instrumentation ?? INSTRUMENTATION;
    this.#upstream = new UpstreamReads({
      ...{ client, cache, scheduler, clock, knownUsers: options.knownUsers },
      ...{ random: options.random, instrumentation: this.#instrumentation, answerMs: options.deadlineMs },
    });
  }

  /**
   * Validates a call's values and makes its cache key. Throws `BAD_USER_INPUT` before anything is sent; `names` has the graph's
   * names of parameters, if they differ from the exchange's.
   */
  prepare<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account?: ExchangeAccount,
    names: Readonly<Record<string, string>> = {},
  ): Call<P, D> {
    const found = violations(endpoint, values, this.client.exchangeClock.now());
    if (found.length > 0) {
      const withClientNames = (text: string) =>
        Object.entries(names).reduce((all, [wire, name]) => all.replaceAll(wire, name), text);
      throw badInput(
        found.map(({ parameter, rule }) => ({ argument: names[parameter] ?? parameter, rule: withClientNames(rule) })),
      );
    }
    const owner: TopicOwner = endpoint.access === "private" ? account?.name : undefined;
    return {
      endpoint,
      values,
      account,
      owner,
      topic: topicKey(endpoint.name, owner),
      key: cacheKey(endpoint, owner, encoded(endpoint, values)),
    };
  }

  /** Reads. Throws `Fault`. */
  async read<P extends ParameterSet, D>(
    call: Call<P, D>,
    { trace, priority = "read", alone = false, requester = GATEWAY, maxAgeMs, patienceMs, onPartial }: ReadOptions = {},
  ): Promise<D> {
    const { endpoint, owner: account, topic, key } = call;
    const boundMs = boundOf(endpoint, maxAgeMs);
    const lifetime = alone ? undefined : endpoint.cache;
    if (lifetime !== undefined) {
      const hit = this.cache.get(topic, key, lifetime, boundMs);
      if (hit !== undefined) {
        const read = { endpoint: endpoint.name, account, source: "CACHE", ageMs: hit.ageMs, waitMs: 0, failed: false } as const;
        trace?.add(read, this.cache.validity(topic, lifetime, hit, boundMs));
        if (!hit.isWhole) onPartial?.();
        this.#watch(call, requester, boundMs, hit);
        // The key contains the endpoint, so the entry is the result of the endpoint's codec. The same below, and in
        // `RequestReads`.
        return hit.value as D;
      }
    }
    const isPatient = patienceMs !== undefined;
    const { answer, joined, mayBeLong } = alone
      ? {
          answer: this.#upstream.fetch(call, { priority, trace, requester, withinMs: this.options.deadlineMs }),
          joined: false,
          mayBeLong: false,
        }
      : this.#flights.join(
          // Calls in the background are not shared with requests, which would wait for the lowest priority.
          priority === "background" ? `${key} ${priority}` : key,
          requester,
          (all, leave) => this.#findOrFetch(call, priority, trace, all, leave, boundMs, patienceMs),
          isPatient,
        );
    const isLong = joined && !isPatient && (mayBeLong || this.#places.has(key) || this.#refresher.isFetching(key));
    const source = joined ? "SHARED" : "REST";
    try {
      const { value, isWhole, isFound, requestedAt, waitMs, version } = await (isLong
        ? this.#places.inTime(endpoint, answer)
        : answer);
      if (!isWhole) onPartial?.();
      const ageMs = Math.max(0, this.clock.now() - requestedAt);
      trace?.add(
        { endpoint: endpoint.name, account, source: isFound ? "CACHE" : source, ageMs, waitMs, failed: false },
        this.cache.validity(topic, lifetime, { requestedAt, version }, boundMs),
      );
      if (!alone) this.#watch(call, requester, boundMs, { requestedAt, fresh: true });
      return value as D;
    } catch (error) {
      trace?.add({ endpoint: endpoint.name, account, source, ageMs: 0, waitMs: 0, failed: true });
      if (!alone) this.#keepPlace(call, error);
      throw error;
    }
  }

  /** On a scarce budget, a call that got no slot keeps waiting in the gateway's own name. */
  #keepPlace<P extends ParameterSet, D>(call: Call<P, D>, error: unknown): void {
    const { endpoint, key } = call;
    this.#places.keep(key, endpoint, error, async () => {
      try {
        await this.#flights.join(key, GATEWAY, (all, leave) =>
          this.#findOrFetch(call, "read", undefined, all, leave, undefined, PLACE_MS),
        ).answer;
      } catch (failure) {
        this.#instrumentation.refreshFailure.publish({ endpoint: endpoint.name, error: failure });
      }
    });
  }

  /** Data that is served stale while it is refreshed is kept fresh as long as it is read. */
  #watch<P extends ParameterSet, D>(
    call: Call<P, D>,
    requester: Requester,
    boundMs: number,
    { requestedAt, fresh: isFresh }: { readonly requestedAt: number; readonly fresh: boolean },
  ): void {
    if (call.endpoint.cache === undefined || call.endpoint.cache.staleMs === 0) return;
    this.#refresher.read(call.key, requester, { requestedAt, boundMs, isFresh }, () => this.#refreshable(call));
  }

  #refreshable<P extends ParameterSet, D>(call: Call<P, D>): Refreshable {
    const { endpoint, key, owner, account } = call;
    const fetch = async (by: Requester): Promise<number> => {
      const refresh = (all: Requester, leave: () => void) =>
        this.#findOrFetch(call, "refresh", undefined, all, leave, undefined, PLACE_MS);
      return (await this.#flights.join(key, by, refresh).answer).requestedAt;
    };
    const budget = `${endpoint.name} ${counterOf(endpoint, account, this.options.knownUsers).counter}`;
    return { key, endpoint: endpoint.name, budget, rate: endpoint.rate, owner, fetch };
  }

  /** The answer of a call if it is in memory and stays there for this many milliseconds, so that reading it sends nothing. */
  kept<P extends ParameterSet, D>({ endpoint, topic, key }: Call<P, D>, forMs: number): D | undefined {
    if (endpoint.cache === undefined) return undefined;
    return this.cache.kept(topic, key, endpoint.cache, forMs)?.value as D | undefined;
  }

  /**
   * Drops the cached answers of these endpoints, because data of this account has changed. Accounts of the same user are dropped
   * too.
   */
  drop(account: string | undefined, endpointNames: readonly string[]): void {
    const owners: readonly TopicOwner[] = account === undefined ? [undefined] : this.options.knownUsers.namesBeside(account);
    this.#drop(owners.flatMap((owner) => endpointNames.map((name) => topicKey(name, owner))));
  }

  #drop(topics: readonly string[]): void {
    this.cache.drop(topics);
    for (const topic of topics) this.#flights.forget(`${topic}?`);
  }

  /** Resolves once no replica serves what was dropped here any more; undefined if that is already so. Never rejects. */
  dropped(): Promise<void> | undefined {
    return this.cache.settled();
  }

  /**
   * Drops answers after a write has changed data of this account, and notifies listeners that keep the same data. `category`: the
   * product category in which the write has changed it; default: any.
   */
  invalidate(account: string, endpointNames: readonly string[], category?: ProductCategory): void {
    this.drop(account, endpointNames);
    for (const name of this.options.knownUsers.namesBeside(account))
      for (const listener of this.#onInvalidated) listener(name, endpointNames, category);
  }

  /** Calls `listener` with each account and the endpoints whose answers a write has changed. */
  onInvalidated(listener: InvalidationListener): void {
    this.#onInvalidated.push(listener);
  }

  /** Drops all state of an account that was removed, or has another key. */
  forget(account: string, endpointNames: readonly string[]): void {
    this.#drop(endpointNames.map((name) => topicKey(name, account)));
    this.#refresher.forget(account);
    this.#upstream.forget(account);
  }

  close(): void {
    this.#refresher.close();
  }

  /** Time for ages, Unix ms: the local clock, not the exchange's. */
  now(): number {
    return this.clock.now();
  }

  /** Number of calls under way, those that wait for their turn included. */
  get underWay(): number {
    return this.#flights.size;
  }

  /** Breakers that are not closed. */
  breakers(): OpenBreaker[] {
    return this.#upstream.breakers();
  }

  /** Gets the answer from another replica that has it or fetches it; otherwise from the exchange, and shares it. */
  #findOrFetch<P extends ParameterSet, D>(
    call: Call<P, D>,
    priority: Priority,
    trace: Trace | undefined,
    requester: Requester,
    leave: () => void,
    boundMs = Number.POSITIVE_INFINITY,
    withinMs = isScarce(call.endpoint) ? this.#scarceDeadlineMs : this.options.deadlineMs,
  ): Promise<Fetched> {
    const { endpoint, topic, key } = call;
    const { cache } = endpoint;
    const fetch = () => this.#upstream.fetch(call, { priority, trace, requester, leave, lifetime: cache, withinMs });
    if (cache === undefined) return fetch();
    const fresh = { ...cache, freshMs: Math.min(cache.freshMs, boundMs) };
    const finding = this.cache.find(topic, key, fresh, this.client.decoderOf(endpoint));
    if (finding === undefined) return fetch();
    return finding.then((found) => {
      if (found !== undefined) {
        // Field by field, because a memory entry decodes its value on access.
        const { value, isWhole, requestedAt, version } = found;
        return { value, isWhole, requestedAt, version, waitMs: 0, isFound: true };
      }
      return fetch().catch((error: unknown) => {
        this.cache.giveUp(topic, key);
        throw error;
      });
    });
  }
}
