/** JSON text of a part of the response, or a promise of it. */
export type Text = string | Promise<string>;

/** Text that JSON writes unescaped: no quotes, backslashes, control characters or lone surrogates. */
const AS_IT_IS = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Up to this length a loop over the characters is faster than the regular expression. */
const SHORT = 40;

/** Whether JSON writes this text unescaped. */
export function isAsItIs(text: string): boolean {
  if (text.length > SHORT) return AS_IT_IS.test(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}

/** JSON of a string. Most strings need no escaping, and that check is faster than `JSON.stringify`. */
export const quoted = (text: string): string => (isAsItIs(text) ? `"${text}"` : JSON.stringify(text));

/** JSON of a serialized scalar or enum. */
export function leafText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  return JSON.stringify(value);
}

/** Shorter text is not worth a copy. */
const LONG = 16_384;

/** Flattens a concatenated string, which V8 keeps as a tree until a character is read. */
export function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** Flattens long text: a tree of many thousand nodes that survives between slices costs more garbage collection than the copy. */
export const compact = (text: string): string => (text.length >= LONG ? inOnePiece(text) : text);

/** Text with gaps that are filled by promises. */
export class DeferredText {
  readonly #pieces: { readonly before: string; readonly gap: Promise<string> }[] = [];

  add(before: string, gap: Promise<string>): void {
    this.#pieces.push({ before, gap });
  }

  /** The complete text when all gaps are filled. Rejects if one cannot be. */
  filled(end: string): Promise<string> {
    const pieces = this.#pieces;
    const [first] = pieces;
    // Most objects have one gap.
    if (first !== undefined && pieces.length === 1) return first.gap.then((text) => first.before + text + end);
    return Promise.all(pieces.map(({ gap }) => gap)).then(
      (filled) => pieces.reduce((text, { before }, at) => `${text}${before}${filled[at]}`, "") + end,
    );
  }
}
