import type { Clock } from "@exchange-graph/contract/clock";

/**
 * What shows that somebody else spends the same limit: the exchange counts more calls than have left here (`counted`), or
 * refuses one although there was budget for it (`refused`).
 */
export type Sign = "counted" | "refused";

/** A counter that is shared with somebody. */
export interface SharedCounter {
  /** An account's name, or `IP` for everything that leaves from this address. */
  readonly counter: string;
  /** The part of each of its limits that is used here, from 1/8 up to 1. */
  readonly share: number;
  /** When the last sign was seen, Unix ms. */
  readonly noticedAt: number;
}

/** Hears of every sign. */
export type NeighbourObserver = (counter: string, sign: Sign, share: number) => void;

/** The most that is used beside a neighbour, and the least that is left to us however many there are. */
const BESIDE_A_NEIGHBOUR = 1 / 2;
const LEAST = 1 / 8;
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
}

/**
 * Notices others that spend the same limits of the exchange without a budget in common, another gateway with the same
 * keys above all, and leaves them room: half of each limit as soon as there is somebody, half of that again with each
 * refusal, and slowly more while there is none. Whoever does the same ends up beside us without refusals.
 */
export class Neighbours {
  readonly #known = new Map<string, Known>();
  /** When a count was too high for the first time, by counter. */
  readonly #suspectedAt = new Map<string, number>();

  /** `observer` hears of every sign. */
  constructor(
    private readonly clock: Clock,
    private readonly observer: NeighbourObserver | undefined,
  ) {}

  /** The part of each limit of a counter that may be used. */
  share(counter: string): number {
    const known = this.#known.get(counter);
    return known === undefined ? 1 : this.#grown(counter, known).share;
  }

  noticed(counter: string, sign: Sign): void {
    const now = this.clock.now();
    if (sign === "counted" && !this.#known.has(counter) && !this.#isConfirmed(counter, now)) return;
    this.#suspectedAt.delete(counter);
    const known = this.#known.get(counter) ?? { share: 1, noticedAt: now, refusedAt: Number.NEGATIVE_INFINITY, changedAt: now };
    const before = this.#grown(counter, known).share;
    this.#known.set(counter, known);
    known.noticedAt = now;
    known.share = Math.min(before, BESIDE_A_NEIGHBOUR);
    if (sign === "refused" && now - known.refusedAt >= ONE_REFUSAL_MS) {
      known.refusedAt = now;
      if (before <= BESIDE_A_NEIGHBOUR) known.share = Math.max(LEAST, before / 2);
    }
    if (known.share !== before || sign === "refused") known.changedAt = now;
    this.observer?.(counter, sign, known.share);
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
    const most = now - known.noticedAt > GONE_AFTER_MS ? 1 : BESIDE_A_NEIGHBOUR;
    known.share = Math.min(Math.max(most, known.share), known.share + steps * STEP);
    known.changedAt += steps * STEP_MS;
    if (known.share >= 1) this.#known.delete(counter);
    return known;
  }
}
