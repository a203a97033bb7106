import type { BookPush, StreamedLevel } from "@exchange-graph/contract/channels/book";
import type { Action } from "@exchange-graph/contract/channels/channel";
import { bookChecksum, CHECKED_LEVELS } from "@exchange-graph/contract/channels/checksum";
import { withoutPadding } from "@exchange-graph/contract/decimal";
import { compareDecimals } from "./decimalOrder.js";
import { Side } from "./side.js";

export interface ShownLevel {
  readonly price: string;
  /** Quantity in base coin, without the part for retail clients only. */
  readonly qty: string;
  /** Quantity for retail clients only (RPI); null in a book without such orders. */
  readonly rpiQty: string | null;
}

/** A book, or its best levels, at one time. */
export interface ShownBook {
  /** Lowest price first. */
  readonly asks: readonly ShownLevel[];
  /** Highest price first. */
  readonly bids: readonly ShownLevel[];
  /** Time at the matching engine, Unix ms. */
  readonly time: number;
  /** The exchange's sequence number of this state. */
  readonly seq: bigint | null;
}

/** Number of levels per side. */
export type Depth = 1 | 5 | 15 | 50 | "full";

/** Effect of a message: a new state, none because it was old, or proof that a message is missing or wrong. */
type Applied = "changed" | "old" | "gap" | "checksum" | "crossed";

/** An update with a lower number that is this much newer than the book is not a late one: the numbering has restarted. */
const NEW_START_MS = 1_000;

/**
 * A book built from a snapshot, and updates that each name the previous message. It shows only proven states: no number skipped,
 * the checksum right if there is one, best bid below best ask. A message that would violate this changes nothing; the last good
 * state is kept, to be shown as stale.
 *
 * If updates do not name the previous message, the checksum is the only proof, and it covers the best levels only: then no more
 * than those are shown.
 */
export class OrderBook {
  #asks = new Side("asks");
  #bids = new Side("bids");
  #seq: bigint | null = null;
  #time = 0;
  #started: "no" | "snapshot" | "running" = "no";
  #isNumbered: boolean;
  #isProvenWhole = false;
  #views = new Map<Depth, ShownBook>();

  /** In RPI books `pseq` may always be 0; it is checked from the first other value on. */
  constructor({ isRpi = false }: { readonly isRpi?: boolean } = {}) {
    this.#isNumbered = !isRpi;
  }

  /** Sequence number of the state; null before the first state, and if the exchange sends none. */
  get seq(): bigint | null {
    return this.#seq;
  }

  get time(): number {
    return this.#time;
  }

  get isStarted(): boolean {
    return this.#started !== "no";
  }

  apply(push: BookPush, action: Action): Applied {
    return action === "snapshot" ? this.#begin(push) : this.#advance(push);
  }

  /** The best levels of each side. The same object until the book changes. */
  view(depth: Depth): ShownBook {
    const cached = this.#views.get(depth);
    if (cached !== undefined) return cached;
    const wanted = depth === "full" ? Number.POSITIVE_INFINITY : depth;
    const count = this.#isProvenWhole ? wanted : Math.min(wanted, CHECKED_LEVELS);
    const view = {
      asks: this.#asks.levels.slice(0, count).map(shown),
      bids: this.#bids.levels.slice(0, count).map(shown),
      time: this.#time,
      seq: this.#seq,
    };
    this.#views.set(depth, view);
    return view;
  }

  /**
   * The book in the form of the exchange's snapshot, with the original texts; undefined before the first state. Only the levels
   * that the checksum covers if updates do not name the previous message.
   */
  snapshot(): Pick<BookPush, "asks" | "bids" | "seq" | "time"> | undefined {
    if (!this.isStarted) return undefined;
    const count = this.#isProvenWhole ? Number.POSITIVE_INFINITY : CHECKED_LEVELS;
    const [asks, bids] = [this.#asks.levels.slice(0, count), this.#bids.levels.slice(0, count)];
    return { asks, bids, seq: this.#seq, time: this.#time };
  }

  #begin(push: BookPush): Applied {
    if (this.isStarted && isBehind(push.seq, this.#seq) && (push.time ?? this.#time) <= this.#time) return "old";
    const asks = new Side("asks", push.asks);
    const bids = new Side("bids", push.bids);
    const flaw = flawOf(asks, bids, push);
    if (flaw !== undefined) return flaw;
    this.#asks = asks;
    this.#bids = bids;
    this.#started = "snapshot";
    this.#isProvenWhole = true;
    return this.#reached(push);
  }

  #advance(push: BookPush): Applied {
    if (!this.isStarted) return "gap";
    const place = this.#placeOf(push);
    if (place !== "next") return place;
    for (const level of push.asks) this.#asks.set(level);
    for (const level of push.bids) this.#bids.set(level);
    const flaw = flawOf(this.#asks, this.#bids, push);
    if (flaw !== undefined) {
      this.#asks.undo();
      this.#bids.undo();
      return flaw;
    }
    this.#asks.keep();
    this.#bids.keep();
    this.#started = "running";
    if (push.pseq === null || push.pseq === 0n) this.#isProvenWhole = false;
    return this.#reached(push);
  }

  /**
   * Order of an update. The first one after a snapshot may begin before it; every later one must name the current state. A `pseq`
   * of 0, or a lower number at a later time, means that the exchange has restarted its numbering, and messages in between are
   * unknown.
   */
  #placeOf({ seq, pseq, time }: BookPush): "next" | "old" | "gap" {
    if (seq === null || this.#seq === null) return "next";
    if (pseq === 0n && this.#isNumbered) return "gap";
    if (seq <= this.#seq) return seq < this.#seq && (time ?? this.#time) > this.#time + NEW_START_MS ? "gap" : "old";
    if (pseq === null || pseq === 0n) return "next";
    this.#isNumbered = true;
    const follows = this.#started === "snapshot" ? pseq <= this.#seq : pseq === this.#seq;
    return follows ? "next" : "gap";
  }

  #reached(push: BookPush): Applied {
    this.#seq = push.seq;
    this.#time = push.time ?? this.#time;
    this.#views = new Map();
    return "changed";
  }
}

/** Whether the first sequence number is known to be lower. */
export const isBehind = (seq: bigint | null, other: bigint | null): boolean => seq !== null && other !== null && seq < other;

function flawOf(asks: Side, bids: Side, { checksum }: BookPush): "crossed" | "checksum" | undefined {
  const ask = asks.best;
  const bid = bids.best;
  if (ask !== undefined && bid !== undefined && compareDecimals(bid[0], ask[0]) >= 0) return "crossed";
  // 0 means that none was sent.
  if (checksum !== null && checksum !== 0 && checksum !== bookChecksum(bids.levels, asks.levels)) return "checksum";
  return undefined;
}

/** The checksum covers the original texts; levels are shown without padding. */
const shown = ([price, size, rpiSize]: StreamedLevel): ShownLevel => ({
  price: withoutPadding(price),
  qty: withoutPadding(size),
  rpiQty: rpiSize === undefined ? null : withoutPadding(rpiSize),
});
