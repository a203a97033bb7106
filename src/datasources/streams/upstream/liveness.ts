import type { Clock } from "@exchange-graph/contract/clock";
import type { Timers } from "./timers.js";
import type { Timings } from "./timings.js";

interface LivenessParts {
  readonly clock: Clock;
  readonly timings: Timings;
  readonly timers: Timers;
  /** Called when a ping is due. */
  readonly ping: () => void;
  /** Called when no message has followed a ping in time. */
  readonly silent: () => void;
}

/** Checks whether a connection is alive: schedules pings, and waits for any message after them. */
export class Liveness {
  #isPingDue = false;
  /** Whether it waits for a message after a ping. */
  #isSuspect = false;
  #heardAt: number;

  constructor(private readonly parts: LivenessParts) {
    this.#heardAt = parts.clock.now();
  }

  /** Local time of the last message, Unix ms. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /** Starts pinging, regularly and after silence. */
  start(): void {
    this.#bookPing();
    this.#watchForQuiet();
  }

  /** Records a message. */
  hear(): void {
    this.#heardAt = this.parts.clock.now();
    if (!this.#isSuspect) return;
    this.#isSuspect = false;
    this.parts.timers.stop("silence");
  }

  /** Makes a ping due now. */
  demandPing(): void {
    this.#isPingDue = true;
    this.parts.ping();
  }

  /** Whether a ping has to be sent now; then it counts as sent. */
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

  /** Waits from the first unanswered ping on. */
  #listenForLife(): void {
    if (this.#isSuspect) return;
    this.#isSuspect = true;
    const { timers, timings, silent } = this.parts;
    timers.after("silence", timings.silenceMs, silent);
  }
}
