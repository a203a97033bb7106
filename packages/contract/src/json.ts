/** A parsed JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether this is an object and not a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * JSON without lost digits.
 *
 * The exchange sends some numbers unquoted: 19-digit sequence numbers and, in places, prices. A JavaScript number has about
 * fifteen digits, so every longer unquoted number is read as text. Bodies without one, which are nearly all, are parsed by the
 * engine's own parser.
 */
const LONG_NUMBER = /(?:^|[:[,\s])-?\d[\d.eE+-]{15,}/;
const LONG_TOKEN = /-?\d[\d.eE+-]{15,}/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** An unquoted number without its leading zero, such as `.5`. It is not valid JSON, and unambiguous. */
const NO_ZERO = /(?:^|[:[,\s])-?\.\d/;
const NO_ZERO_TOKEN = /(?<![\d.eE+-])-?(?=\.\d)/g;

/**
 * Parses JSON text. Unquoted numbers of more than fifteen characters become strings, and a number may begin with its point.
 * Throws `SyntaxError`.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(LONG_NUMBER.test(text) ? withLongNumbersQuoted(text) : text);
  } catch (error) {
    if (!(error instanceof SyntaxError) || !NO_ZERO.test(text)) throw error;
    const whole = outsideTexts(text, NO_ZERO_TOKEN, (sign) => `${sign}0`);
    return JSON.parse(LONG_NUMBER.test(whole) ? withLongNumbersQuoted(whole) : whole);
  }
}

const withLongNumbersQuoted = (text: string): string =>
  outsideTexts(text, LONG_TOKEN, (token) => (NUMBER.test(token) ? `"${token}"` : token));

/** Replaces matches of a pattern outside of quoted texts, which may contain what looks like a number. */
function outsideTexts(text: string, pattern: RegExp, replaced: (token: string) => string): string {
  let isInside = false;
  // The next quote is looked for once: looking again at each match would take time that grows with the square of the length.
  let quote = text.indexOf('"');
  return text.replace(pattern, (token, at: number) => {
    for (; quote !== -1 && quote < at; quote = text.indexOf('"', quote + 1))
      if (!isInside || !isEscaped(text, quote)) isInside = !isInside;
    return isInside ? token : replaced(token);
  });
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** The value of a JSON text, read with `parse`; `undefined`, which JSON cannot express, if it is not JSON. */
export function jsonIn(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
