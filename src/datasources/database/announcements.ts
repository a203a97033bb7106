import type { Clock } from "@exchange-graph/contract/clock";
import type { Client } from "pg";

/** The one channel of the server's `NOTIFY` that is used; what an announcement is about is its first word. */
const CHANNEL = "exchange_graph";

/** How often it is looked whether the connection still carries anything. */
const CHECK_MS = 2_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** Called with an announcement: what stands behind its first word. `undefined`: some may have been missed. */
type Hearer = (rest: string | undefined) => void;

/**
 * Announcements between replicas through the server (`LISTEN`). They are lost whenever the connection is: whoever
 * hears is notified, and looks for itself. Nothing may depend on hearing anything in time.
 */
export class Announcements {
  readonly #hearers = new Map<string, Set<Hearer>>();
  #client: Client | undefined;
  #cancel: (() => void) | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isClosed = false;

  constructor(
    private readonly connection: () => Client,
    private readonly clock: Clock,
  ) {}

  /** Hears what is announced under this word from now on; call what it gives to hear no more. */
  on(word: string, hearer: Hearer): () => void {
    const hearers = this.#hearers.get(word) ?? new Set();
    this.#hearers.set(word, hearers.add(hearer));
    if (this.#client === undefined && this.#cancel === undefined) this.#connect();
    return () => void hearers.delete(hearer);
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
    // It is reported once that a connection has ended, however that was.
    client.once("end", () => this.#ended(client));
    client.on("error", () => this.#ended(client));
    client.on("notification", ({ payload = "" }) => this.#announced(payload));
    this.#opened(client).catch(() => this.#ended(client));
  }

  async #opened(client: Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
    this.#pauseMs = FIRST_PAUSE_MS;
    for (const hearers of this.#hearers.values()) for (const hear of hearers) hear(undefined);
    this.#checkLater(client);
  }

  /** A connection that was cut without a word carries nothing, and looks like one on which nothing is said. */
  #checkLater(client: Client): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#cancel = this.clock.after(CHECK_MS, () => {
      client.query("SELECT 1").then(
        () => this.#checkLater(client),
        () => this.#ended(client),
      );
    });
  }

  #ended(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#cancel?.();
    client.end(() => undefined);
    if (this.#isClosed) return;
    this.#cancel = this.clock.after(this.#pauseMs, () => this.#connect());
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #announced(payload: string): void {
    const [word = "", ...rest] = payload.split(" ");
    for (const hear of this.#hearers.get(word) ?? []) hear(rest.join(" "));
  }
}
