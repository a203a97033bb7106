import { isNumeral, withoutPadding } from "./decimal.js";
import { MAX_NUMERAL, MAX_TEXT } from "./exchangeText.js";
import type { JsonObject } from "./json.js";
import { WireError } from "./wireError.js";

/** Single wire values: each function reads one kind, and throws `WireError` for anything else, including nothing. */

const EXPONENT = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/;
/** A number may begin with its point. */
const POINT_FIRST = /^(-?)(?=\.\d)/;
export const UNBOUNDED = /^(?:-1(?:\.0*)?|unlimited)$/i;
export const NOT_ABOVE_ZERO = /^-|^0+(?:\.0+)?$/;
export const isMissing = (wire: unknown): wire is undefined | null | "" => wire === undefined || wire === null || wire === "";

/** The value under the first of these keys that has one. */
export const firstPresent = (wire: JsonObject, keys: readonly string[]): unknown => {
  for (const key of keys) if (!isMissing(wire[key])) return wire[key];
  return undefined;
};

/** Moves the point of a number in exponent notation, digit by digit, so that nothing is rounded. */
function withoutExponent(text: string): string | undefined {
  const match = EXPONENT.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number.parseInt(exponent, 10);
  if (Math.abs(shift) > 100) return undefined;
  const digits = `${"0".repeat(Math.max(0, 1 - shift - whole.length))}${whole}${fraction}`;
  const point = digits.length - fraction.length + shift;
  const padded = digits.padEnd(point, "0");
  const left = padded.slice(0, point).replace(/^0+(?=\d)/, "") || "0";
  const right = padded.slice(point);
  return `${sign}${left}${right === "" ? "" : `.${right}`}`;
}

const tooLong = (what: string, most: number): WireError => new WireError(`${what} of at most ${most} characters`);

/** A decimal number without the exchange's padding zeros: `60967.8200` is read as `60967.82`. */
export function readDecimal(wire: unknown): string {
  if (typeof wire === "string" && wire.length > MAX_NUMERAL) throw tooLong("a decimal number", MAX_NUMERAL);
  if (typeof wire === "string" && isNumeral(wire)) return withoutPadding(wire);
  const text = typeof wire === "number" ? String(wire) : wire;
  const whole = typeof text === "string" ? text.replace(POINT_FIRST, (sign) => `${sign}0`) : "";
  const plain = isNumeral(whole) ? whole : withoutExponent(whole);
  if (plain === undefined) throw new WireError("a decimal number");
  if (plain.length > MAX_NUMERAL) throw tooLong("a decimal number", MAX_NUMERAL);
  return withoutPadding(plain);
}

export function readText(wire: unknown): string {
  if (typeof wire === "string" && wire !== "") {
    if (wire.length > MAX_TEXT) throw tooLong("text", MAX_TEXT);
    return wire;
  }
  if (typeof wire === "number" || typeof wire === "bigint") return String(wire);
  throw new WireError("text");
}

/** Number of decimal digits that any double represents exactly. */
const SAFE_DIGITS = 15;

/** The whole number of a text; the text itself if it is not one. */
function wholeNumber(text: string): number | string {
  if (text.length > MAX_NUMERAL) return text;
  if (text.length > SAFE_DIGITS) return /^-?\d+$/.test(text) ? Number.parseInt(text, 10) : text;
  const first = text.startsWith("-") ? 1 : 0;
  let value = 0;
  for (let at = first; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return text;
    value = value * 10 + digit;
  }
  if (text.length === first) return text;
  return first === 1 ? -value : value;
}

export function readInteger(wire: unknown): number {
  const value = typeof wire === "string" ? wholeNumber(wire) : wire;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new WireError("a whole number");
  return value;
}

export function readPlaces(wire: unknown): number {
  const value = readInteger(wire);
  if (value < 0 || value > MAX_NUMERAL) throw new WireError(`a number of decimals up to ${MAX_NUMERAL}`);
  return value;
}

/** The latest time that a date can have, Unix ms. */
const LATEST_MS = 8_640_000_000_000_000;
/** A Unix time below this many units is in seconds: as milliseconds it would lie before March 1973. */
const SECONDS_BELOW = 100_000_000_000;

export function readTime(wire: unknown): number {
  const value = readInteger(wire);
  if (value < 0 || value > LATEST_MS) throw new WireError("a Unix time");
  return value !== 0 && value < SECONDS_BELOW ? value * 1000 : value;
}

const FLAGS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ yes: true, no: false, true: true, false: false, on: true, off: false }),
);

export function readFlag(wire: unknown): boolean {
  if (typeof wire === "boolean") return wire;
  const flag = typeof wire === "string" ? FLAGS.get(wire.toLowerCase()) : undefined;
  if (flag === undefined) throw new WireError("yes or no");
  return flag;
}
