import { type Codec, type Decoded, type Field, needed, optionalInteger, optionalTime } from "../codec.js";
import { MAX_NUMERAL } from "../exchangeText.js";
import { strictList } from "../lists.js";
import { record } from "../record.js";
import { WireError } from "../wireError.js";
import { classicMarket, type Market, unifiedMarket } from "./arguments.js";
import type { Channel, Frequency } from "./channel.js";

/**
 * Streamed order books. The shallow tiers send all of their levels each time; the full book sends a snapshot and then changes: a
 * size of zero removes a level.
 *
 * Levels stay the received texts, because the checksum is computed of those: price and size, and in an RPI book the size for
 * retail clients only.
 */
export type StreamedLevel = readonly [price: string, size: string] | readonly [price: string, size: string, rpiSize: string];

const AMOUNT = /^\d+(?:\.\d+)?$/;
const isAmount = (text: unknown): text is string => typeof text === "string" && text.length <= MAX_NUMERAL && AMOUNT.test(text);

const amountAt = (wire: readonly unknown[], at: number): string => {
  const value = wire[at];
  const text = typeof value === "number" ? String(value) : value;
  if (!isAmount(text)) throw new WireError("a decimal number").within(at);
  return text;
};

const level = (isRpi: boolean): Codec<StreamedLevel> => ({
  decode(wire) {
    if (!Array.isArray(wire)) throw new WireError("a row");
    const price = amountAt(wire, 0);
    const size = amountAt(wire, 1);
    return isRpi ? [price, size, amountAt(wire, 2)] : [price, size];
  },
});

/** Sequence numbers have 19 digits, more than a JavaScript number keeps. */
function sequence(doc: string): Field<bigint | null> {
  return {
    doc,
    decode(wire) {
      if (wire === undefined || wire === null || wire === "") return null;
      if (typeof wire !== "string" && typeof wire !== "number") throw new WireError("a sequence number");
      const text = String(wire);
      if (text.length > MAX_NUMERAL || !/^\d+$/.test(text)) throw new WireError("a sequence number");
      return BigInt(text);
    },
  };
}

const bookPush = (isRpi: boolean) =>
  record({
    asks: strictList("Offers to sell, lowest price first", level(isRpi), "a", "asks"),
    bids: strictList("Offers to buy, highest price first", level(isRpi), "b", "bids"),
    seq: sequence("Number of this message; it grows"),
    pseq: sequence("Number of the message before; 0 begins again, and v2 does not say"),
    checksum: needed(optionalInteger("CRC-32 of the book after this message; 0 or missing where there is none")),
    time: optionalTime("When the matching engine wrote it", "ts"),
  });
const plainPush = bookPush(false);
const rpiPush = bookPush(true);
export type BookPush = Decoded<typeof plainPush>;

/** Levels per side; `full` is the whole book, by changes. */
type BookTier = "full" | 1 | 5 | 15 | 50;

/** One tier of the streamed books. */
export interface BookChannel extends Channel<Market, BookPush> {
  readonly tier: BookTier;
  /** Whether it includes retail price improvement orders. */
  readonly isRpi: boolean;
}

/** Symbols whose best level is pushed every 20 ms on futures. */
export const FAST_BOOK_SYMBOLS: readonly string[] = [
  ...["BTCUSDT", "ETHUSDT", "XRPUSDT", "SOLUSDT", "SUIUSDT"],
  ...["DOGEUSDT", "ADAUSDT", "PEPEUSDT", "LINKUSDT", "HBARUSDT"],
];
/** Interval of those pushes, in ms. */
export const FAST_BOOK_MS = 20;

const frequency = (tier: BookTier, isRpi: boolean): Frequency => {
  if (isRpi) return tier === 1 ? { spot: 10, futures: 10 } : { spot: 100, futures: 100 };
  return tier === 1 ? { spot: 60, futures: 100 } : { spot: 200, futures: 150 };
};

const wireName = (tier: BookTier, isRpi: boolean) => `${isRpi ? "rpi-" : ""}books${tier === "full" ? "" : tier}`;

const bookChannel = (
  name: string,
  tier: BookTier,
  isRpi: boolean,
  market: ReturnType<typeof unifiedMarket | typeof classicMarket>,
): BookChannel => ({
  name,
  doc: `The order book${isRpi ? " with retail price improvement orders" : ""}: ${tier === "full" ? "all levels, by changes" : `${tier} per side`}`,
  ...market,
  opens: "snapshot",
  continues: tier === "full" ? "update" : "snapshot",
  frequency: frequency(tier, isRpi),
  item: isRpi ? rpiPush : plainPush,
  tier,
  isRpi,
});

const unifiedBook = (isRpi: boolean) => (tier: BookTier) =>
  bookChannel(wireName(tier, isRpi), tier, isRpi, unifiedMarket(wireName(tier, isRpi)));

/** The books of v3. */
export const BOOK_CHANNELS: readonly BookChannel[] = (["full", 1, 5, 50] as const).map(unifiedBook(false));
/** The books with retail price improvement orders, level by level. */
export const RPI_BOOK_CHANNELS: readonly BookChannel[] = (["full", 1, 5, 50] as const).map(unifiedBook(true));
/** The books of v2. Of its tiers 15 is the one that v3 lacks. */
export const CLASSIC_BOOK_CHANNELS: readonly BookChannel[] = (["full", 1, 5, 15] as const).map((tier) =>
  bookChannel(`classic${wireName(tier, false).replace("b", "B")}`, tier, false, classicMarket(wireName(tier, false))),
);
