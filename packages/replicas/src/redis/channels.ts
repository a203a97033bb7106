import type { Connection } from "./redisConnection.js";

/** Subscribed channels, kept across connections. */
export class Channels {
  readonly #listeners = new Map<string, (message: string) => void>();

  constructor(
    private readonly connection: () => Connection | undefined,
    /** Called if a connection cannot subscribe. */
    private readonly failed: (connection: Connection, error: unknown) => void,
  ) {}

  /** Subscribes to a channel until the returned function is called. */
  listen(channel: string, listener: (message: string) => void): () => void {
    this.#listeners.set(channel, listener);
    this.#subscribe(channel);
    return () => {
      if (this.#listeners.get(channel) !== listener) return;
      this.#listeners.delete(channel);
      const connection = this.connection();
      connection?.unsubscribe(channel).catch((error: unknown) => this.failed(connection, error));
    };
  }

  /** Subscribes again on a new connection. */
  begin(): void {
    for (const channel of this.#listeners.keys()) this.#subscribe(channel);
  }

  #subscribe(channel: string): void {
    const connection = this.connection();
    connection
      ?.subscribe(channel, (message) => this.#listeners.get(channel)?.(message))
      .catch((error: unknown) => this.failed(connection, error));
  }
}
