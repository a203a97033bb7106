import Big from "big.js";

/**
 * Exact decimal arithmetic. Sums, differences and products are exact, whatever the number of digits; only a quotient
 * rounds, and it says to how many places. Binary floats are refused, so no price can pass through one by mistake.
 */
export const Exact = Big();
Exact.strict = true;
Exact.DP = 24;
Exact.RM = Big.roundDown;
Exact.NE = -1_000_000;
Exact.PE = 1_000_000;

/** A number that `exact` has read. */
export type Exact = Big;

/** Base-10 text without exponent, for example `-12.50`. */
export type DecimalText = string;

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Is this plain decimal text: digits, at most one point, no exponent, no leading zeros, no plus sign? */
export const isDecimalText = (text: string): boolean => PLAIN.test(text);

/** Is this zero, however many zeros it is written with? */
export const isZero = (text: DecimalText): boolean => /^-?0+(?:\.0+)?$/.test(text);

/** Parses decimal text. Throws on anything that is not a number. */
export const exact = (text: DecimalText): Exact => new Exact(text);

/** Writes a number as plain decimal text, without trailing zeros. */
export const plain = (value: Exact): DecimalText => value.toFixed();

/** Rounds away from zero to `places` decimals. */
export const roundedUp = (value: Exact, places: number): Exact => value.round(places, Big.roundUp);

/** Rounds toward zero to `places` decimals. */
export const truncated = (value: Exact, places: number): Exact => value.round(places, Big.roundDown);

const ZERO = 48;
const MINUS = 45;

/** Decimal text without zeros after its last digit behind the point; text without such zeros is given back as it is. */
export function withoutPadding(text: DecimalText): DecimalText {
  let end = text.length;
  if (text.charCodeAt(end - 1) !== ZERO || !text.includes(".")) return text;
  while (text.charCodeAt(end - 1) === ZERO) end--;
  if (text[end - 1] === ".") end--;
  const bare = text.slice(0, end);
  return bare === "-0" ? "0" : bare;
}

/** A hundredth of a number, exactly: its point two places further left. */
export function hundredth(text: DecimalText): DecimalText {
  // Anything else than plain digits is rare enough to be reckoned.
  if (!PLAIN.test(text) || text.charCodeAt(0) === MINUS) return plain(exact(text).times("0.01"));
  const point = text.indexOf(".");
  const whole = point === -1 ? text : text.slice(0, point);
  const fraction = point === -1 ? "" : text.slice(point + 1);
  const places = whole.length - 2;
  const shifted = places > 0 ? `${whole.slice(0, places)}.${whole.slice(places)}` : `0.${whole.length === 1 ? "0" : ""}${whole}`;
  return withoutPadding(shifted + fraction);
}
