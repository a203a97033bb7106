import type { Clock } from "@exchange-graph/contract/clock";
import type { Sign } from "../../instrumentation/events.js";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";

/** A counter that is shared with somebody. */
export interface SharedCounter {
  /** An account's name, or `IP` for everything that leaves from this address. */
  readonly counter: string;
  /** The part of each of its limits that is used here, from 1/8 up to 1. */
  readonly share: number;
  /** When the last sign was seen, Unix ms. */
  readonly noticedAt: number;
}

/** The most that is used beside a neighbour, and the least that is left to us however many there are. */
const BESIDE_A_NEIGHBOUR = 1 / 2;
const LEAST = 1 / 8;
/** When most calls have been refused for this long at the least share, leaving more room does not help: the neighbour takes whatever there is. */
const IN_VAIN_AFTER_MS = 20_000;
/** So few refusals say nothing. */
const IN_VAIN_REFUSALS = 5;
/** Refusals closer together than this are one: they were on their way when the first was understood. */
const ONE_REFUSAL_MS = 3_000;
/**
 * A count alone may be a call of ours that arrived late, or one of the process before this one. It is a sign when there is
 * another one this much later, and not later than a neighbour is remembered.
 */
const AGAIN_AFTER_MS = 1_000;
/** A neighbour that has shown no sign for this long may have gone. */
const GONE_AFTER_MS = 30_000;
/** How the share grows again while nothing is refused: by this much, each time this long has passed. */
const STEP = 1 / 16;
const STEP_MS = 15_000;

/** What is known of one counter. */
interface Known {
  share: number;
  noticedAt: number;
  refusedAt: number;
  /** When the share last changed. */
  changedAt: number;
  /** Since when it is the least, and what has come of calls since then. */
  least: { readonly since: number; refused: number; answered: number } | undefined;
  /** Does the neighbour take whatever is left to it? Then it is left half, and no more. */
  isGreedy: boolean;
}

/**
 * Notices others that spend the same limits of the exchange without a budget in common, another gateway with the same
 * keys above all, and leaves them room: half of each limit as soon as there is somebody, half of that again with each
 * refusal, and slowly more while there is none. Whoever does the same ends up beside us without refusals. Whoever does not,
 * and takes what it can get, is left half: to leave it more would cost us our part and spare no refusal.
 */
export class Neighbours {
  readonly #known = new Map<string, Known>();
  /** When a count was too high for the first time, by counter. */
  readonly #suspectedAt = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly instrumentation: Instrumentation = INSTRUMENTATION,
  ) {}

  /** The part of each limit of a counter that may be used. */
  share(counter: string): number {
    const known = this.#known.get(counter);
    return known === undefined ? 1 : this.#grown(counter, known).share;
  }

  /** A call has passed. */
  answered(counter: string): void {
    const least = this.#known.get(counter)?.least;
    if (least !== undefined) least.answered++;
  }

  noticed(counter: string, sign: Sign): void {
    const now = this.clock.now();
    if (sign === "counted" && !this.#known.has(counter) && !this.#isConfirmed(counter, now)) return;
    this.#suspectedAt.delete(counter);
    const known = this.#known.get(counter) ?? newlyKnown(now);
    const before = this.#grown(counter, known).share;
    this.#known.set(counter, known);
    known.noticedAt = now;
    known.share = Math.min(before, BESIDE_A_NEIGHBOUR);
    if (sign === "refused" && known.least !== undefined) known.least.refused++;
    if (sign === "refused" && now - known.refusedAt >= ONE_REFUSAL_MS) {
      known.refusedAt = now;
      if (before <= BESIDE_A_NEIGHBOUR) shrink(known, before, now);
    }
    if (known.share !== before || sign === "refused") known.changedAt = now;
    this.instrumentation.neighbourSign.publish({ counter, sign, share: known.share });
  }

  /**
   * The part of the limit of all calls from this address that may be used. The exchange does not report that count: a
   * neighbour may share the address, or the keys alone. It is taken to share both, because over the limit the address is
   * shut out for minutes.
   */
  addressShare(): number {
    return this.shared().length === 0 ? 1 : BESIDE_A_NEIGHBOUR;
  }

  /** Counters that are not used whole. */
  shared(): readonly SharedCounter[] {
    return [...this.#known].flatMap(([counter, known]) => {
      const { share, noticedAt } = this.#grown(counter, known);
      return share < 1 ? [{ counter, share, noticedAt }] : [];
    });
  }

  #isConfirmed(counter: string, now: number): boolean {
    const since = now - (this.#suspectedAt.get(counter) ?? Number.NEGATIVE_INFINITY);
    if (since > GONE_AFTER_MS) this.#suspectedAt.set(counter, now);
    return since >= AGAIN_AFTER_MS && since <= GONE_AFTER_MS;
  }

  /** Lets the share grow by the time that has passed. One that is whole again is forgotten. */
  #grown(counter: string, known: Known): Known {
    const now = this.clock.now();
    const steps = Math.floor((now - known.changedAt) / STEP_MS);
    if (steps <= 0) return known;
    const isGone = now - known.noticedAt > GONE_AFTER_MS;
    const most = isGone ? 1 : BESIDE_A_NEIGHBOUR;
    known.least = undefined;
    if (isGone) known.isGreedy = false;
    known.share = Math.min(Math.max(most, known.share), known.share + steps * STEP);
    known.changedAt += steps * STEP_MS;
    if (known.share >= 1) this.#known.delete(counter);
    return known;
  }
}

const newlyKnown = (now: number): Known => ({
  share: 1,
  noticedAt: now,
  refusedAt: Number.NEGATIVE_INFINITY,
  changedAt: now,
  least: undefined,
  isGreedy: false,
});

/** Leaves a neighbour half of what was ours, as long as that helps. */
function shrink(known: Known, before: number, now: number): void {
  known.share = known.isGreedy ? BESIDE_A_NEIGHBOUR : Math.max(LEAST, before / 2);
  if (known.share > LEAST) return;
  known.least ??= { since: now, refused: 0, answered: 0 };
  const { since, refused, answered } = known.least;
  if (now - since < IN_VAIN_AFTER_MS || refused < IN_VAIN_REFUSALS || refused <= answered) return;
  known.isGreedy = true;
  known.share = BESIDE_A_NEIGHBOUR;
}
