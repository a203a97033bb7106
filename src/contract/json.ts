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

/** Parses JSON text; bare numbers of more than fifteen characters come back as strings. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(withLongNumbersQuoted(text));
}

/** Walks from quote to quote: what looks like a long number may stand inside a text. */
function withLongNumbersQuoted(text: string): string {
  let isInside = false;
  let from = 0;
  return text.replace(LONG_TOKEN, (token, at: number) => {
    for (let quote = text.indexOf('"', from); quote !== -1 && quote < at; quote = text.indexOf('"', from)) {
      if (!isInside || !isEscaped(text, quote)) isInside = !isInside;
      from = quote + 1;
    }
    return !isInside && NUMBER.test(token) ? `"${token}"` : token;
  });
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}
