import { compareDecimals, formatDecimal, formatPercent, trimDecimal } from "@exchange-graph/client";

import { DECIMAL_MARK, t } from "../text/text.js";

/** Shown for a missing value. */
export const NONE = "–";

/**
 * Groups of three digits are separated by a narrow no-break space in every language: a point or a comma would be the decimal mark
 * of another one. The decimal mark is that of the language.
 */
const FORMAT = { group: "\u202f", point: DECIMAL_MARK };
const MINUS = "−";

type Maybe = string | null | undefined;
const isNone = (text: Maybe): text is null | undefined => text === null || text === undefined;
const minus = (text: string): string => text.replace("-", MINUS);

/** `0.01` for two decimals. */
export const stepOf = (decimals: number): string => (decimals <= 0 ? "1" : `0.${"0".repeat(decimals - 1)}1`);

const formatted = (text: string, decimals: number | null | undefined, sign: boolean): string =>
  minus(
    decimals === null || decimals === undefined
      ? formatDecimal(trimDecimal(text), { ...FORMAT, sign })
      : formatDecimal(text, { ...FORMAT, sign, step: stepOf(decimals) }),
  );

/** Rounded to the decimals of the tick size; unchanged if that is not known. */
export const amount = (text: Maybe, decimals?: number | null): string => (isNone(text) ? NONE : formatted(text, decimals, false));

/** The same with a sign, for profits and changes. */
export const signed = (text: Maybe, decimals?: number): string => (isNone(text) ? NONE : formatted(text, decimals, true));

/** A fraction as a percentage: `0.0004` is `0.04 %`. */
export const percent = (fraction: Maybe, decimals = 2): string =>
  isNone(fraction) ? NONE : minus(formatPercent(fraction, { ...FORMAT, step: stepOf(decimals) }));

export const signedPercent = (fraction: Maybe, decimals = 2): string =>
  isNone(fraction) ? NONE : minus(formatPercent(fraction, { ...FORMAT, step: stepOf(decimals), sign: true }));

/** Name of the colour for a sign. The colour is never the only indication. */
export function tone(text: Maybe): "up" | "down" | "flat" {
  const direction = isNone(text) ? 0 : compareDecimals(text, "0");
  return direction > 0 ? "up" : direction < 0 ? "down" : "flat";
}

/** Order of a list with the highest value first; rows without a value are last. */
export function highestFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareDecimals(b, a);
}

const UNITS = [
  { digits: 9, letter: "B" },
  { digits: 6, letter: "M" },
  { digits: 3, letter: "K" },
] as const;

/** A large amount in short form, for example `12.4M`; truncated, not rounded. */
export function short(text: Maybe): string {
  if (isNone(text)) return NONE;
  const sign = text.startsWith("-") ? MINUS : "";
  const whole = text.replace(/^-|\..*$/g, "");
  const unit = UNITS.find(({ digits }) => whole.length > digits);
  if (unit === undefined) return amount(text, 2);
  const { digits, letter } = unit;
  return `${sign}${whole.slice(0, -digits)}${DECIMAL_MARK}${whole.slice(-digits, whole.length - digits + 2)}${letter}`;
}

/** `SOME_WORD` as `Some word`, in the user's language where that has it. */
export function words(text: Maybe): string {
  if (isNone(text)) return NONE;
  const plain = text.replaceAll("_", " ").toLowerCase();
  return t(plain.charAt(0).toUpperCase() + plain.slice(1));
}
