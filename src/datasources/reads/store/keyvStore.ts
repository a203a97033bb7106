import type { Clock } from "@exchange-graph/contract/clock";
import { Keyv, type KeyvStoreAdapter } from "keyv";
import { Breaker } from "../../calls/index.js";
import { inTime } from "../../errors/index.js";
import type { ExternalStore, StoreNamespace } from "./externalStore.js";

/** Longest wait for the store, in ms: a call to the exchange takes longer. */
const WAIT_MS = 25;
/** Longest wait for opening and closing its connections, in ms: the start and the end wait for it, and no request does. */
const CONNECTING_MS = 1_000;
const CLOSING_MS = 1_000;

/**
 * A store of Keyv behind a breaker: its first failure opens it. Until an attempt in the background has succeeded, nothing waits for
 * the store, so that a dead one costs the wait once.
 */
export class KeyvStore implements ExternalStore {
  readonly #namespaces = new Map<string, Keyv<string>>();
  readonly #breaker: Breaker;
  /** The last error of a connection, which calls wait behind without being told. */
  #connectionError: Error | undefined;

  /** `describe`: an error in words without addresses and secrets. */
  constructor(
    private readonly open: () => KeyvStoreAdapter,
    private readonly clock: Clock,
    private readonly describe: (error: unknown) => string,
  ) {
    this.#breaker = new Breaker("the cache", clock, {
      failures: 1,
      isFailure: (error): error is Error => error instanceof Error,
    });
  }

  get trouble(): string | undefined {
    const { cause } = this.#breaker;
    return cause === undefined ? undefined : this.describe(cause);
  }

  /** Connects, so that the first request finds the store ready. Resolves in any case, after a second at the latest. */
  async connect(namespaces: readonly StoreNamespace[]): Promise<void> {
    await Promise.all(namespaces.map((namespace) => this.#attempt(() => this.#keyv(namespace).get("connected"), CONNECTING_MS)));
  }

  async get(namespace: StoreNamespace, key: string): Promise<string | undefined> {
    const { state } = this.#breaker;
    if (state === "OPEN") return undefined;
    const reading = this.#attempt((): Promise<unknown> => this.#keyv(namespace).get(key));
    const value = state === "CLOSED" ? await reading : undefined;
    // Others may write to the store too.
    return typeof value === "string" ? value : undefined;
  }

  set(namespace: StoreNamespace, key: string, text: string, ttlMs: number): void {
    if (this.#breaker.state !== "OPEN") void this.#attempt(() => this.#keyv(namespace).set(key, text, ttlMs));
  }

  async close(): Promise<void> {
    const ends = [...this.#namespaces.values()].map((keyv) => keyv.disconnect().catch((error: unknown) => this.#failed(error)));
    await inTime(this.clock, Promise.all(ends), CLOSING_MS);
  }

  /** The result of a call in time; undefined if it fails or takes too long. Never rejects. */
  async #attempt<T>(call: () => Promise<T>, withinMs = WAIT_MS): Promise<T | undefined> {
    try {
      this.#breaker.enter();
    } catch {
      return undefined;
    }
    try {
      const answering = call().then((value) => ({ value }));
      // An answer that came while this process was busy has not been read yet when the time is over.
      const answer = (await inTime(this.clock, answering, withinMs)) ?? (await Promise.race([answering, oneTurn()]));
      if (answer === undefined) throw this.#connectionError ?? new Error(`no answer within ${withinMs} ms`);
      this.#connectionError = undefined;
      this.#breaker.leave("answered");
      return answer.value;
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #failed(error: unknown): void {
    this.#breaker.leave({ error: error instanceof Error ? error : new Error(String(error)) });
  }

  #keyv(namespace: StoreNamespace): Keyv<string> {
    const existing = this.#namespaces.get(namespace);
    if (existing !== undefined) return existing;
    const keyv = new Keyv<string>({ store: this.open(), namespace: `exchange-graph:${namespace}`, throwOnErrors: true });
    // Also between two calls. The next call shows whether it works again.
    keyv.on("error", (error: unknown) => {
      this.#connectionError = error instanceof Error ? error : undefined;
    });
    this.#namespaces.set(namespace, keyv);
    return keyv;
  }
}

/** Resolves once what has arrived by now has been read. */
const oneTurn = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined));
