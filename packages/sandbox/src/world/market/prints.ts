import type { Exact } from "@exchange-graph/contract/decimal";
import { bound } from "../../bounded.js";
import { minuteAt, type Side } from "./listing.js";

/** A trade with a user on one side. */
export interface Print {
  readonly execId: string;
  /** Groups the fills of one taker order. */
  readonly execLinkId: string;
  /** Unix ms. */
  readonly at: number;
  readonly price: Exact;
  readonly quantity: Exact;
  /** The taker's side. */
  readonly side: Side;
}

interface PrintSum {
  readonly high: Exact;
  readonly low: Exact;
  readonly quantity: Exact;
  readonly value: Exact;
}

const LATEST = 500;
/** Maximum number of minutes with trades for which sums are kept. */
const SUMMED_MINUTES = 4_096;

/** The users' trades of one listing: the latest individually, older ones as sums per minute. */
export class Prints {
  readonly #latest: Print[] = [];
  readonly #sums = new Map<number, PrintSum>();

  add(print: Print): void {
    this.#latest.push(print);
    if (this.#latest.length > 2 * LATEST) this.#latest.splice(0, LATEST);
    const minute = minuteAt(print.at);
    const { price, quantity } = print;
    this.#sums.set(minute, merged(this.#sums.get(minute), { high: price, low: price, quantity, value: price.times(quantity) }));
    bound(this.#sums, SUMMED_MINUTES);
  }

  /** The latest trades, newest first. */
  latest(): readonly Print[] {
    return this.#latest.slice(-LATEST).reverse();
  }

  /** Sum of the trades from `from` to before `to`, both on full minutes, Unix ms; undefined without trades. */
  sum(from: number, to: number): PrintSum | undefined {
    const [first, last] = [minuteAt(from), minuteAt(to - 1)];
    // Iterates over the smaller set: the requested minutes, or those with trades.
    const minutes = last - first < this.#sums.size ? span(first, last) : this.#sums.keys();
    let sum: PrintSum | undefined;
    for (const minute of minutes) {
      const part = minute >= first && minute <= last ? this.#sums.get(minute) : undefined;
      if (part !== undefined) sum = merged(sum, part);
    }
    return sum;
  }

  get isEmpty(): boolean {
    return this.#sums.size === 0;
  }
}

function* span(first: number, last: number): Generator<number> {
  for (let minute = first; minute <= last; minute++) yield minute;
}

const merged = (before: PrintSum | undefined, next: PrintSum): PrintSum =>
  before === undefined
    ? next
    : {
        high: before.high.gt(next.high) ? before.high : next.high,
        low: before.low.lt(next.low) ? before.low : next.low,
        quantity: before.quantity.plus(next.quantity),
        value: before.value.plus(next.value),
      };
