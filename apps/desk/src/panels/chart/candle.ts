/** One candle: prices and volume as decimal text. */
export interface Candle {
  readonly startTime: string;
  readonly open: string | null;
  readonly high: string | null;
  readonly low: string | null;
  readonly close: string | null;
  readonly volume: string | null;
}

/** An execution of the account in this market. */
export interface Executed {
  readonly id: string;
  readonly side: string | null;
  readonly qty: string | null;
  /** ISO 8601. */
  readonly time: string;
}

/** Merges candles, oldest first: a known start time is replaced. */
export function merged(rows: readonly Candle[], more: readonly Candle[]): readonly Candle[] {
  const byStart = new Map([...rows, ...more].map((row) => [row.startTime, row]));
  return [...byStart.values()].sort((a, b) => a.startTime.localeCompare(b.startTime));
}

/**
 * The candles after an event. A snapshot has the latest ones: if it begins after all that are known, as when the computer has slept,
 * those are dropped, since the chart would draw them side by side as if nothing were missing. They are read again on scrolling.
 */
export function followed(rows: readonly Candle[], event: readonly Candle[], kind: "snapshot" | "update"): readonly Candle[] {
  const [first] = event;
  const last = rows.at(-1);
  const hasGap = kind === "snapshot" && first !== undefined && last !== undefined && last.startTime < first.startTime;
  return merged(hasGap ? [] : rows, event);
}
