import { MINUTE_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { Instrument } from "../catalogue/instrument.js";
import { bits, rootOf } from "../random.js";
import { Grid } from "./grid.js";
import { type PricePath, type Stretch, TICK_MS } from "./path.js";

/** Parts per which a premium is quoted. */
const PREMIUM_PARTS = 100_000;

/** Between which prices, in steps, something stayed. */
interface StepRange {
  readonly low: number;
  readonly high: number;
}

export type Side = "buy" | "sell";

/** A trade among the house's own. */
interface HouseTrade {
  readonly steps: number;
  /** Quantity in units. */
  readonly units: number;
  /** The taker's side. */
  readonly side: Side;
}

/** What is asked for: the last trade's price, the mark price, or the index. */
export type PriceKind = "market" | "mark" | "index";

/**
 * An instrument on its price path. The market price follows the path with the instrument's premium, the index without
 * it, the mark halfway between the two, so that all three rise and fall together and a bar of the path bounds them all.
 */
export class Listing {
  readonly grid: Grid;
  /** `category/symbol`, unique in the world. */
  readonly name: string;
  /** The root of everything that is drawn for this listing. */
  readonly root: number;
  readonly #pointsPerStep: number;
  readonly #premium: Readonly<Record<PriceKind, number>>;
  readonly #lotUnits: number;
  readonly #worth: Exact;
  /** What was asked for last: within a tick everybody asks for the same, and many a tick leaves the price as it was. */
  readonly #latest: Partial<Record<PriceKind, { tick: number; readonly steps: number; readonly price: Exact }>> = {};

  constructor(
    seed: string,
    readonly instrument: Instrument,
    readonly path: PricePath,
  ) {
    const { category, symbol, pricePrecision, priceStep, quantityPrecision, making } = instrument;
    const { places } = path.underlying;
    this.grid = new Grid(pricePrecision, priceStep, quantityPrecision);
    this.name = `${category}/${symbol}`;
    this.root = rootOf(`${seed}/listing/${this.name}`);
    this.#pointsPerStep = priceStep * 10 ** (places - pricePrecision);
    this.#premium = { market: making.premium, mark: making.premium / 2, index: 0 };
    this.#lotUnits = this.grid.units(exact(making.lot));
    this.#worth = exact(making.lot).div(exact(String(10 ** places)));
  }

  /** A price of the path as a price of this instrument, in steps. */
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

  /** Between which prices, in steps, a stretch stays, the price that it begins with included. */
  range(stretch: Stretch, kind: PriceKind = "market"): StepRange {
    const { low, high } = this.path.stretch(stretch);
    return { low: this.stepsOf(low, kind), high: this.stepsOf(high, kind) };
  }

  /** The quantity behind trading activity, in base coin. */
  volumeOf(activity: number): Exact {
    return this.grid.quantity(activity * this.#lotUnits);
  }

  /** The turnover behind trading activity times price, in quote coin. */
  turnoverOf(worth: number): Exact {
    return this.#worth.times(exact(String(worth)));
  }

  /** Who took the initiative at a tick. */
  takerSide(tick: number): Side {
    return bits(this.root, tick) % 2 === 0 ? "buy" : "sell";
  }

  /** What the house traded at a tick; nothing in a quiet one. */
  trade(tick: number): HouseTrade | undefined {
    const { price, activity } = this.path.tick(tick);
    if (activity === 0) return undefined;
    return { steps: this.stepsOf(price), units: activity * this.#lotUnits, side: this.takerSide(tick) };
  }
}

/** The tick that a time falls into. */
export const tickAt = (at: number): number => Math.floor(at / TICK_MS);
/** When a tick begins, Unix ms. */
export const timeOf = (tick: number): number => tick * TICK_MS;
/** The number of the minute that holds a moment. */
export const minuteAt = (at: number): number => Math.floor(at / MINUTE_MS);
