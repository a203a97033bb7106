import { before, inWords, type WindowRule } from "@exchange-graph/contract/window";
import { badInput } from "../fault.js";

/** A stretch of time, both ends included, Unix ms. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The whole stretch that a query covers, which may take several of the exchange's windows. */
export interface TimeSpan extends TimeWindow {
  /** How many windows it takes. */
  readonly windows: number;
  /** The longest window that the exchange allows up to this end, within the span. */
  windowUpTo(end: number): TimeWindow;
}

/** A span that would take more windows than this is refused: each is a call of its own. */
export const MAX_WINDOWS = 24;
/** A call takes a while to arrive, and the oldest moment that may be asked for moves on meanwhile. */
const TRAVEL_MS = 5_000;
/** Without an end given, queries of one second share their end, and with it their cached answer. */
const END_STEP_MS = 1_000;

/**
 * What a query between `from` and `to` covers, by the exchange's rule. Neighbouring windows share their boundary, so
 * nothing falls between them whichever way the exchange counts its ends; readers drop a row that they see twice.
 *
 * Throws `BAD_USER_INPUT` when the end lies before the start, or the start beyond the exchange's memory.
 */
export function spanFor(rule: WindowRule, asked: { from?: number | undefined; to?: number | undefined }, now: number): TimeSpan {
  const to = asked.to ?? Math.ceil(now / END_STEP_MS) * END_STEP_MS;
  const oldest = rule.age === undefined ? undefined : before(now, rule.age);
  const from = asked.from ?? oldest ?? (rule.range === undefined ? 0 : before(to, rule.range));
  if (oldest !== undefined && rule.age !== undefined) {
    const tooOld = `must be within the last ${inWords(rule.age)}`;
    if (from < oldest) throw badInput([{ argument: "from", rule: tooOld }]);
    if (to < oldest) throw badInput([{ argument: "to", rule: tooOld }]);
  }
  if (from > to) throw badInput([{ argument: "to", rule: "must not be before from" }]);
  const start = oldest === undefined ? from : Math.max(from, Math.min(oldest + TRAVEL_MS, to));
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
