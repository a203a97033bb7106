import type { Clock } from "@exchange-graph/contract/clock";
import { type Endpoint, encoded, violations } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { cacheKey, type Owner, topicKey } from "../cache/cacheKey.js";
import { boundOf, type SharedCache, type Validity } from "../cache/sharedCache.js";
import type { ExchangeClient } from "../exchange/client.js";
import { badInput } from "../fault.js";
import type { Entry } from "../ports/cacheStore.js";
import { counterOf } from "../scheduler/counterOf.js";
import { GATEWAY, type Requester } from "../scheduler/requester.js";
import type { Scheduler } from "../scheduler/scheduler.js";
import type { Priority } from "../scheduler/waitingLine.js";
import type { Call } from "./call.js";
import { Flights } from "./flights.js";
import { isScarce, PLACE_MS, Places } from "./places.js";
import { type Refreshable, Refresher } from "./refresher.js";
import type { Source, Trace } from "./trace.js";
import { type Fetched, type OpenBreaker, UpstreamReads } from "./upstreamReads.js";

/** How one call is read. */
export interface ReadOptions {
  readonly trace?: Trace | undefined;
  readonly priority?: Priority;
  /** The answer is good for one taker: neither join a call under way nor let others join this one. */
  readonly alone?: boolean;
  /** For whom. Default: the gateway itself. */
  readonly requester?: Requester;
  /** How old an answer may be that is taken at once, ms. Default: what the endpoint's lifetime says. */
  readonly maxAgeMs?: number | undefined;
  /** How long the call may wait for its turn, ms, where nobody waits for its answer. Default: as long as that of a request. */
  readonly patienceMs?: number | undefined;
  /** Called where a row of the answer could not be read. */
  readonly onPartial?: () => void;
}

/**
 * The way of every read: rules, cache, calls under way, breaker, budget, exchange. A read may be repeated, shared and
 * answered from memory; a write may not, and does not pass here.
 */
export class Reader {
  readonly #flights = new Flights<Fetched>();
  readonly #instrumentation: Instrumentation;
  readonly #onInvalidated: ((account: string, endpointNames: readonly string[]) => void)[] = [];
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
      /** How long one may wait where slots are scarce, ms: the next one may be further away than that. */
      readonly scarceDeadlineMs?: number;
      /** Between 0 and 1; spreads repeated tries. */
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
      ...{ client, cache, scheduler, clock },
      ...{ random: options.random, instrumentation: this.#instrumentation, answerMs: options.deadlineMs },
    });
  }

  /**
   * Checks a call's values and names it. Throws `BAD_USER_INPUT` before anything is sent; `names` says what the client
   * calls a parameter, where that is not the exchange's word.
   */
  prepare<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account?: ExchangeAccount,
    names: Readonly<Record<string, string>> = {},
  ): Call<P, D> {
    const found = violations(endpoint, values, this.client.exchangeClock.now());
    if (found.length > 0) {
      const spoken = (text: string) => Object.entries(names).reduce((all, [wire, name]) => all.replaceAll(wire, name), text);
      throw badInput(found.map(({ parameter, rule }) => ({ argument: names[parameter] ?? parameter, rule: spoken(rule) })));
    }
    const owner: Owner = endpoint.access === "private" ? account?.name : undefined;
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
    const { endpoint, owner, topic, key } = call;
    const boundMs = boundOf(endpoint, maxAgeMs);
    const traced = (source: Source, ageMs: number, waitMs: number, validity?: Validity, failed = false) =>
      trace?.add({ endpoint: endpoint.name, account: owner, source, ageMs, waitMs, failed }, validity);
    const validity = (of: Pick<Entry, "askedAt" | "version">) =>
      this.cache.validity(topic, alone ? undefined : endpoint.cache, of, boundMs);
    if (endpoint.cache !== undefined && !alone) {
      const hit = this.cache.get(topic, key, endpoint.cache, boundMs);
      if (hit !== undefined) {
        traced("CACHE", hit.ageMs, 0, validity(hit));
        if (!hit.isWhole) onPartial?.();
        this.#watch(call, requester, boundMs, hit);
        // The key names the endpoint, so what lies under it is what the endpoint's codec gave. So below, and in `RequestReads`.
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
          key,
          requester,
          (all, leave) => this.#findOrFetch(call, priority, trace, all, leave, boundMs, patienceMs),
          isPatient,
        );
    const isLong = joined && !isPatient && (mayBeLong || this.#places.has(key) || this.#refresher.isFetching(key));
    const source = joined ? "SHARED" : "REST";
    try {
      const fetched = await (isLong ? this.#places.inTime(endpoint, answer) : answer);
      if (!fetched.isWhole) onPartial?.();
      const ageMs = Math.max(0, this.clock.now() - fetched.askedAt);
      traced(fetched.isFound ? "CACHE" : source, ageMs, fetched.waitMs, validity(fetched));
      if (!alone) this.#watch(call, requester, boundMs, { askedAt: fetched.askedAt, fresh: true });
      return fetched.value as D;
    } catch (error) {
      traced(source, 0, 0, undefined, true);
      if (!alone) this.#keepPlace(call, error);
      throw error;
    }
  }

  /** Where slots are scarce a call that found none goes on waiting, in the gateway's own name. */
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

  /** What is shown while a new answer is fetched is kept fresh as long as it is read. */
  #watch<P extends ParameterSet, D>(
    call: Call<P, D>,
    requester: Requester,
    boundMs: number,
    { askedAt, fresh: isFresh }: { readonly askedAt: number; readonly fresh: boolean },
  ): void {
    if (call.endpoint.cache === undefined || call.endpoint.cache.staleMs === 0) return;
    this.#refresher.read(call.key, requester, { askedAt, boundMs, isFresh }, () => this.#refreshable(call));
  }

  #refreshable<P extends ParameterSet, D>(call: Call<P, D>): Refreshable {
    const { endpoint, key, owner, account } = call;
    const fetch = async (by: Requester): Promise<number> => {
      const refresh = (all: Requester, leave: () => void) =>
        this.#findOrFetch(call, "refresh", undefined, all, leave, undefined, PLACE_MS);
      return (await this.#flights.join(key, by, refresh).answer).askedAt;
    };
    const budget = `${endpoint.name} ${counterOf(endpoint, account).counter}`;
    return { key, endpoint: endpoint.name, budget, rate: endpoint.rate, owner, fetch };
  }

  /** The answer to a call, where it is in memory and will be for so many milliseconds: reading it sends nothing. */
  kept<P extends ParameterSet, D>({ endpoint, topic, key }: Call<P, D>, forMs: number): D | undefined {
    if (endpoint.cache === undefined) return undefined;
    return this.cache.kept(topic, key, endpoint.cache, forMs)?.value as D | undefined;
  }

  /** Makes every later read of these endpoints go to the exchange: something about this owner has changed. */
  drop(owner: Owner, endpointNames: readonly string[]): void {
    for (const name of endpointNames) {
      const topic = topicKey(name, owner);
      this.cache.drop(topic);
      this.#flights.forget(`${topic}?`);
    }
  }

  /** Resolves once no replica serves what was dropped here; nothing where none does already. Never rejects. */
  dropped(): Promise<void> | undefined {
    return this.cache.settled();
  }

  /** Something about this owner has changed by a write: as `drop`, and whoever holds the same by other means hears of it. */
  invalidate(owner: string, endpointNames: readonly string[]): void {
    this.drop(owner, endpointNames);
    for (const listener of this.#onInvalidated) listener(owner, endpointNames);
  }

  /** Calls `listener` with each account and the endpoints of which a write has changed what they answer. */
  onInvalidated(listener: (account: string, endpointNames: readonly string[]) => void): void {
    this.#onInvalidated.push(listener);
  }

  /** Forgets all that is remembered of an owner that has gone, or has another key. */
  forget(owner: string, endpointNames: readonly string[]): void {
    this.drop(owner, endpointNames);
    this.#refresher.forget(owner);
    this.#upstream.forget(owner);
  }

  /** Refreshes nothing any more. */
  close(): void {
    this.#refresher.close();
  }

  /** The time by which it measures, Unix ms: this machine's, not the exchange's. */
  now(): number {
    return this.clock.now();
  }

  /** Endpoints that are not in order right now. */
  breakers(): OpenBreaker[] {
    return this.#upstream.breakers();
  }

  /** An answer that another replica has or is asking for; otherwise the exchange's, which other replicas then have as well. */
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
    const finding = this.cache.find(topic, key, fresh, (text) => {
      const { data, unread } = this.client.decode(endpoint, text);
      return { value: data, isWhole: unread.length === 0 };
    });
    if (finding === undefined) return fetch();
    return finding.then((found) => {
      if (found !== undefined) {
        // Field by field: an entry of memory decodes its value when it is asked for it.
        const { value, isWhole, askedAt, version } = found;
        return { value, isWhole, askedAt, version, waitMs: 0, isFound: true };
      }
      return fetch().catch((error: unknown) => {
        this.cache.giveUp(topic, key);
        throw error;
      });
    });
  }
}
