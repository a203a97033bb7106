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
