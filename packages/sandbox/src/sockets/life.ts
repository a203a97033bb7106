import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import type { Clock } from "@exchange-graph/contract/clock";

interface LifetimeHandlers {
  /** It has not sent a `ping` for too long. */
  onSilence(): void;
  /** It will be closed soon because of its age. */
  onWarning(): void;
  onMaxAge(): void;
}

/** Lifetime of a connection: as long as it sends `ping`, and at most a day. */
export class Life {
  #pingedAt: number;
  #cancelSilence: () => void;
  #cancelAge: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly handlers: LifetimeHandlers,
  ) {
    this.#pingedAt = clock.now();
    this.#cancelSilence = clock.after(SOCKET_LIMITS.silenceMs, () => this.#listen());
    this.#cancelAge = clock.after(SOCKET_LIMITS.lifetimeMs - SOCKET_LIMITS.warningMs, () => {
      this.#cancelAge = clock.after(SOCKET_LIMITS.warningMs, () => handlers.onMaxAge());
      handlers.onWarning();
    });
  }

  pinged(): void {
    this.#pingedAt = this.clock.now();
  }

  stop(): void {
    this.#cancelSilence();
    this.#cancelAge();
  }

  /** One timer for the timeout rather than one per ping. */
  #listen(): void {
    const left = this.#pingedAt + SOCKET_LIMITS.silenceMs - this.clock.now();
    if (left <= 0) this.handlers.onSilence();
    else this.#cancelSilence = this.clock.after(left, () => this.#listen());
  }
}
