import type { Clock } from "@exchange-graph/contract/clock";

/** Maximum age of a sample: machine clocks drift. */
const SAMPLE_LIFE_MS = 60_000;
/** Number of samples; fewer than half of them may be wrong. */
const SAMPLES = 9;
/** The clocks of the exchange's servers may differ by this much. */
const TOLERANCE_MS = 1_000;

/** A sample of the exchange's time from one answer. */
interface Sample {
  /** Server time minus the middle of the call, ms: off by half of its duration at most. */
  readonly offset: number;
  readonly wait: number;
  readonly at: number;
}

/**
 * The exchange's time, estimated from the server time in its answers. A signature is valid for thirty seconds around that time,
 * so with a wrong machine clock calls would be refused.
 *
 * A single answer may be wrong: cached by a proxy, or from a server with a wrong clock. It does not move a known clock. The
 * median of the latest samples decides which of them agree, and of those the one with the shortest call is used.
 */
export class ExchangeClock {
  #samples: readonly Sample[] = [];
  #offset = 0;
  #errorMs = 0;

  constructor(private readonly clock: Clock) {}

  /** Server time minus local time, in milliseconds; 0 before the first answer. */
  get offsetMs(): number {
    return this.#offset;
  }

  /** Whether there was a sample. */
  get isKnown(): boolean {
    return this.#samples.length > 0;
  }

  /** The exchange's time now, Unix ms. */
  now(): number {
    return this.clock.now() + this.#offset;
  }

  /** Maximum error of the estimate, ms: half the duration of the call that it is taken from. */
  get errorMs(): number {
    return this.#errorMs;
  }

  /** Lower bound of the exchange's time now, Unix ms. */
  earliest(): number {
    return this.now() - this.#errorMs;
  }

  /** Adds a sample: when a call was sent and answered, by the local clock, and the server time of the answer. */
  observe(sentAt: number, receivedAt: number, serverTime: number): void {
    const sample = { offset: serverTime - (sentAt + receivedAt) / 2, wait: receivedAt - sentAt, at: receivedAt };
    const recent: Sample[] = [];
    for (const one of this.#samples) if (receivedAt - one.at < SAMPLE_LIFE_MS) recent.push(one);
    if (recent.length >= SAMPLES) recent.splice(0, recent.length - SAMPLES + 1);
    recent.push(sample);
    this.#samples = recent;
    const { offset, wait } = this.#bestOf(sample);
    this.#offset = Math.round(offset);
    this.#errorMs = Math.ceil(wait / 2);
  }

  /** Drops all samples. */
  reset(): void {
    this.#samples = [];
    this.#offset = 0;
    this.#errorMs = 0;
  }

  /** The most exact of the samples that agree with the median. */
  #bestOf(latest: Sample): Sample {
    const median = this.#medianOf(latest);
    let best = median;
    for (const sample of this.#samples) {
      const isNear = Math.abs(sample.offset - median.offset) <= (sample.wait + median.wait) / 2 + TOLERANCE_MS;
      if (isNear && sample.wait <= best.wait) best = sample;
    }
    return best;
  }

  /** Of an even number of samples, the middle one that is closer to the current offset. */
  #medianOf(latest: Sample): Sample {
    const sorted = inOrder(this.#samples);
    const lower = sorted[(sorted.length - 1) >> 1] ?? latest;
    const upper = sorted[sorted.length >> 1] ?? latest;
    return Math.abs(upper.offset - this.#offset) < Math.abs(lower.offset - this.#offset) ? upper : lower;
  }
}

/** Sorted by offset. There are few, and every answer adds one: insertion takes a tenth of the time of sorting. */
function inOrder(samples: readonly Sample[]): readonly Sample[] {
  const sorted: Sample[] = [];
  for (const sample of samples) {
    let at = sorted.length;
    for (let before = sorted[at - 1]; before !== undefined && before.offset > sample.offset; before = sorted[at - 1]) {
      sorted[at] = before;
      at--;
    }
    sorted[at] = sample;
  }
  return sorted;
}
