import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from "@exchange-graph/contract/clock";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { ClockEvent } from "../../../instrumentation/events.js";

/** Maximum age of a sample: machine clocks drift. */
const SAMPLE_LIFE_MS = 60_000;
/** Number of samples; fewer than half of them may be wrong. */
const SAMPLES = 9;
/** The clocks of the exchange's servers may differ by this much. */
const TOLERANCE_MS = 1_000;
/** The estimate counts as established once this many samples agree. */
const ESTABLISHED_BY = 3;
/** A sample further than this from an established estimate is a jump: a signature can be valid for one of the two times only. */
const JUMP_MS = TIMESTAMP_WINDOW_MS;
/** A jump of the system clock, and how well it has to agree with the exchange's. */
const STEP_MS = 5 * SECOND_MS;
/** Without any evidence a jump is adopted if the exchange states nothing else for this long. */
const UNDISPUTED_MS = MINUTE_MS;
/** A machine's clock that differs from the exchange's by more may be right: then the exchange's is ahead. */
const SKEW_MS = MINUTE_MS;
/** How far ahead rows are looked for after the clock was set back, ms. The shortest window of a list of the exchange is as long. */
const MAX_SET_BACK_MS = 7 * DAY_MS;

/** A sample of the exchange's time from one answer. */
interface Sample {
  /** Server time minus the middle of the call, ms: off by half of its duration at most. */
  readonly offset: number;
  readonly wait: number;
  readonly at: number;
}

interface Contradiction {
  readonly since: number;
  readonly samples: readonly Sample[];
  /** Whether the exchange has accepted a signature for the estimated time meanwhile. */
  readonly isRefuted: boolean;
}

interface ClockParts {
  /** Monotonic clock, which drives the estimate: a step of the system clock does not move it. Default: the system clock. */
  readonly steady?: Clock;
  readonly report?: (event: ClockEvent) => void;
}

/**
 * The exchange's time, estimated from the server time in its answers. A signature is valid for thirty seconds around that time,
 * so with a wrong machine clock calls would be refused.
 *
 * A single answer may be wrong: cached by a proxy, or from a server with a wrong clock. It does not move a known clock. The
 * median of the latest samples decides which of them agree, and of those the one with the shortest call is used.
 *
 * Between samples the estimate advances with the machine's monotonic clock. Once several samples agree, a jump that this clock
 * contradicts is adopted only with evidence beyond the stated time: the exchange refuses signatures for the estimated time and
 * accepts one for the stated time; or the system clock has made the same jump, as after a suspension; or the exchange states
 * nothing else for a minute and has accepted no signature for the estimated time. Even then the exchange may be wrong, and right
 * again later: `beyondDoubt` follows such a jump only after a day.
 */
export class ExchangeClock {
  #samples: readonly Sample[] = [];
  #offset = 0;
  #errorMs = 0;
  #isEstablished = false;
  #contradiction: Contradiction | undefined;
  /** Difference of system and monotonic clock at the last sample that agreed, ms. */
  #slip = 0;
  /** How far jumps without a witness on this machine have moved the estimate ahead, and when the last one was adopted. */
  #ahead = 0;
  #jumpedAt = Number.NEGATIVE_INFINITY;
  /** When the estimate last moved further than by its error. */
  #steppedAt = Number.NEGATIVE_INFINITY;
  /** The latest time from which the estimate was set back, Unix ms. */
  #setBackFrom = 0;
  readonly #steady: Clock;

  constructor(
    private readonly clock: Clock,
    private readonly parts: ClockParts = {},
  ) {
    this.#steady = parts.steady ?? clock;
  }

  /** Server time minus local time, in milliseconds; 0 before the first answer. */
  get offsetMs(): number {
    return this.isKnown ? Math.round(this.#offset - this.#slipNow()) : 0;
  }

  /** Whether there was a sample. */
  get isKnown(): boolean {
    return this.#samples.length > 0;
  }

  /** The exchange's time now, Unix ms. */
  now(): number {
    return this.isKnown ? this.#steady.now() + this.#offset : this.clock.now();
  }

  /** Maximum error of the estimate, ms: half the duration of the call that it is taken from. */
  get errorMs(): number {
    return this.#errorMs;
  }

  /** Lower bound of the exchange's time now, Unix ms. */
  earliest(): number {
    return this.now() - this.#errorMs;
  }

  /** Lower bound even if the exchange has been wrong since its jumps of the last day, Unix ms: for limits of a day. */
  beyondDoubt(): number {
    return this.earliest() - this.aheadMs;
  }

  /** How far jumps that nothing on this machine confirms have moved the time ahead within the last day, ms. */
  get aheadMs(): number {
    if (!this.#isEstablished) return this.offsetMs > SKEW_MS ? this.offsetMs : 0;
    return this.#steady.now() - this.#jumpedAt < DAY_MS ? this.#ahead : 0;
  }

  /** Time since the estimate last jumped, ms: a request from before may still be executed until its validity has passed. */
  get sinceStepMs(): number {
    return this.#steady.now() - this.#steppedAt;
  }

  /**
   * The latest time from which the exchange's clock was set back, Unix ms; 0 if it never was. What happened before may be dated up to
   * it, and thereby later than now. It is at most a week ahead, however far the clock was set back.
   */
  get setBackFrom(): number {
    return this.#setBackFrom;
  }

  /** By how much the latest answers contradict the estimate, ms; undefined if they agree, or only a single one does not. */
  get contradictionMs(): number | undefined {
    const latest = this.#contradiction?.samples.at(-1);
    if (latest === undefined || (this.#contradiction?.samples.length ?? 0) < ESTABLISHED_BY) return undefined;
    return this.#steady.now() - latest.at < SAMPLE_LIFE_MS ? Math.round(latest.offset - this.#offset) : undefined;
  }

  /** Whether a signature may be refused for its time: answers contradict the estimate, and the exchange has not decided. */
  get isInDoubt(): boolean {
    if (!this.#isEstablished) return this.#samples.some((sample) => this.#isFar(sample.offset, sample));
    return this.#contradiction !== undefined && !this.#contradiction.isRefuted;
  }

  /** The time for a signature after one was refused: as the refusal states it. */
  stated(): number {
    const latest = this.#contradiction?.samples.at(-1);
    return latest === undefined ? this.now() : Math.round(this.#steady.now() + latest.offset);
  }

  /** Local time of calls, ms, for `observe`. */
  local(): number {
    return this.#steady.now();
  }

  /** Adds a sample: when a call was sent and answered, by `local`, and the server time of the answer. */
  observe(sentAt: number, receivedAt: number, serverTime: number): void {
    const sample = { offset: serverTime - (sentAt + receivedAt) / 2, wait: receivedAt - sentAt, at: receivedAt };
    if (this.#isEstablished && this.#isFar(sample.offset, sample)) {
      this.#contradicted(sample);
      return;
    }
    this.#contradiction = undefined;
    this.#samples = among(this.#samples, sample);
    const best = this.#bestOf(sample);
    this.#moveTo(best);
    this.#slip = this.#slipNow();
    if (!this.#isEstablished) this.#establish(best);
  }

  /** A signature for this time was accepted, in a call that was sent at this local time. */
  accepted(signedAt: number, sentAt: number): void {
    const offset = signedAt - sentAt;
    if (!this.#isEstablished && !this.#isFar(offset))
      this.#samples = this.#samples.filter((sample) => !this.#isFar(sample.offset, sample));
    const contradiction = this.#contradiction;
    if (contradiction === undefined) return;
    if (!this.#isFar(offset)) this.#contradiction = { ...contradiction, since: this.#steady.now(), isRefuted: true };
    else {
      const stated = contradiction.samples.findLast((sample) => Math.abs(sample.offset - offset) <= STEP_MS + sample.wait / 2);
      if (stated !== undefined) this.#adopt(stated, false);
    }
  }

  /** A signature was refused for its time. The next sample is that of the refusal. */
  refused(): void {
    if (!this.#isEstablished) this.#samples = [];
    else if (this.#contradiction !== undefined) this.#contradiction = { ...this.#contradiction, isRefuted: false };
  }

  #isFar(offset: number, { wait }: Pick<Sample, "wait"> = { wait: 0 }): boolean {
    return Math.abs(offset - this.#offset) > JUMP_MS + wait / 2;
  }

  #moveTo({ offset, wait }: Sample): void {
    const before = this.now();
    const byMs = offset - this.#offset;
    const errorMs = this.#errorMs + wait / 2;
    if (this.#isEstablished && Math.abs(byMs) > errorMs + 2 * TOLERANCE_MS) this.#steppedAt = this.#steady.now();
    this.#offset = Math.round(offset);
    this.#errorMs = Math.ceil(wait / 2);
    if (this.#isEstablished && byMs < -errorMs)
      this.#setBackFrom = Math.min(Math.max(this.#setBackFrom, before), this.now() + MAX_SET_BACK_MS);
  }

  /** The first estimate that several samples agree on. If the system clock contradicts it, either may be wrong. */
  #establish(best: Sample): void {
    if (this.#samples.filter((sample) => isNear(sample, best)).length < ESTABLISHED_BY) return;
    this.#isEstablished = true;
    const skew = this.offsetMs;
    if (Math.abs(skew) <= SKEW_MS) return;
    // If the system clock is right, the exchange's is ahead.
    this.#ahead = Math.max(0, skew);
    this.#jumpedAt = this.#steady.now();
    this.#steppedAt = this.#jumpedAt;
    this.parts.report?.({ kind: "skewed", byMs: skew });
  }

  #contradicted(sample: Sample): void {
    const before = this.#contradiction ?? { since: sample.at, samples: [], isRefuted: false };
    const contradiction = { ...before, samples: among(before.samples, sample) };
    this.#contradiction = contradiction;
    const byMs = sample.offset - this.#offset;
    const slipMs = this.#slipNow() - this.#slip;
    const isWitnessed = Math.abs(byMs - slipMs) <= STEP_MS + sample.wait / 2;
    const isUndisputed =
      !contradiction.isRefuted &&
      sample.at - contradiction.since >= UNDISPUTED_MS &&
      contradiction.samples.length >= ESTABLISHED_BY &&
      contradiction.samples.every((one) => isNear(one, sample));
    if (isWitnessed || isUndisputed) this.#adopt(sample, isWitnessed);
    else if (contradiction.samples.length === ESTABLISHED_BY && before.samples.length < ESTABLISHED_BY)
      this.parts.report?.({ kind: "contradicted", byMs: Math.round(byMs) });
  }

  #adopt(sample: Sample, isWitnessed: boolean): void {
    const byMs = Math.round(sample.offset - this.#offset);
    if (!isWitnessed) {
      this.#ahead = Math.max(0, this.aheadMs + byMs);
      this.#jumpedAt = this.#steady.now();
    }
    this.#contradiction = undefined;
    this.#samples = [sample];
    this.#moveTo(sample);
    this.#slip = this.#slipNow();
    this.parts.report?.({ kind: "jumped", byMs, isWitnessed });
  }

  #slipNow(): number {
    return this.clock.now() - this.#steady.now();
  }

  /** The most exact of the samples that agree with the median. */
  #bestOf(latest: Sample): Sample {
    const median = this.#medianOf(latest);
    let best = median;
    for (const sample of this.#samples) if (isNear(sample, median) && sample.wait <= best.wait) best = sample;
    return best;
  }

  /** Of an even number of samples, the middle one that is closer to the current offset. */
  #medianOf(latest: Sample): Sample {
    const sorted = this.#samples.toSorted((one, other) => one.offset - other.offset);
    const lower = sorted[(sorted.length - 1) >> 1] ?? latest;
    const upper = sorted[sorted.length >> 1] ?? latest;
    return Math.abs(upper.offset - this.#offset) < Math.abs(lower.offset - this.#offset) ? upper : lower;
  }
}

const isNear = (one: Sample, other: Sample): boolean =>
  Math.abs(one.offset - other.offset) <= (one.wait + other.wait) / 2 + TOLERANCE_MS;

/** The latest samples, with this one as the last. */
const among = (samples: readonly Sample[], sample: Sample): readonly Sample[] =>
  [...samples.filter(({ at }) => sample.at - at < SAMPLE_LIFE_MS), sample].slice(-SAMPLES);
