import type { Clock } from "@exchange-graph/contract/clock";
import type { Timers, Timings } from "./timings.js";

interface LivenessParts {
  readonly clock: Clock;
  readonly timings: Timings;
  readonly timers: Timers;
  readonly ping: () => void;
  /** Called when the connection stalls, and when everything that was under way has arrived. */
  readonly stalled: (isStalled: boolean) => void;
  /** Called when no message has followed a ping in time. */
  readonly silent: () => void;
}

/** A connection that brings messages again for this long has caught up, even if no answer to a ping is among them. */
const CAUGHT_UP_MS = 2_000;

/**
 * Checks whether a connection is alive: schedules pings, and waits for any message after them. A silent connection is stalled at
 * first: pushes may arrive late. It has caught up when the answer to the last ping arrives, because all earlier pushes arrive
 * before it.
 */
export class Liveness {
  #isPingDue = false;
  /** Whether it waits for a message after a ping. */
  #isSuspect = false;
  #lastReceivedAt: number;
  #isStalled = false;
  /** Time of the first message after it stalled. */
  #resumedAt: number | undefined;
  #unansweredPings = 0;

  constructor(private readonly parts: LivenessParts) {
    this.#lastReceivedAt = parts.clock.now();
  }

  /** Local time of the last message, Unix ms. */
  get lastReceivedAt(): number {
    return this.#lastReceivedAt;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Starts pinging, regularly and after silence. */
  start(): void {
    this.#bookPing();
    this.#watchForQuiet();
    this.#watchForStall();
  }

  received(): void {
    this.#lastReceivedAt = this.parts.clock.now();
    if (this.#isStalled) {
      this.#resumedAt ??= this.#lastReceivedAt;
      if (this.#lastReceivedAt - this.#resumedAt >= CAUGHT_UP_MS) this.#setStalled(false);
    }
    if (!this.#isSuspect) return;
    this.#isSuspect = false;
    this.parts.timers.stop("silence");
  }

  ponged(): void {
    this.#unansweredPings = Math.max(0, this.#unansweredPings - 1);
    if (this.#unansweredPings === 0) this.#setStalled(false);
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
    this.#unansweredPings++;
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
    const quietSinceMs = clock.now() - this.#lastReceivedAt;
    const isQuiet = quietSinceMs >= timings.quietMs;
    if (isQuiet) this.demandPing();
    timers.after("quiet", timings.quietMs - (isQuiet ? 0 : quietSinceMs), () => this.#watchForQuiet());
  }

  #watchForStall(): void {
    const { clock, timers, timings } = this.parts;
    const silentMs = clock.now() - this.#lastReceivedAt;
    if (silentMs >= timings.stalledMs && !this.#isStalled) this.#setStalled(true);
    timers.after("stall", silentMs >= timings.stalledMs ? timings.stalledMs : timings.stalledMs - silentMs, () =>
      this.#watchForStall(),
    );
  }

  #setStalled(isStalled: boolean): void {
    if (this.#isStalled === isStalled) return;
    this.#isStalled = isStalled;
    this.#resumedAt = undefined;
    this.parts.stalled(isStalled);
  }

  /** Waits from the first unanswered ping on. */
  #listenForLife(): void {
    if (this.#isSuspect) return;
    this.#isSuspect = true;
    const { timers, timings, silent } = this.parts;
    timers.after("silence", timings.silenceMs, silent);
  }
}
