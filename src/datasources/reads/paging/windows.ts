import { before, inWords, keptStart, type WindowRule } from "@exchange-graph/contract/window";
import { badInput, reversedRange } from "../../errors/index.js";

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
