import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import type { Clock } from "@exchange-graph/contract/clock";

/** Messages per window that are left unused, because messages may arrive closer together. */
const SPARE = 3;
/** Evenly spaced messages stay below the limit in every window, wherever the exchange's own begins. */
const SPACING_MS = Math.ceil(SOCKET_LIMITS.messages.windowMs / (SOCKET_LIMITS.messages.limit - SPARE));

/**
 * Sends one message at a time, at least `SPACING_MS` apart. The content of a message is requested at the last moment, so that it
 * includes everything that has accumulated.
 */
export class PacedSender {
  #earliest = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly next: () => string | undefined,
    private readonly send: (text: string) => void,
  ) {}

  /** There may be a message to send. */
  wake(): void {
    if (this.#cancel !== undefined) return;
    const wait = this.#earliest - this.clock.now();
    if (wait > 0) {
      this.#sleep(wait);
      return;
    }
    const text = this.next();
    if (text === undefined) return;
    this.#earliest = this.clock.now() + SPACING_MS;
    this.#sleep(SPACING_MS);
    this.send(text);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #sleep(ms: number): void {
    this.#cancel = this.clock.after(ms, () => {
      this.#cancel = undefined;
      this.wake();
    });
  }
}
