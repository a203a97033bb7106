import type { Clock } from "@exchange-graph/contract/clock";
import { StoreUnreachable } from "../../../../src/datasources/errors/index.js";
import type { Connection } from "./redisConnection.js";

/** Redis cannot be reached, or has not answered in time. */
export class EngineUnreachable extends StoreUnreachable {}

interface Listener {
  /** Whether this is the current connection. Data from another one is ignored. */
  readonly isOn: (connection: Connection) => boolean;
  /** Called for each answer. Both times are monotonic. */
  readonly answered: (at: number, sentAt: number) => void;
}

/** Running commands, each with a deadline. */
export class Commands {
  #unanswered = 0;
  /** Time of the last answer, or the last time at which no command was waiting. */
  #answeredAt = 0;

  constructor(
    private readonly parts: { readonly clock: Clock; readonly monotonic: () => number },
    private readonly listener: Listener,
  ) {}

  /** Time for which commands have been waiting without any answer. */
  get silentMs(): number {
    return this.#unanswered === 0 ? 0 : this.parts.monotonic() - this.#answeredAt;
  }

  /** Throws `EngineUnreachable` if there is no answer in time. */
  send(connection: Connection, command: readonly string[], withinMs: number): Promise<unknown> {
    const sentAt = this.parts.monotonic();
    if (this.#unanswered++ === 0) this.#answeredAt = sentAt;
    return new Promise((resolve, reject) => {
      const cancel = this.late(withinMs, () => reject(new EngineUnreachable(`no answer within ${withinMs} ms`)));
      const ended = () => {
        cancel();
        this.#unanswered--;
        this.#answeredAt = this.parts.monotonic();
      };
      connection.send(command).then(
        (reply) => {
          ended();
          if (this.listener.isOn(connection)) this.listener.answered(this.#answeredAt, sentAt);
          resolve(reply);
        },
        (error: unknown) => {
          ended();
          reject(this.listener.isOn(connection) ? error : new EngineUnreachable(messageOf(error)));
        },
      );
    });
  }

  /** The connection that is being opened; one that opens too late is closed. */
  opened(opening: Promise<Connection>, withinMs: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const cancel = this.late(withinMs, () => {
        isLate = true;
        reject(new EngineUnreachable(`no connection within ${withinMs} ms`));
      });
      opening.then((connection) => {
        cancel();
        if (isLate) connection.destroy();
        else resolve(connection);
      }, reject);
    });
  }

  /** Runs a timeout after pending input was processed, which may have arrived while this process was busy. */
  late(ms: number, task: () => void): () => void {
    let cancel = this.parts.clock.after(ms, () => {
      cancel = this.parts.clock.after(0, task);
    });
    return () => cancel();
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
