import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import type { Clock } from "@exchange-graph/contract/clock";
import { PerCaller, SlidingWindow } from "../http/limits.js";

const ADDRESSES = 256;

/** Who may open a connection: a number at a time and a number in a while, by address. */
export class Admission {
  readonly #addresses = new PerCaller(ADDRESSES, () => ({
    open: 0,
    connects: new SlidingWindow(SOCKET_LIMITS.connects.limit, SOCKET_LIMITS.connects.windowMs),
  }));

  /** With `enforce` off everybody is let in. */
  constructor(
    private readonly clock: Clock,
    private readonly enforce: boolean,
  ) {}

  /** Lets a connection in; the returned function says that it is gone. Nothing where it is refused. */
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
