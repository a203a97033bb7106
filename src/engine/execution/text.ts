/** A piece of an answer as JSON text, or the promise of one. */
export type Text = string | Promise<string>;

/** Nothing that JSON writes in another way: no quote, no backslash, no control character, no half of a pair. */
const AS_IT_IS = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** Shorter texts, which most are, are looked through by character before a pattern would have begun. */
const SHORT = 40;

/** Does JSON write this text as it is? */
export function isAsItIs(text: string): boolean {
  if (text.length > SHORT) return AS_IT_IS.test(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return false;
  }
  return true;
}

/** JSON of a string. Most need no escape, and that is found out in less time than `JSON.stringify` takes to begin. */
export const quoted = (text: string): string => (isAsItIs(text) ? `"${text}"` : JSON.stringify(text));

/** JSON of what a scalar or an enum has serialised. */
export function leafText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  return JSON.stringify(value);
}

/** Text that is shorter is not worth a copy. */
const LONG = 16_384;

/** Text that was put together is a tree of its pieces until somebody looks at a character of it. */
export function inOnePiece(text: string): string {
  text.charCodeAt(0);
  return text;
}

/** Long text in one piece: a tree of many thousands that lives on between slices costs the garbage collector more than writing it. */
export const compact = (text: string): string => (text.length >= LONG ? inOnePiece(text) : text);

/** Text with gaps that promises fill. */
export class DeferredText {
  readonly #pieces: { readonly before: string; readonly gap: Promise<string> }[] = [];

  add(before: string, gap: Promise<string>): void {
    this.#pieces.push({ before, gap });
  }

  /** The whole text, once every gap is filled. Rejects when one cannot be. */
  filled(end: string): Promise<string> {
    const pieces = this.#pieces;
    const [first] = pieces;
    // Most objects wait for one thing.
    if (first !== undefined && pieces.length === 1) return first.gap.then((text) => first.before + text + end);
    return Promise.all(pieces.map(({ gap }) => gap)).then(
      (filled) => pieces.reduce((text, { before }, at) => `${text}${before}${filled[at]}`, "") + end,
    );
  }
}
