import { type DecimalText, exact, plain } from "@exchange-graph/contract/decimal";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { z } from "zod";
import type { HistoryStore } from "../historyStore.js";
import { decimal } from "../point.js";
import { POOLS } from "../sample.js";

/** How far the past of an account is rebuilt. It is stored with the points, in one step: an interruption loses and repeats none. */

const purse = z.object({ pool: z.enum(POOLS), coin: z.string(), balance: decimal, debt: decimal });
const position = z.object({
  category: z.enum(FUTURES_CATEGORIES),
  symbol: z.string(),
  side: z.enum(["long", "short", "net"]),
  qty: decimal,
  cost: decimal,
});
/**
 * The quantity of a position, in base coin, and what it cost, in quote coin: both below zero for a short one. Buying adds the price paid
 * to the cost, selling takes the price received from it, and a profit realised by either adds to it: what is left is the cost of what is
 * left. So neither the average price nor the kind of execution has to be known.
 */
export type PastPosition = Readonly<z.infer<typeof position>>;
/** What identifies a position: its market, and in hedge mode its side. */
export type PositionKey = Omit<PastPosition, "qty" | "cost">;

const noted = z.object({
  status: z.enum(["RUNNING", "COMPLETE", "STOPPED"]),
  mode: z.enum(["CLASSIC", "UNIFIED"]),
  /** The first hour to be rebuilt, and the end of the first recorded interval: its day is the recorder's. Unix ms. */
  from: z.int(),
  until: z.int(),
  /** Whether the exchange keeps nothing from before `from`; otherwise a setting ends the range there. */
  isKeptFrom: z.boolean(),
  /** Everything after this time is rebuilt: what was held at it follows. Unix ms. */
  reached: z.int(),
  purses: z.array(purse).readonly(),
  exposures: z.array(position).readonly(),
});
export type Progress = z.infer<typeof noted>;
/** What an account held at a time. */
export type Holdings = Pick<Progress, "purses" | "exposures">;

export const BACKFILL_NOTE = "backfill";

/** Undefined before it has begun. */
export async function progressOf(store: Pick<HistoryStore, "note">, user: string): Promise<Progress | undefined> {
  const body = await store.note(user, BACKFILL_NOTE);
  return body === undefined ? undefined : progressIn(body);
}

/** Decodes a stored progress. Throws on one that this version does not know. */
export const progressIn = (body: string): Progress => noted.parse(JSON.parse(body));

export const notedProgress = (user: string, progress: Progress) => ({
  user,
  name: BACKFILL_NOTE,
  body: JSON.stringify(noted.parse(progress)),
});

/** Decimals of a share. */
const PLACES = 4;

/** The rebuilt share of the range, from 0 to 1. */
export function shareOf({ status, from, until, reached }: Progress): DecimalText {
  if (status === "COMPLETE" || until <= from) return "1";
  return plain(
    exact(String(until - reached))
      .div(String(until - from))
      .round(PLACES),
  );
}
