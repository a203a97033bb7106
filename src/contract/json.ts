/**
 * JSON without lost digits.
 *
 * The exchange sends some numbers bare: 19-digit sequence numbers and, in places, prices. A JavaScript number keeps
 * about fifteen digits of those, so every bare number longer than that is read as text. Bodies without one, which is
 * nearly all of them, take the engine's own parser at full speed.
 */
const LONG_NUMBER = /(?:^|[:[,\s])-?\d[\d.eE+-]{15,}/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]{15,}/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Parses JSON text; bare numbers of more than fifteen characters come back as strings. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(text.replace(TOKEN, (token) => (NUMBER.test(token) ? `"${token}"` : token)));
}
