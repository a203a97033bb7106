import { type Endpoint, KEPT_MS } from "@exchange-graph/contract/endpoint";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { MarketCategory } from "@exchange-graph/contract/vocabulary";
import {
  type AccountMode,
  type ExchangeAccount,
  type ExchangeClock,
  GATEWAY,
  type KnownUsers,
  type Requester,
} from "../calls/index.js";
import { badInput, Fault, inClientsWords } from "../errors/index.js";
import type { AccountModes } from "./identity/accountModes.js";
import { Loaders } from "./loaders/loaders.js";
import type { ListIdentity } from "./paging/cursor.js";
import type { Call } from "./reader/call.js";
import type { Reader, ReadOptions } from "./reader/reader.js";
import type { LiveAnswer, LiveAnswers, Reads } from "./reader/reads.js";
import { Trace } from "./reader/trace.js";

export { KEPT_MS };

/** Minimum of `maxAgeMs`: equal reads share an answer for nearly as long. */
export const MIN_AGE_MS = 1_000;

/** The state that outlives requests, as far as reading needs it. */
export interface ReadSources {
  readonly reader: Reader;
  readonly modes: AccountModes;
  readonly knownUsers: Pick<KnownUsers, "userOf">;
  readonly clock: Pick<ExchangeClock, "now" | "setBackFrom">;
  /** An account that signs public calls which the exchange answers only if signed. */
  readonly signer: ExchangeAccount | undefined;
  /** Time in which one operation may read, in ms. */
  readonly operationMs: number;
}

export interface ReadingOptions extends Pick<ReadOptions, "requester" | "patienceMs" | "priority"> {
  /** Answers from live streams, where they are proven. Default: none. */
  readonly live?: LiveAnswers | undefined;
}

/**
 * The reads of one request. Equal reads return the same answer, so that a response is consistent; `trace` records the reads and
 * their sources.
 */
export class RequestReads implements Reads {
  readonly trace = new Trace();
  readonly #results = new Map<string, Promise<unknown>>();
  #loaders: Loaders | undefined;
  /** Time by the reader's clock after which nothing is read; undefined until the first read since `forget`. */
  #until: number | undefined;

  /** Who waits for the reads, and for the writes that they plan. */
  readonly requester: Requester;

  constructor(
    private readonly sources: ReadSources,
    private readonly options: ReadingOptions = {},
  ) {
    this.requester = options.requester ?? GATEWAY;
    this.#until = this.#deadline();
  }

  /** Reads of the gateway itself, after dropping the cached answers of these endpoints of the account. */
  afresh(account: Pick<ExchangeAccount, "name">, endpoints: readonly string[]): RequestReads {
    this.sources.reader.drop(account.name, endpoints);
    return new RequestReads(this.sources);
  }

  /**
   * Reports the state of an account's upgrade. If the mode may have changed, the cached mode and the answers of these endpoints are
   * dropped.
   */
  upgradeIs(account: Pick<ExchangeAccount, "name">, status: string | null, endpoints: readonly string[]): void {
    if (this.sources.modes.hasMoved(account, status)) this.sources.reader.drop(account.name, endpoints);
  }

  #deadline(): number {
    const isPatient = this.options.patienceMs !== undefined;
    return isPatient ? Number.POSITIVE_INFINITY : this.sources.reader.now() + this.sources.operationMs;
  }

  /** Throws `EXCHANGE_TIMEOUT` once the operation's time is over. The operation is answered with the data that it has by then. */
  #inTime(endpoint: string): void {
    this.#until ??= this.#deadline();
    if (this.sources.reader.now() < this.#until) return;
    throw new Fault("EXCHANGE_TIMEOUT", `the operation has taken longer than ${this.sources.operationMs} ms`, { endpoint });
  }

  /** The loaders that join rows of this request. */
  get loaders(): Loaders {
    this.#loaders ??= new Loaders(this);
    return this.#loaders;
  }

  get signer(): ExchangeAccount | undefined {
    return this.sources.signer;
  }

  now(): number {
    return this.sources.clock.now();
  }

  /** The latest time that the exchange's clock may have shown, Unix ms: later than now if it was set back since. */
  latest(): number {
    return Math.max(this.now(), this.sources.clock.setBackFrom);
  }

  /**
   * Reads with another maximum age: a younger cached answer is used, otherwise a new one is awaited. Null: the default of each
   * endpoint. Throws `BAD_USER_INPUT`.
   */
  within(maxAgeMs: number | null | undefined): Reads {
    if (maxAgeMs === null || maxAgeMs === undefined) return this;
    if (maxAgeMs < MIN_AGE_MS || maxAgeMs > KEPT_MS)
      throw badInput([{ argument: "maxAgeMs", rule: `must be from ${MIN_AGE_MS} to ${KEPT_MS}` }]);
    return {
      signer: this.signer,
      now: () => this.now(),
      read: (endpoint, values, account, names) => this.#readOnce(endpoint, values, account, names, maxAgeMs),
      readAlone: (...args) => this.readAlone(...args),
      liveTicker: (...args) => this.liveTicker(...args),
      identitiesOf: (account) => this.identitiesOf(account),
      modeOf: (account) => this.modeOf(account),
      demand: (...args) => this.demand(...args),
    };
  }

  read<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account?: ExchangeAccount,
    argumentNames?: Readonly<Record<string, string>>,
  ): Promise<D> {
    return this.#readOnce(endpoint, values, account, argumentNames, undefined);
  }

  #readOnce<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account: ExchangeAccount | undefined,
    argumentNames: Readonly<Record<string, string>> | undefined,
    maxAgeMs: number | undefined,
  ): Promise<D> {
    let call: Call<P, D>;
    try {
      this.#inTime(endpoint.name);
      call = this.sources.reader.prepare(endpoint, values, account, argumentNames);
    } catch (error) {
      return Promise.reject(error);
    }
    const key = maxAgeMs === undefined ? call.key : `${maxAgeMs} ${call.key}`;
    const earlier = this.#results.get(key) as Promise<D> | undefined;
    if (earlier !== undefined) return earlier;
    const answer = this.#liveAnswer(call) ?? this.#readKeeping(call, maxAgeMs);
    this.#results.set(key, answer);
    return answer;
  }

  #readKeeping<P extends ParameterSet, D>(call: Call<P, D>, maxAgeMs: number | undefined): Promise<D> {
    const keep = this.options.live?.keeping(call);
    const answer = this.#read(call, maxAgeMs);
    return keep === undefined
      ? answer
      : answer.then((value) => {
          keep(value);
          return value;
        });
  }

  liveTicker(category: MarketCategory, symbol: string): Ticker | undefined {
    const live = this.options.live?.ticker({ category, symbol });
    if (live !== undefined) this.#streamed("tickers", undefined, live);
    return live?.value;
  }

  #liveAnswer<P extends ParameterSet, D>(call: Call<P, D>): Promise<D> | undefined {
    const live = this.options.live?.answer(call);
    if (live === undefined) return undefined;
    this.#streamed(call.endpoint.name, call.owner, live);
    // The call contains the endpoint, so the answer is the result of the endpoint's codec.
    return Promise.resolve(live.value as D);
  }

  #streamed(endpoint: string, account: string | undefined, { ageMs, comparedAt, validity }: LiveAnswer): void {
    this.trace.add({ endpoint, account, source: "STREAM", ageMs, comparedAt, waitMs: 0, failed: false }, validity);
  }

  async readAlone<P extends ParameterSet, D>(
    endpoint: Endpoint<P, D>,
    values: Values<P>,
    account?: ExchangeAccount,
    argumentNames?: Readonly<Record<string, string>>,
  ): Promise<D> {
    return this.#read(this.sources.reader.prepare(endpoint, values, account, argumentNames), undefined, true);
  }

  /** Called after a write of this request: resolves when no cache has an answer from before it. */
  async afterWrite(): Promise<void> {
    const dropping = this.sources.reader.dropped();
    if (dropping !== undefined) await dropping;
    this.forget();
  }

  /** Called after a write of this request, and before the execution of an event: earlier reads are not valid any more. */
  forget(): void {
    this.#until = undefined;
    this.#results.clear();
    this.#loaders = undefined;
  }

  identitiesOf({ name }: ExchangeAccount): ListIdentity {
    const user = this.sources.knownUsers.userOf(name);
    return user === undefined ? [name] : [user, name];
  }

  modeOf(account: ExchangeAccount): Promise<AccountMode> {
    return this.sources.modes.of(account, this);
  }

  async demand(account: ExchangeAccount, mode: AccountMode, what: string): Promise<void> {
    const actual = await this.modeOf(account);
    if (actual === mode) return;
    const names = { CLASSIC: "a Classic account", UNIFIED: "a unified account" };
    throw new Fault("ACCOUNT_MODE_MISMATCH", `${what} exists on ${names[mode]} only; ${account.name} is ${names[actual]}`);
  }

  #read<P extends ParameterSet, D>(call: Call<P, D>, maxAgeMs: number | undefined, alone = false): Promise<D> {
    const { trace, requester } = this;
    const { patienceMs, priority } = this.options;
    const options = { maxAgeMs, alone, trace, requester, patienceMs, priority };
    return this.sources.reader.read(call, options).catch((error: unknown) => {
      // The account's mode has changed since it was read: the next request reads it again.
      if (call.account !== undefined && error instanceof Fault && error.code === "ACCOUNT_MODE_MISMATCH")
        this.sources.modes.forget(call.account);
      throw inClientsWords(error, call.values);
    });
  }
}
