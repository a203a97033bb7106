import { createHash } from "node:crypto";
import { jsonIn } from "@exchange-graph/contract/json";
import { before, inWords, keptStart, type WindowRule } from "@exchange-graph/contract/window";
import { z } from "zod";
import { badInput, type Fault, reversedRange } from "../../errors/index.js";

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

/** A range of time including both ends, Unix ms. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The span of a query, which may take several of the exchange's windows. */
export interface TimeSpan extends TimeWindow {
  readonly windows: number;
  /** The longest window allowed by the exchange that ends here, within the span. */
  windowUpTo(end: number): TimeWindow;
}

/** Maximum number of windows of a query; each is a call. */
export const MAX_WINDOWS = 24;
/** Without `to`, queries within one second share their end, and thereby their cached answer. */
const END_STEP_MS = 1_000;

/**
 * The span of a query between `from` and `to`, by the exchange's rule. Neighbouring windows share their boundary, so that no row
 * is lost whether or not the exchange includes it; readers drop repeated rows.
 *
 * Throws `BAD_USER_INPUT` if the end is before the start, or the start beyond the exchange's retention period.
 */
export function spanFor(rule: WindowRule, range: { from?: number | undefined; to?: number | undefined }, now: number): TimeSpan {
  const to = range.to ?? Math.ceil(now / END_STEP_MS) * END_STEP_MS;
  const oldest = rule.age === undefined ? undefined : before(now, rule.age);
  const from = range.from ?? oldest ?? (rule.range === undefined ? 0 : before(to, rule.range));
  if (oldest !== undefined && rule.age !== undefined) {
    const tooOld = `must be within the last ${inWords(rule.age)}`;
    if (from < oldest) throw badInput([{ argument: "from", rule: tooOld }]);
    if (to < oldest) throw badInput([{ argument: "to", rule: tooOld }]);
  }
  if (from > to) throw reversedRange(from, range.to);
  const start = keptStart(rule, from, to, now);
  const windowUpTo = (end: number): TimeWindow => ({
    from: rule.range === undefined ? start : Math.max(start, before(end, rule.range)),
    to: end,
  });
  let windows = 1;
  for (let { from: boundary } = windowUpTo(to); boundary > start; boundary = windowUpTo(boundary).from) {
    if (++windows > MAX_WINDOWS && rule.range !== undefined)
      throw badInput([{ argument: "from", rule: `must be at most ${MAX_WINDOWS} times ${inWords(rule.range)} before to` }]);
  }
  return { from: start, to, windows, windowUpTo };
}
