import Big from "big.js";

/**
 * Exact decimal arithmetic. Sums, differences and products are exact for any number of digits; only a quotient rounds, to a given
 * number of places. Binary floats are refused, so that no price passes through one by mistake.
 */
export const Exact = Big();
Exact.strict = true;
/** Default number of decimals of a quotient. */
const QUOTIENT_PLACES = 24;
Exact.DP = QUOTIENT_PLACES;
Exact.RM = Big.roundDown;
Exact.NE = -1_000_000;
Exact.PE = 1_000_000;

// The library divides digit by digit. Its own functions, such as `sqrt`, set `DP` for the divisions in them.
Object.defineProperty(Exact, "prototype", {
  value: Object.create(Exact.prototype, {
    div: {
      value(this: Exact, divisor: Exact | string): Exact {
        return quotient(this, typeof divisor === "string" ? exact(divisor) : divisor, Exact.DP);
      },
    },
  }),
});

/** A number parsed by `exact`. */
export type Exact = Big;

/** Base-10 text without exponent, for example `-12.50`. */
export type DecimalText = string;

const [ZERO, NINE, MINUS, POINT] = [48, 57, 45, 46];

/**
 * Whether this is digits, with at most one point between them and a minus before them. Checked by character: for short texts this
 * is several times faster than a regular expression.
 */
export function isNumeral(text: string): boolean {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  let point = -1;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) continue;
    if (code !== POINT || point !== -1 || at === first) return false;
    point = at;
  }
  return text.length > first && point !== text.length - 1;
}

/** Whether this is plain decimal text: digits, at most one point, no exponent, no leading zeros, no plus sign. */
export function isDecimalText(text: string): boolean {
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  const leads = text.charCodeAt(first) === ZERO && text.length > first + 1 && text.charCodeAt(first + 1) !== POINT;
  return !leads && isNumeral(text);
}

/** Whether this is zero, for any number of zeros. */
export const isZero = (text: DecimalText): boolean => /^-?0+(?:\.0+)?$/.test(text);

/** Parses decimal text. Throws on anything that is not a number. */
export const exact = (text: DecimalText): Exact => new Exact(text);

/** Writes a number as plain decimal text, without trailing zeros. */
export const plain = (value: Exact): DecimalText => value.toFixed();

/** Rounds away from zero to `places` decimals. */
export const roundedUp = (value: Exact, places: number): Exact => value.round(places, Big.roundUp);

/** Rounds toward zero to `places` decimals. */
export const truncated = (value: Exact, places: number): Exact => value.round(places, Big.roundDown);

/** A quotient rounded toward zero to `places` decimals. Throws `RangeError` on a division by zero. */
export function quotient(dividend: Exact, divisor: Exact, places: number): Exact {
  const shift = places + decimalsOf(divisor) - decimalsOf(dividend);
  const [whole, part] = [digitsOf(dividend), digitsOf(divisor)];
  const digits = shift < 0 ? whole / (part * 10n ** BigInt(-shift)) : (whole * 10n ** BigInt(shift)) / part;
  return new Exact(`${dividend.s === divisor.s ? "" : "-"}${digits}e-${places}`);
}

const decimalsOf = ({ c, e }: Exact): number => c.length - 1 - e;

/** Numbers with at most so many digits are integers of a double. */
const SAFE_DIGITS = 15;

/** The digits of a number as an integer, without sign and point. */
function digitsOf({ c }: Exact): bigint {
  if (c.length > SAFE_DIGITS) return BigInt(c.join(""));
  let digits = 0;
  for (const digit of c) digits = digits * 10 + digit;
  return BigInt(digits);
}

/** Decimal text without trailing zeros after the point; text without such zeros is returned unchanged. */
export function withoutPadding(text: DecimalText): DecimalText {
  let end = text.length;
  if (text.charCodeAt(end - 1) !== ZERO || !text.includes(".")) return text;
  while (text.charCodeAt(end - 1) === ZERO) end--;
  if (text[end - 1] === ".") end--;
  const bare = text.slice(0, end);
  return bare === "-0" ? "0" : bare;
}

/** A hundredth of a numeral, exactly: the point is moved two places to the left. */
export function hundredth(text: DecimalText): DecimalText {
  const point = text.indexOf(".");
  const places = point === -1 ? text.length : point;
  // A negative number, or one with leading zeros, is rare enough to be computed.
  if (text.charCodeAt(0) === MINUS || (text.charCodeAt(0) === ZERO && places > 1)) return plain(exact(text).times("0.01"));
  const fraction = point === -1 ? "" : text.slice(point + 1);
  const whole = point === -1 ? text : text.slice(0, point);
  if (places === 1) return withoutPadding(`0.0${whole}${fraction}`);
  return withoutPadding(places === 2 ? `0.${whole}${fraction}` : `${whole.slice(0, -2)}.${whole.slice(-2)}${fraction}`);
}
