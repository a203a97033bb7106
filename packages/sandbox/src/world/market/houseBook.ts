import { exact } from "@exchange-graph/contract/decimal";
import { bits } from "../random.js";
import type { Listing, Side } from "./listing.js";

/** A price level: price in steps, quantity in units. */
export interface Level {
  readonly steps: number;
  readonly units: number;
}

/** Time for which the size of a level is constant, in ticks. Levels change at different times. */
const LEVEL_LIFE = 64;
/** Number of steps next to the market that are quoted without gaps. */
const DENSE_STEPS = 5;
/** Number of levels per side. */
export const BOOK_DEPTH = 200;
/** Maximum number of levels with taken quantities; older ones are dropped. */
const TAKEN_BOUND = 4_096;

interface Taken {
  readonly life: number;
  readonly units: number;
}

/**
 * The generated liquidity around the price path. The size of a level depends only on the seed, the level and the tick, minus the
 * quantity that users have taken; taken quantities are reset when a new size is drawn.
 */
export class HouseBook {
  readonly #taken = new Map<number, Taken>();
  readonly #depthUnits: number;

  constructor(readonly listing: Listing) {
    this.#depthUnits = listing.grid.units(exact(listing.instrument.making.depth));
  }

  /** The best generated price for a taker of `side`, in steps, whether or not it has any quantity left. */
  best(side: Side, tick: number): number {
    const last = this.listing.steps(tick);
    const ofTaker = this.listing.takerSide(tick) === side;
    if (ofTaker) return last;
    return side === "buy" ? last + 1 : last - 1;
  }

  /** The levels for a taker of `side`, best first, without empty ones. */
  *levels(side: Side, tick: number): Generator<Level> {
    const best = this.best(side, tick);
    const { spacing } = this.listing.instrument.making;
    const away = side === "buy" ? 1 : -1;
    for (let rank = 0, steps = best; rank < BOOK_DEPTH && steps > 0; rank++) {
      const units = this.left(side, steps, tick);
      if (units > 0) yield { steps, units };
      const isDense = Math.abs(steps + away - best) < DENSE_STEPS;
      steps = isDense ? steps + away : nextMultiple(steps, spacing, away);
    }
  }

  /** The best level with remaining quantity. */
  first(side: Side, tick: number): Level | undefined {
    for (const level of this.levels(side, tick)) return level;
    return undefined;
  }

  /** Remaining quantity of a level for a taker of `side`, in units. */
  left(side: Side, steps: number, tick: number): number {
    const life = this.#life(side, steps, tick);
    const taken = this.#taken.get(keyOf(side, steps));
    const drawn = bits(this.listing.root, steps, life, side === "buy" ? 2 : 3) / 0x1_0000_0000;
    const size = 1 + Math.floor(this.#depthUnits * drawn * drawn);
    return taken?.life === life ? Math.max(0, size - taken.units) : size;
  }

  /** Records that a user has taken `units` from a level. */
  take(side: Side, steps: number, tick: number, units: number): void {
    const life = this.#life(side, steps, tick);
    const key = keyOf(side, steps);
    const before = this.#taken.get(key);
    this.#taken.set(key, { life, units: (before?.life === life ? before.units : 0) + units });
    if (this.#taken.size > TAKEN_BOUND) this.#forget(tick);
  }

  #life(side: Side, steps: number, tick: number): number {
    return Math.floor((tick + (bits(this.listing.root, steps, 0, side === "buy" ? 4 : 5) % LEVEL_LIFE)) / LEVEL_LIFE);
  }

  #forget(tick: number): void {
    const oldest = Math.floor(tick / LEVEL_LIFE);
    for (const [key, { life }] of this.#taken) if (life < oldest) this.#taken.delete(key);
  }
}

const keyOf = (side: Side, steps: number): number => steps * 2 + (side === "buy" ? 0 : 1);

/** The next multiple of `spacing` beyond `steps` in a direction. */
function nextMultiple(steps: number, spacing: number, away: 1 | -1): number {
  return away === 1 ? (Math.floor(steps / spacing) + 1) * spacing : (Math.ceil(steps / spacing) - 1) * spacing;
}
