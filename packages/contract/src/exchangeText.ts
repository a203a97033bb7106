/**
 * Bounds of texts from the exchange. They reach clients, logs and pages, and numbers are computed with, so both have a maximum
 * length, and no text may break a line or a terminal.
 */

/** Maximum length of a text in UTF-16 units. A longer message is cut; a longer value is not one. */
export const MAX_TEXT = 1_000;
/** Maximum length of a number; the exchange's have at most 40 digits. */
export const MAX_NUMERAL = 100;

/** Characters that `withoutControls` may have to change: any escape, and the controls that JSON allows unescaped. */
const SUSPECT = /[\\\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
/** A whole escape of JSON, surrogates in pairs, or a control that is written out. */
const TOKEN =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\[^u]|[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const CONTROL = /^[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]$/u;
const LONE_SURROGATE = /^\p{Cs}$/u;
const WHITE_SPACE = new Set(["\\t", "\\n", "\\r", "\\f"]);
const ESCAPE_LENGTH = 6;

/**
 * JSON text whose texts have no control characters: neither those of terminals and lines, nor those that change the direction of
 * writing. White space of several lines becomes a space; half of a surrogate pair becomes U+FFFD.
 */
export const withoutControls = (json: string): string =>
  isPlain(json) || !SUSPECT.test(json) ? json : json.replace(TOKEN, cleaned);

/** Whether it is ASCII without escapes and DEL, as most answers are: found out in a thirtieth of the time of an expression. */
const isPlain = (json: string): boolean =>
  Buffer.byteLength(json) === json.length && !json.includes("\\") && !json.includes("\x7f");

function cleaned(token: string): string {
  if (WHITE_SPACE.has(token)) return " ";
  if (token === "\\b") return "";
  if (!token.startsWith("\\")) return "";
  if (token.length !== ESCAPE_LENGTH) return token;
  const unit = String.fromCharCode(Number.parseInt(token.slice(2), 16));
  if (CONTROL.test(unit)) return "";
  return LONE_SURROGATE.test(unit) ? "\\ufffd" : token;
}

/** A message of the exchange, cut to a length that fits into an error. */
export const shortened = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/[\ud800-\udbff]$/, "")}…`;
