import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { HOUR_MS } from "@exchange-graph/contract/clock";

/** How long the upstream side waits for what. All in ms. */
export interface Timings {
  /** Until a connection is open, and until a login is answered. */
  readonly connectMs: number;
  /** From one text ping to the next at most: the exchange closes a connection that sends none. */
  readonly pingMs: number;
  /** A connection on which nothing has come for this long is pinged out of turn. */
  readonly quietMs: number;
  /** After a ping without any sign of life the connection counts as dead. */
  readonly silenceMs: number;
  /** Until a request to subscribe is answered. */
  readonly ackMs: number;
  /** The first pause before connecting again, and the longest; it doubles with each try that fails. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** The age at which a connection is replaced, before the exchange closes it. Spread, so that not all go at once. */
  readonly retireMs: number;
  readonly retireSpreadMs: number;
  /** How long the replaced connection is still listened to. */
  readonly overlapMs: number;
  /** How long a connection that was logged in with a key that has been replaced may wait for one with the new key. */
  readonly reloginMs: number;
  /** How long a connection without topics is kept. */
  readonly idleMs: number;
}

/** The defaults. */
export const TIMINGS: Timings = {
  connectMs: 10_000,
  pingMs: SOCKET_LIMITS.pingMs,
  quietMs: 2_500,
  silenceMs: 10_000,
  ackMs: 10_000,
  firstPauseMs: 500,
  longestPauseMs: 30_000,
  retireMs: SOCKET_LIMITS.lifetimeMs - 2 * HOUR_MS,
  retireSpreadMs: HOUR_MS,
  overlapMs: 3_000,
  reloginMs: 30_000,
  idleMs: 5_000,
};
