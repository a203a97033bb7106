import type { Clock } from "@exchange-graph/contract/clock";
import type { ListenerClient } from "./driver.js";

/** The only `NOTIFY` channel; the first word of a payload is its topic. */
const CHANNEL = "exchange_graph";

/** Interval of checks whether the connection still works. */
const CHECK_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Called with a payload after its first word. `undefined`: some may have been missed. */
type Announced = (rest: string | undefined) => void;

/**
 * Announcements between replicas through the server (`LISTEN`). They are lost when the connection is lost; listeners are then
 * notified, and have to check for themselves. Nothing may depend on timely delivery.
 */
export class Announcements {
  readonly #listeners = new Map<string, Set<Announced>>();
  #client: ListenerClient | undefined;
  #cancel: (() => void) | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isClosed = false;

  constructor(
    private readonly connection: () => ListenerClient,
    private readonly clock: Clock,
  ) {}

  /** Calls `listener` with announcements of this topic until the returned function is called. */
  on(word: string, listener: Announced): () => void {
    const listeners = this.#listeners.get(word) ?? new Set();
    this.#listeners.set(word, listeners.add(listener));
    if (this.#client === undefined && this.#cancel === undefined) this.#connect();
    return () => void listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#client?.end();
  }

  #connect(): void {
    if (this.#isClosed) return;
    const client = this.connection();
    this.#client = client;
    // The end of a connection is reported once, for any cause.
    client.once("end", () => this.#ended(client));
    client.on("error", () => this.#ended(client));
    client.on("notification", ({ payload = "" }) => this.#announced(payload));
    this.#opened(client).catch(() => this.#ended(client));
  }

  async #opened(client: ListenerClient): Promise<void> {
    await client.connect();
    await client.query({ text: `LISTEN ${CHANNEL}` });
    this.#pauseMs = FIRST_PAUSE_MS;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener(undefined);
    this.#checkLater(client);
  }

  /** A connection that was cut silently looks like one without announcements, so it is checked. */
  #checkLater(client: ListenerClient): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#cancel = this.clock.after(CHECK_MS, () => {
      client.query({ text: "SELECT 1" }).then(
        () => this.#checkLater(client),
        () => this.#ended(client),
      );
    });
  }

  #ended(client: ListenerClient): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#cancel?.();
    // The connection has ended in any case.
    void Promise.allSettled([client.end()]);
    if (this.#isClosed) return;
    this.#cancel = this.clock.after(this.#pauseMs, () => this.#connect());
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #announced(payload: string): void {
    const [word = "", ...rest] = payload.split(" ");
    for (const listener of this.#listeners.get(word) ?? []) listener(rest.join(" "));
  }
}
