import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import type { Clock } from "@exchange-graph/contract/clock";

/** What becomes of a connection in the end. */
export interface Endings {
  /** It has not said `ping` for too long. */
  silent(): void;
  /** It is going to be closed soon. */
  warned(): void;
  /** It has reached its age. */
  aged(): void;
}

/** How long a connection lives: as long as it says `ping`, and no longer than a day. */
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

  /** It has said `ping`. */
  pinged(): void {
    this.#pingedAt = this.clock.now();
  }

  /** It is over. */
  stop(): void {
    this.#cancelSilence();
    this.#cancelAge();
  }

  /** One timer per silence rather than one per ping. */
  #listen(): void {
    const left = this.#pingedAt + SOCKET_LIMITS.silenceMs - this.clock.now();
    if (left <= 0) this.endings.silent();
    else this.#cancelSilence = this.clock.after(left, () => this.#listen());
  }
}
