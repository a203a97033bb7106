import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { ADDRESS_LIMIT } from "@exchange-graph/contract/endpoint";
import { COSTS } from "./sizing.js";

/** Of the attempts to connect that the exchange allows per window, the gateway leaves some unused. */
const CONNECTS = SOCKET_LIMITS.connects.limit - 50;
/** Half of them at once; the other half is given out over a whole window. */
const AT_ONCE = CONNECTS / 2;
const PACE_MS = SOCKET_LIMITS.connects.windowMs / AT_ONCE;
const ROUND_TRIP_MS = 50;
/** Handshake, login and subscription, then the calls of the reconciliation side by side. */
const ROUND_TRIPS = 4;

/**
 * How long until every account of one address is live again, in ms of virtual time, when all its sockets broke
 * `times` in a row, each time as soon as they stood. Connects wait for attempts, calls for the address's limit.
 */
export function comeback(sockets: number, times: number): number {
  const attempts: number[] = [];
  const calls: number[] = [];
  let now = 0;
  for (let time = 0; time < times; time++) {
    let last = now;
    for (let socket = 0; socket < sockets; socket++) {
      const connectedAt = slot(attempts, now, CONNECTS, SOCKET_LIMITS.connects.windowMs, (taken, free) =>
        taken < AT_ONCE ? free : Math.max(free, (attempts.at(-1) ?? free) + PACE_MS),
      );
      let readAt = connectedAt + (ROUND_TRIPS - 1) * ROUND_TRIP_MS;
      for (let call = 0; call < COSTS.callsPerReconciliation; call++) {
        readAt = slot(calls, readAt, ADDRESS_LIMIT.limit, ADDRESS_LIMIT.windowMs, (_taken, free) => free);
      }
      last = Math.max(last, readAt + ROUND_TRIP_MS);
    }
    now = last;
  }
  return now;
}

/** The time from `earliest` on at which one more fits into any stretch of the window; it is taken. */
function slot(
  taken: number[],
  earliest: number,
  limit: number,
  windowMs: number,
  pace: (within: number, free: number) => number,
): number {
  const oldest = taken.length >= limit ? (taken.at(-limit) ?? 0) + windowMs : earliest;
  const free = Math.max(earliest, oldest);
  const within = taken.filter((at) => at > free - windowMs).length;
  const at = pace(within, free);
  taken.push(at);
  return at;
}
