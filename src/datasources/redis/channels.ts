import type { Connection } from "./connection.js";

/** Channels of their own that are listened to, across connections. */
export class Channels {
  readonly #heard = new Map<string, (message: string) => void>();

  constructor(
    private readonly connection: () => Connection | undefined,
    /** A connection does not bring what was asked for. */
    private readonly failed: (connection: Connection, error: unknown) => void,
  ) {}

  /** Hears what is published on one. The returned function stops that. */
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

  /** There is a connection again. */
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
