import type { Connection } from "./connection.js";

/** Subscribed channels, kept across connections. */
export class Channels {
  readonly #heard = new Map<string, (message: string) => void>();

  constructor(
    private readonly connection: () => Connection | undefined,
    /** Called if a connection cannot subscribe. */
    private readonly failed: (connection: Connection, error: unknown) => void,
  ) {}

  /** Subscribes to a channel until the returned function is called. */
  hear(channel: string, heard: (message: string) => void): () => void {
    this.#heard.set(channel, heard);
    this.#subscribe(channel);
    return () => {
      if (this.#heard.get(channel) !== heard) return;
      this.#heard.delete(channel);
      const connection = this.connection();
      connection?.unsubscribe(channel).catch((error: unknown) => this.failed(connection, error));
    };
  }

  /** Subscribes again on a new connection. */
  begin(): void {
    for (const channel of this.#heard.keys()) this.#subscribe(channel);
  }

  #subscribe(channel: string): void {
    const connection = this.connection();
    connection
      ?.subscribe(channel, (message) => this.#heard.get(channel)?.(message))
      .catch((error: unknown) => this.failed(connection, error));
  }
}
