import type { Clock } from "@exchange-graph/contract/clock";
import { StoreGone } from "../ports/relayStore.js";
import type { Connection } from "./connection.js";

/** The engine cannot be asked, or has not answered in time. */
export class EngineGone extends StoreGone {}

interface Listener {
  /** Is this the connection that is used? What comes over another one says nothing any more. */
  readonly isOn: (connection: Connection) => boolean;
  /** An answer came over it; `at` by the monotonic clock. */
  readonly answered: (at: number) => void;
}

/** Commands under way, each with a deadline. */
export class Commands {
  #unanswered = 0;
  /** When there was last an answer, or nothing that waited for one. */
  #answeredAt = 0;

  constructor(
    private readonly parts: { readonly clock: Clock; readonly monotonic: () => number },
    private readonly listener: Listener,
  ) {}

  /** For how long nothing has been answered while there was something to answer. */
  get silentMs(): number {
    return this.#unanswered === 0 ? 0 : this.parts.monotonic() - this.#answeredAt;
  }

  /** Throws `EngineGone` when there is no answer in time. */
  send(connection: Connection, command: readonly string[], withinMs: number): Promise<unknown> {
    if (this.#unanswered++ === 0) this.#answeredAt = this.parts.monotonic();
    return new Promise((resolve, reject) => {
      const cancel = this.late(withinMs, () => reject(new EngineGone(`no answer within ${withinMs} ms`)));
      const ended = () => {
        cancel();
        this.#unanswered--;
        this.#answeredAt = this.parts.monotonic();
      };
      connection.send(command).then(
        (reply) => {
          ended();
          if (this.listener.isOn(connection)) this.listener.answered(this.#answeredAt);
          resolve(reply);
        },
        (error: unknown) => {
          ended();
          reject(this.listener.isOn(connection) ? error : new EngineGone(messageOf(error)));
        },
      );
    });
  }

  /** The connection that is being opened; one that comes too late is let go of. */
  opened(opening: Promise<Connection>, withinMs: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const cancel = this.late(withinMs, () => {
        isLate = true;
        reject(new EngineGone(`no connection within ${withinMs} ms`));
      });
      opening.then((connection) => {
        cancel();
        if (isLate) connection.destroy();
        else resolve(connection);
      }, reject);
    });
  }

  /** What has come while this process was busy is looked at before it is too late. */
  late(ms: number, task: () => void): () => void {
    let cancel = this.parts.clock.after(ms, () => {
      cancel = this.parts.clock.after(0, task);
    });
    return () => cancel();
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
