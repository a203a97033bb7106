import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { ADDRESS_LIMIT } from "@exchange-graph/contract/endpoint";
import { COSTS } from "./sizing.js";

/** Connection attempts per window that the gateway uses. It keeps 50 of those that the exchange allows in reserve. */
const CONNECTS = SOCKET_LIMITS.connects.limit - 50;
/** Half of the attempts may be used at once; the other half is spread over the whole window. */
const AT_ONCE = CONNECTS / 2;
const PACE_MS = SOCKET_LIMITS.connects.windowMs / AT_ONCE;
const ROUND_TRIP_MS = 50;
/** Handshake, login and subscription, then the reconciliation calls in parallel. */
const ROUND_TRIPS = 4;

/**
 * Virtual time in ms until all accounts of one address are live again, if all its sockets are lost `times` in a row, each time as
 * soon as all are connected. Connects wait for the limit of attempts, calls for the rate limit of the address.
 */
export function recoveryMs(sockets: number, times: number): number {
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

/** Reserves the earliest time from `earliest` on at which one more event keeps the limit in every window, and returns it. */
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
