import { type DecimalText, exact, plain } from "@exchange-graph/contract/decimal";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { z } from "zod";
import type { HistoryStore } from "../historyStore.js";
import { decimal } from "../point.js";
import { POOLS } from "../sample.js";

/** How far the past of an account is rebuilt. It is stored with the points, in one step: an interruption loses and repeats none. */

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
  purses: z.array(z.object({ pool: z.enum(POOLS), coin: z.string(), balance: decimal, debt: decimal })).readonly(),
  exposures: z
    .array(
      z.object({
        category: z.enum(FUTURES_CATEGORIES),
        symbol: z.string(),
        side: z.enum(["long", "short", "net"]),
        qty: decimal,
        cost: decimal,
      }),
    )
    .readonly(),
});
export type Progress = z.infer<typeof noted>;

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
