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

/** Decimal text without zeros after its last digit behind the point; text without such zeros is given back as it is. */
export function withoutPadding(text: DecimalText): DecimalText {
  let end = text.length;
  if (text.charCodeAt(end - 1) !== ZERO || !text.includes(".")) return text;
  while (text.charCodeAt(end - 1) === ZERO) end--;
  if (text[end - 1] === ".") end--;
  const bare = text.slice(0, end);
  return bare === "-0" ? "0" : bare;
}
