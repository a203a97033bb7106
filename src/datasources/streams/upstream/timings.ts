import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { type Clock, HOUR_MS } from "@exchange-graph/contract/clock";

/** Timeouts and intervals of connections to the exchange, in ms. */
export interface Timings {
  /** Timeout of opening a connection, and of a login. */
  readonly connectMs: number;
  /** Maximum interval of text pings: the exchange closes a connection that sends none. */
  readonly pingMs: number;
  /** Silence after which a connection is pinged out of turn. */
  readonly quietMs: number;
  /** Silence after which pushes may be overdue, because the ping was not answered either. */
  readonly stalledMs: number;
  /** Silence after a ping after which the connection counts as dead. */
  readonly silenceMs: number;
  readonly ackMs: number;
  /** The first pause before a reconnection, and the longest; it doubles with each failed attempt. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Age at which a connection is replaced, before the exchange closes it; with jitter, so that not all are replaced at once. */
  readonly retireMs: number;
  readonly retireSpreadMs: number;
  /** Time for which the replaced connection is still read. */
  readonly overlapMs: number;
  /** Maximum time that a connection with a former key waits for a successor with the new key. */
  readonly reloginMs: number;
  /** Time for which a connection without topics is kept. */
  readonly idleMs: number;
}

export const TIMINGS: Timings = {
  connectMs: 10_000,
  pingMs: SOCKET_LIMITS.pingMs,
  quietMs: 1_500,
  stalledMs: 2_750,
  silenceMs: 11_000,
  ackMs: 10_000,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  retireMs: SOCKET_LIMITS.lifetimeMs - 2 * HOUR_MS,
  retireSpreadMs: HOUR_MS,
  overlapMs: 3_000,
  reloginMs: 30_000,
  idleMs: 5_000,
};

/** Timers by name: setting a timer again replaces its former task. */
export class Timers {
  readonly #booked = new Map<string, () => void>();

  constructor(private readonly clock: Clock) {}

  after(name: string, ms: number, task: () => void): void {
    this.stop(name);
    const run = (): void => {
      this.#booked.delete(name);
      task();
    };
    this.#booked.set(name, this.clock.after(ms, run));
  }

  has(name: string): boolean {
    return this.#booked.has(name);
  }

  stop(name: string): void {
    this.#booked.get(name)?.();
    this.#booked.delete(name);
  }

  stopAll(): void {
    for (const cancel of this.#booked.values()) cancel();
    this.#booked.clear();
  }
}
