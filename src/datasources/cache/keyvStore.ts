import { Keyv, type KeyvStoreAdapter } from "keyv";
import type { AnswerStore, Entry, Fresh } from "./answerStore.js";

/** Keeps answers in a store that Keyv speaks to. */
export class KeyvStore implements AnswerStore {
  readonly #store: Keyv;

  /** `onError` hears when the store fails; the call then goes to the exchange as if nothing had been cached. */
  constructor(store: KeyvStoreAdapter, onError: ((error: unknown) => void) | undefined) {
    this.#store = new Keyv({ store, namespace: "exchange-graph" });
    this.#store.on("error", (error: unknown) => onError?.(error));
  }

  /** It is elsewhere, or may be. */
  peek(): undefined {
    return undefined;
  }

  get(key: string): Promise<Entry | undefined> {
    return this.#store.get<Entry>(key);
  }

  /** A row that could not be read is an error, which does not travel: such an answer is not kept. */
  async set(key: string, { value, askedAt, isWhole }: Fresh, lifetimeMs: number): Promise<void> {
    if (isWhole) await this.#store.set(key, { value, askedAt, isWhole } satisfies Entry, lifetimeMs);
  }

  async close(): Promise<void> {
    await this.#store.disconnect();
  }
}
