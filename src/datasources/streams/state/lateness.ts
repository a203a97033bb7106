/** A push may be late by less than this, while one connection replaces another. Earlier times are those of a clock that was set back. */
export const MOST_LATE_MS = 4_000;

/** Whether a push of this time is an older one that arrives after the last one. Times by the exchange's clock, Unix ms. */
export const isLate = (time: number | null, last: number | null): boolean =>
  time !== null && last !== null && time < last && time > last - MOST_LATE_MS;
