import type { BookChannel, BookPush, StreamedLevel } from "@exchange-graph/contract/channels/book";
import type { Argument, Push } from "@exchange-graph/contract/channels/channel";
import { bookChecksum } from "@exchange-graph/contract/channels/checksum";
import { everyItem } from "../../../../contract/test/channels/support/pushed.js";

/** What went wrong with a push, in the words of the rule that it broke. */
export type Flaw = "gap" | "checksum";

/** All prices of a book have the same number of places: without the point they are whole numbers. */
const unitsOf = ([price]: StreamedLevel): number => Number.parseInt(price.replace(".", ""), 10);

const isEmpty = ([, ...sizes]: StreamedLevel): boolean => sizes.every((size) => /^[0.]+$/.test(size));

/** One side of a book, best price first. */
class Side {
  readonly #keys: number[] = [];
  readonly levels: StreamedLevel[] = [];

  /** `direction` is 1 where the lowest price is the best, else -1. */
  constructor(readonly direction: 1 | -1) {}

  set(level: StreamedLevel): void {
    const key = unitsOf(level) * this.direction;
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    const isThere = this.#keys[low] === key;
    if (isThere && !isEmpty(level)) {
      this.levels[low] = level;
      return;
    }
    if (!isThere && isEmpty(level)) return;
    this.#keys.splice(low, isThere ? 1 : 0, ...(isThere ? [] : [key]));
    this.levels.splice(low, isThere ? 1 : 0, ...(isThere ? [] : [level]));
  }
}

/** An order book as a subscriber keeps it who knows nothing but what was pushed. */
export class RebuiltBook {
  #asks = new Side(1);
  #bids = new Side(-1);
  #seq = 0n;
  /** Pushes so far, and those that broke a rule. */
  pushes = 0;
  readonly flaws: Flaw[] = [];

  constructor(
    readonly channel: BookChannel,
    readonly argument: Argument,
  ) {}

  /** Takes a push in. */
  take(push: Push): void {
    const parameters = this.channel.parameters(this.argument);
    if (parameters === undefined) throw new Error("not this channel's argument");
    for (const item of everyItem(this.channel, parameters, push)) this.#apply(push.action === "snapshot", item);
  }

  get asks(): readonly StreamedLevel[] {
    return this.#asks.levels;
  }

  get bids(): readonly StreamedLevel[] {
    return this.#bids.levels;
  }

  #apply(isSnapshot: boolean, { asks, bids, seq, pseq, checksum }: BookPush): void {
    this.pushes++;
    if (isSnapshot) {
      this.#asks = new Side(1);
      this.#bids = new Side(-1);
    } else if (seq === null || seq <= this.#seq || (pseq !== null && pseq !== this.#seq)) this.flaws.push("gap");
    for (const level of asks) this.#asks.set(level);
    for (const level of bids) this.#bids.set(level);
    this.#seq = seq ?? this.#seq;
    if (checksum !== null && checksum !== 0 && checksum !== bookChecksum(this.bids, this.asks)) this.flaws.push("checksum");
  }
}
