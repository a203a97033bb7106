import { MINUTE_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { Instrument } from "../catalogue/instrument.js";
import { bits, rootOf } from "../random.js";
import { Grid } from "./grid.js";
import { type PricePath, type Stretch, TICK_MS } from "./path.js";

const PREMIUM_PARTS = 100_000;

export type Side = "buy" | "sell";

/** Kind of a price: the last trade's price, the mark price, or the index. */
export type PriceKind = "market" | "mark" | "index";

/**
 * An instrument on its price path. The market price follows the path with the instrument's premium, the index without it, and the
 * mark is the mean of both, so that all three move together and are bounded by the same bar of the path.
 */
export class Listing {
  readonly grid: Grid;
  /** `category/symbol`, unique in the world. */
  readonly name: string;
  /** Seed of all random draws of this listing. */
  readonly root: number;
  readonly #pointsPerStep: number;
  readonly #premium: Readonly<Record<PriceKind, number>>;
  readonly #lotUnits: number;
  readonly #worth: Exact;
  /** Latest prices by kind: many reads are of the same tick, and many ticks leave the price unchanged. */
  readonly #latest: Partial<Record<PriceKind, { tick: number; readonly steps: number; readonly price: Exact }>> = {};

  constructor(
    seed: string,
    readonly instrument: Instrument,
    readonly path: PricePath,
  ) {
    const { category, symbol, pricePrecision, quantityPrecision, making } = instrument;
    const { places } = path.underlying;
    this.grid = new Grid(pricePrecision, quantityPrecision);
    this.name = `${category}/${symbol}`;
    this.root = rootOf(`${seed}/listing/${this.name}`);
    this.#pointsPerStep = 10 ** (places - pricePrecision);
    this.#premium = { market: making.premium, mark: making.premium / 2, index: 0 };
    this.#lotUnits = this.grid.units(exact(making.lot));
    this.#worth = exact(making.lot).div(exact(String(10 ** places)));
  }

  /** Converts a price of the path to a price of this instrument, in steps. */
  stepsOf(points: number, kind: PriceKind = "market"): number {
    return Math.floor((points * (PREMIUM_PARTS + this.#premium[kind])) / (PREMIUM_PARTS * this.#pointsPerStep));
  }

  /** The price at a tick, in steps. */
  steps(tick: number, kind: PriceKind = "market"): number {
    return this.stepsOf(this.path.tick(tick).price, kind);
  }

  price(tick: number, kind: PriceKind = "market"): Exact {
    const latest = this.#latest[kind];
    if (latest?.tick === tick) return latest.price;
    const steps = this.steps(tick, kind);
    if (latest?.steps === steps) {
      latest.tick = tick;
      return latest.price;
    }
    const price = this.grid.price(steps);
    this.#latest[kind] = { tick, steps, price };
    return price;
  }

  /** Range of prices, in steps, within a period, including its opening price. */
  range(stretch: Stretch, kind: PriceKind = "market"): { readonly low: number; readonly high: number } {
    const { low, high } = this.path.stretch(stretch);
    return { low: this.stepsOf(low, kind), high: this.stepsOf(high, kind) };
  }

  volumeOf(activity: number): Exact {
    return this.grid.quantity(activity * this.#lotUnits);
  }

  /** Turnover of an activity times price, in quote coin. */
  turnoverOf(worth: number): Exact {
    return this.#worth.times(exact(String(worth)));
  }

  takerSide(tick: number): Side {
    return bits(this.root, tick) % 2 === 0 ? "buy" : "sell";
  }
}

/** The tick that contains a time. */
export const tickAt = (at: number): number => Math.floor(at / TICK_MS);
/** Start of a tick, Unix ms. */
export const timeOf = (tick: number): number => tick * TICK_MS;
/** Number of the minute that contains a time. */
export const minuteAt = (at: number): number => Math.floor(at / MINUTE_MS);
