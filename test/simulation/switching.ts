import { SECOND_MS } from "@exchange-graph/contract/clock";
import type { Answer } from "@exchange-graph/sandbox/http/answer";
import type { Invariant } from "./auditor.js";
import type { Call } from "./line.js";
import type { Payload } from "./operations.js";
import type { VirtualTime } from "./time.js";

/** Time from its start until a gateway knows the users of its accounts and has read which switches are armed, ms. */
const STARTED_MS = 15_000;
/** So long after a call without an answer, or after it has lost Redis, a gateway may have no slot of the rate limit, ms. */
const SLOTLESS_MS = 6_000;
/** Interval at which gateways read what others have armed, with the time that takes, ms. */
const KNOWN_MS = 11_500;

interface Parts {
  readonly time: VirtualTime;
  /** Number of gateways. */
  readonly replicas: number;
  /** Keys of the user. */
  readonly isOfUser: (key: string | undefined) => boolean;
  readonly fail: (invariant: Invariant, text: string) => void;
}

/**
 * Judges a user's dead man's switch by the calls that the exchange executes. It must not fire while there is a gateway that could
 * prevent it: one that has run without a disturbance for as long as the switch counts, and has known of it before. At the end it is
 * as the last write has left it.
 */
export class Switches {
  /** The last call that was executed. */
  #last: { readonly at: number; readonly seconds: number } | undefined;
  /** Since when each gateway runs undisturbed and knows the switch, world time; infinity while it does not run. */
  readonly #ableSince: number[];
  /** The last write that was asked for, with its outcome if it was asked for alone; writes without an answer. */
  #written: { readonly seconds: number; readonly isAccepted: boolean } | undefined;
  #open = 0;
  #suffersUntil = Number.NEGATIVE_INFINITY;
  #isDisputed = false;

  constructor(private readonly parts: Parts) {
    this.#ableSince = Array.from({ length: parts.replicas }, () => Number.POSITIVE_INFINITY);
  }

  /** A gateway serves. */
  serves(place: number): void {
    this.#ableSince[place] = this.parts.time.now + STARTED_MS;
  }

  /** A gateway has ended. */
  ended(place: number): void {
    this.#ableSince[place] = Number.POSITIVE_INFINITY;
  }

  /** A gateway has no time to run. */
  paused(place: number, forMs: number): void {
    this.#disturbed(place, this.parts.time.now + forMs);
  }

  /** All lines to the exchange, or to Redis, suffer. */
  lineSuffers(forMs: number): void {
    const until = this.parts.time.now + forMs + SLOTLESS_MS;
    for (let place = 0; place < this.parts.replicas; place++) this.#disturbed(place, until);
  }

  /**
   * A gateway that is still to learn of the switch learns of it later. One that knows it needs no database, unless a write that waits
   * for the journal, there or at another gateway, has the only slot of the rate limit.
   */
  databaseSuffers(forMs: number): void {
    const { now } = this.parts.time;
    this.#suffersUntil = Math.max(this.#suffersUntil, now + forMs);
    for (const [place, since] of this.#ableSince.entries())
      if (since > now || this.#open > 0) this.#disturbed(place, now + forMs + STARTED_MS);
  }

  asked(): void {
    this.#isDisputed = this.#open > 0;
    this.#open++;
    const leftMs = this.#suffersUntil - this.parts.time.now;
    if (leftMs > 0) this.lineSuffers(leftMs + STARTED_MS);
  }

  /** `outcome`: undefined if nothing was sent, null if that is not known. */
  answered(place: number, seconds: number, outcome: Payload["outcome"] | undefined): void {
    this.#open--;
    // Of two writes at the same time it is not known which is the last.
    if (outcome !== undefined && outcome !== "REJECTED")
      this.#written = { seconds, isAccepted: outcome === "ACCEPTED" && !this.#isDisputed };
    if (this.#open > 0) this.#isDisputed = true;
    const { now } = this.parts.time;
    for (let other = 0; other < this.parts.replicas; other++) if (other !== place) this.#disturbed(other, now + KNOWN_MS);
  }

  answeredCall({ endpoint, body, key }: Call, { code }: Answer): void {
    if (endpoint !== "countdownCancelAll" || code !== "00000" || !this.parts.isOfUser(key)) return;
    const { time } = this.parts;
    const last = { at: time.now, seconds: Number(body.countdown) };
    this.#last = last;
    if (last.seconds === 0) return;
    time.at("switch", last.at + last.seconds * SECOND_MS, () => {
      if (this.#last === last) this.#fires(last);
    });
  }

  /** What the last write has left must hold, long after the faults. */
  check(): void {
    const { seconds, isAccepted } = this.#written ?? { seconds: 0, isAccepted: false };
    if (!isAccepted || this.#open > 0) return;
    const isCounting = this.#last !== undefined && this.#last.at + this.#last.seconds * SECOND_MS > this.parts.time.now;
    const now = isCounting ? this.#last?.seconds : 0;
    if (now !== seconds) this.parts.fail("switch", `it counts ${now} s, and the last write has made it ${seconds} s`);
  }

  #disturbed(place: number, until: number): void {
    this.#ableSince[place] = Math.max(this.#ableSince[place] ?? Number.POSITIVE_INFINITY, until);
  }

  #fires({ at, seconds }: { readonly at: number; readonly seconds: number }): void {
    const able = this.#ableSince.findIndex((since) => since <= at);
    if (able !== -1)
      this.parts.fail("switch", `it has fired after ${seconds} s, though gateway ${able + 1} could have prevented it`);
  }
}
