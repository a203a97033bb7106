import type { Clock } from "@exchange-graph/contract/clock";
import type { Timers } from "./timers.js";
import type { Timings } from "./timings.js";

interface LivenessParts {
  readonly clock: Clock;
  readonly timings: Timings;
  readonly timers: Timers;
  /** Called when a ping is due. */
  readonly ping: () => void;
  /** Called when nothing has followed a ping in time. */
  readonly silent: () => void;
}

/** Whether a connection still lives: when its pings are due, and whether anything follows them. */
export class Liveness {
  #isPingDue = false;
  /** Is a sign of life waited for? */
  #isSuspect = false;
  #heardAt: number;

  constructor(private readonly parts: LivenessParts) {
    this.#heardAt = parts.clock.now();
  }

  /** When anything came last, by this machine's clock, Unix ms. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Pings from now on, and whenever nothing has come for a while. */
  start(): void {
    this.#bookPing();
    this.#watchForQuiet();
  }

  /** Something has come. */
  hear(): void {
    this.#heardAt = this.parts.clock.now();
    if (!this.#isSuspect) return;
    this.#isSuspect = false;
    this.parts.timers.stop("silence");
  }

  /** Has a ping sent next. */
  demandPing(): void {
    this.#isPingDue = true;
    this.parts.ping();
  }

  /** Is a ping to be sent now? It counts as sent then. */
  takePing(): boolean {
    if (!this.#isPingDue) return false;
    this.#isPingDue = false;
    this.#listenForLife();
    return true;
  }

  #bookPing(): void {
    const { timers, timings } = this.parts;
    timers.after("ping", timings.pingMs, () => {
      this.demandPing();
      this.#bookPing();
    });
  }

  #watchForQuiet(): void {
    const { clock, timers, timings } = this.parts;
    const quietSinceMs = clock.now() - this.#heardAt;
    const isQuiet = quietSinceMs >= timings.quietMs;
    if (isQuiet) this.demandPing();
    timers.after("quiet", timings.quietMs - (isQuiet ? 0 : quietSinceMs), () => this.#watchForQuiet());
  }

  /** From the first ping on that nothing has followed. */
  #listenForLife(): void {
    if (this.#isSuspect) return;
    this.#isSuspect = true;
    const { timers, timings, silent } = this.parts;
    timers.after("silence", timings.silenceMs, silent);
  }
}
