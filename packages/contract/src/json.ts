/** What a JSON object reads as. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Is this an object, and no list? */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * JSON without lost digits.
 *
 * The exchange sends some numbers bare: 19-digit sequence numbers and, in places, prices. A JavaScript number keeps
 * about fifteen digits of those, so every bare number longer than that is read as text. Bodies without one, which is
 * nearly all of them, take the engine's own parser at full speed.
 */
const LONG_NUMBER = /(?:^|[:[,\s])-?\d[\d.eE+-]{15,}/;
const LONG_TOKEN = /-?\d[\d.eE+-]{15,}/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A bare number without its zero: `.5`. JSON does not have it, and it can mean nothing else. */
const NO_ZERO = /(?:^|[:[,\s])-?\.\d/;
const NO_ZERO_TOKEN = /(?<![\d.eE+-])-?(?=\.\d)/g;

/**
 * Parses JSON text; bare numbers of more than fifteen characters come back as strings, and a number may begin with its
 * point. Throws `SyntaxError`.
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

/** Replaces what a pattern finds. Walks from quote to quote: what looks like a number may stand inside a text. */
function outsideTexts(text: string, pattern: RegExp, replaced: (token: string) => string): string {
  let isInside = false;
  let from = 0;
  return text.replace(pattern, (token, at: number) => {
    for (let quote = text.indexOf('"', from); quote !== -1 && quote < at; quote = text.indexOf('"', from)) {
      if (!isInside || !isEscaped(text, quote)) isInside = !isInside;
      from = quote + 1;
    }
    return isInside ? token : replaced(token);
  });
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}
