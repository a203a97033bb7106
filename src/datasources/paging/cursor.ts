import { createHash } from "node:crypto";
import { z } from "zod";
import { badInput, Fault } from "../fault.js";

/** A place in a paged list: the window, the exchange's own page token within it, and how many rows of that page are done. */
export interface Bookmark {
  readonly from: number;
  readonly to: number;
  /** The start of the oldest window of the whole query. */
  readonly oldest: number;
  readonly pageToken: string | undefined;
  readonly limit: number;
  readonly offset: number;
  /** The key of the row before this place. */
  readonly shown: string | undefined;
}

const LONGEST_CURSOR = 2_000;
const moment = z.int().min(0);
const words = z.string().max(300).nullable();
const wire = z.tuple([z.string(), moment, moment, moment, words, z.int().min(1).max(1000), z.int().min(0).max(1000), words]);

/** A short fingerprint, so that a cursor of another list is recognised. */
const fingerprint = (identity: string): string => createHash("sha256").update(identity).digest("base64url").slice(0, 8);

/** A bookmark as opaque text. */
export const writeCursor = (identity: string, { from, to, oldest, pageToken, limit, offset, shown }: Bookmark): string =>
  Buffer.from(
    JSON.stringify([fingerprint(identity), from, to, oldest, pageToken ?? null, limit, offset, shown ?? null]),
  ).toString("base64url");

/** Reads a cursor back. Throws `BAD_USER_INPUT` when it is damaged or belongs to another list. */
export function readCursor(identity: string, cursor: string): Bookmark {
  if (cursor.length > LONGEST_CURSOR || !/^[\w-]+$/.test(cursor)) throw notACursor();
  const parsed = wire.safeParse(readJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!parsed.success) throw notACursor();
  const [print, from, to, oldest, pageToken, limit, offset, shown] = parsed.data;
  if (print !== fingerprint(identity) || from > to || oldest > from) throw notACursor();
  return { from, to, oldest, pageToken: pageToken ?? undefined, limit, offset, shown: shown ?? undefined };
}

/** Can this be a cursor of some list? What cannot is refused before anything is read. */
export function isCursorLike(text: string): boolean {
  if (!/^[\w-]+$/.test(text)) return false;
  try {
    return Array.isArray(readJson(Buffer.from(text, "base64url").toString("utf8")));
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

/** The refusal of what is no cursor of the list. */
export const notACursor = (): Fault =>
  badInput([{ argument: "after", rule: "must be a cursor of the same list with the same arguments" }]);

/** Parses what a cursor carries. Throws `BAD_USER_INPUT` when it is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw notACursor();
    throw error;
  }
}
