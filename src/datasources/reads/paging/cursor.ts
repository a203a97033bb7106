import { createHash } from "node:crypto";
import { jsonIn } from "@exchange-graph/contract/json";
import { z } from "zod";
import { badInput, type Fault } from "../../errors/index.js";

/** A position in a paged list: the window, the exchange's page token within it, and the number of rows of that page before it. */
export interface Bookmark {
  readonly from: number;
  readonly to: number;
  /** Start of the oldest window of the query. */
  readonly oldest: number;
  readonly pageToken: string | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Key of the row before this position. */
  readonly shown: string | undefined;
}

/**
 * What identifies a list: its endpoint, account and filters, as text. New cursors contain the first text. The others are accepted
 * too: cursors contain them that were made before the account's user was known.
 */
export type ListIdentity = readonly [string, ...string[]];

/** The identity of a list under each of its account's identities. */
export const identityUnder = (owners: ListIdentity, textOf: (owner: string) => string): ListIdentity => {
  const [first, ...others] = owners;
  return [textOf(first), ...others.map(textOf)];
};

const LONGEST_CURSOR = 2_000;
const moment = z.int().min(0);
const nullableText = z.string().max(300).nullable();
const wire = z.tuple([
  z.string(),
  moment,
  moment,
  moment,
  nullableText,
  z.int().min(1).max(1000),
  z.int().min(0).max(1000),
  nullableText,
]);

/** A short fingerprint, by which a cursor of another list is detected. */
const fingerprint = (identity: string): string => createHash("sha256").update(identity).digest("base64url").slice(0, 8);

/** Encodes a bookmark as opaque text. */
export const writeCursor = ([identity]: ListIdentity, { from, to, oldest, pageToken, limit, offset, shown }: Bookmark): string =>
  Buffer.from(
    JSON.stringify([fingerprint(identity), from, to, oldest, pageToken ?? null, limit, offset, shown ?? null]),
  ).toString("base64url");

/** Decodes a cursor. Throws `BAD_USER_INPUT` if it is damaged or belongs to another list. */
export function readCursor(identity: ListIdentity, cursor: string): Bookmark {
  if (cursor.length > LONGEST_CURSOR || !/^[\w-]+$/.test(cursor)) throw notACursor();
  const parsed = wire.safeParse(jsonIn(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!parsed.success) throw notACursor();
  const [print, from, to, oldest, pageToken, limit, offset, shown] = parsed.data;
  if (!identity.some((text) => fingerprint(text) === print) || from > to || oldest > from) throw notACursor();
  return { from, to, oldest, pageToken: pageToken ?? undefined, limit, offset, shown: shown ?? undefined };
}

/** Whether a text can be a cursor of any list; others are refused before anything is read. */
export function isCursorLike(text: string): boolean {
  return /^[\w-]+$/.test(text) && Array.isArray(jsonIn(Buffer.from(text, "base64url").toString("utf8")));
}

/** The error for a text that is not a cursor of the list. */
export const notACursor = (): Fault =>
  badInput([{ argument: "after", rule: "must be a cursor of the same list with the same arguments" }]);
