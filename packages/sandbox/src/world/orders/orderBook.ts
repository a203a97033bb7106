import type { Side } from "../market/listing.js";
import type { Order } from "./order.js";

/** A resting order with its price in steps, by which books are sorted. */
export interface Resting {
  readonly order: Order;
  readonly steps: number;
}

/** The users' resting orders of one listing, best price first, at equal prices the older one first. */
export class OrderBook {
  readonly #bids: Resting[] = [];
  readonly #asks: Resting[] = [];

  /** The orders of a side, best first. */
  side(side: Side): readonly Resting[] {
    return side === "buy" ? this.#bids : this.#asks;
  }

  best(side: Side): Resting | undefined {
    return this.side(side)[0];
  }

  add(resting: Resting): void {
    const { order, steps } = resting;
    const orders = order.side === "buy" ? this.#bids : this.#asks;
    const isBehind = order.side === "buy" ? (other: Resting) => other.steps >= steps : (other: Resting) => other.steps <= steps;
    let low = 0;
    let high = orders.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = orders[middle];
      if (other !== undefined && isBehind(other)) low = middle + 1;
      else high = middle;
    }
    orders.splice(low, 0, resting);
  }

  remove(order: Order): void {
    const orders = order.side === "buy" ? this.#bids : this.#asks;
    const at = orders.findIndex((resting) => resting.order === order);
    if (at !== -1) orders.splice(at, 1);
  }

  get isEmpty(): boolean {
    return this.#bids.length === 0 && this.#asks.length === 0;
  }

  /** Resting quantity of a side by price, best first, in units. */
  levels(side: Side, unitsOf: (order: Order) => number): { steps: number; units: number }[] {
    const levels: { steps: number; units: number }[] = [];
    for (const { order, steps } of this.side(side)) {
      const units = unitsOf(order);
      const last = levels.at(-1);
      if (last?.steps === steps) last.units += units;
      else levels.push({ steps, units });
    }
    return levels;
  }
}
