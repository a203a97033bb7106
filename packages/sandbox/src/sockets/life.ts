import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import type { Clock } from "@exchange-graph/contract/clock";

/** Callbacks for the end of a connection. */
export interface Endings {
  /** It has not sent a `ping` for too long. */
  silent(): void;
  /** It will be closed soon. */
  warned(): void;
  /** It has reached its maximum age. */
  aged(): void;
}

/** Lifetime of a connection: as long as it sends `ping`, and at most a day. */
export class Life {
  #pingedAt: number;
  #cancelSilence: () => void;
  #cancelAge: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly endings: Endings,
  ) {
    this.#pingedAt = clock.now();
    this.#cancelSilence = clock.after(SOCKET_LIMITS.silenceMs, () => this.#listen());
    this.#cancelAge = clock.after(SOCKET_LIMITS.lifetimeMs - SOCKET_LIMITS.warningMs, () => {
      this.#cancelAge = clock.after(SOCKET_LIMITS.warningMs, () => endings.aged());
      endings.warned();
    });
  }

  /** Called for each `ping`. */
  pinged(): void {
    this.#pingedAt = this.clock.now();
  }

  /** Called when the connection is closed. */
  stop(): void {
    this.#cancelSilence();
    this.#cancelAge();
  }

  /** One timer for the timeout rather than one per ping. */
  #listen(): void {
    const left = this.#pingedAt + SOCKET_LIMITS.silenceMs - this.clock.now();
    if (left <= 0) this.endings.silent();
    else this.#cancelSilence = this.clock.after(left, () => this.#listen());
  }
}
