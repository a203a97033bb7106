import type { Clock } from "@exchange-graph/contract/clock";

/** A sample older than this no longer counts: machine clocks drift. */
const SAMPLE_LIFE_MS = 60_000;
/** So many samples are kept: fewer than half of them may be wrong. */
const SAMPLES = 9;
/** The exchange has many servers, whose clocks may differ by this much. */
const TOLERANCE_MS = 1_000;

/** What one answer says about the exchange's time. */
interface Sample {
  /** Server time minus the middle of our wait, ms: off by half the wait at most. */
  readonly offset: number;
  readonly wait: number;
  readonly at: number;
}

/**
 * The exchange's time, estimated from the server time in its answers. A signature is valid for thirty seconds around
 * that time, so a machine whose own clock is off would otherwise be refused.
 *
 * One answer may be wrong: old because something on the way had kept it, or from a server whose clock is off. It does
 * not move a clock that is known. The median of the latest answers says which of them agree, and of those the one with
 * the shortest wait is taken.
 */
export class ExchangeClock {
  #samples: readonly Sample[] = [];
  #offset = 0;
  #errorMs = 0;

  constructor(private readonly clock: Clock) {}

  /** Server time minus our time, in milliseconds; 0 until the first answer. */
  get offsetMs(): number {
    return this.#offset;
  }

  /** Is the exchange's time known yet? */
  get isKnown(): boolean {
    return this.#samples.length > 0;
  }

  /** The exchange's time now, Unix ms. */
  now(): number {
    return this.clock.now() + this.#offset;
  }

  /** How far off the estimate may be, ms: half the wait for the answer that it is taken from. */
  get errorMs(): number {
    return this.#errorMs;
  }

  /** What it is at the exchange at least, Unix ms. */
  earliest(): number {
    return this.now() - this.#errorMs;
  }

  /** Takes one answer: when it was asked for and came (our clock), and the server time it carried. */
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

  /** Forgets what it knew: the next answer sets the offset again. */
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

  /** An even number of samples has two in the middle: the one that is nearer to what is believed already. */
  #medianOf(latest: Sample): Sample {
    const sorted = inOrder(this.#samples);
    const lower = sorted[(sorted.length - 1) >> 1] ?? latest;
    const upper = sorted[sorted.length >> 1] ?? latest;
    return Math.abs(upper.offset - this.#offset) < Math.abs(lower.offset - this.#offset) ? upper : lower;
  }
}

/** By their offsets. There are few, and every answer of the exchange brings one: inserting takes a tenth of what sorting does. */
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
