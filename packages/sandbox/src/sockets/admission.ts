import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import type { Clock } from "@exchange-graph/contract/clock";
import { PerCaller, SlidingWindow } from "../http/rateLimits.js";

const ADDRESSES = 256;

/** Limits of connections: open ones and new ones per window, by address. */
export class Admission {
  readonly #addresses = new PerCaller(ADDRESSES, () => ({
    open: 0,
    connects: new SlidingWindow(SOCKET_LIMITS.connects.limit, SOCKET_LIMITS.connects.windowMs),
  }));

  /** With `enforce` off all connections are admitted. */
  constructor(
    private readonly clock: Clock,
    private readonly enforce: boolean,
  ) {}

  /** Admits a connection; the returned function releases it. Undefined if it is refused. */
  admit(address: string): (() => void) | undefined {
    const caller = this.#addresses.of(address);
    const isWithin = caller.connects.take(this.clock.now()) && caller.open < SOCKET_LIMITS.connections;
    if (!isWithin && this.enforce) return undefined;
    caller.open++;
    return () => {
      caller.open--;
    };
  }
}
