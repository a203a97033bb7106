import { z } from "zod";

/** The used part of a source map (https://tc39.es/ecma426/). */
const MAP = z.object({ sources: z.array(z.string()), mappings: z.string() });

/** A position in a file; lines and columns count from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The corresponding position in a source file. */
export interface Original extends Place {
  /** Relative to the map. */
  readonly source: string;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(128);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;

const COMMA = 44;
const SEMICOLON = 59;

/** Reads mappings segment by segment. */
class Segments {
  line = 0;
  /** Fields of the last segment: column, source, and line and column there. Segments encode differences. */
  readonly fields = [0, 0, 0, 0];
  hasSource = false;
  #at = 0;

  constructor(private readonly text: string) {}

  /** Reads the next segment; `false` at the end. */
  read(): boolean {
    for (; this.#isAt(COMMA) || this.#isAt(SEMICOLON); this.#at++)
      if (this.#isAt(SEMICOLON)) {
        this.line += 1;
        this.fields[0] = 0;
      }
    if (this.#at >= this.text.length) return false;
    let field = 0;
    for (; this.#at < this.text.length && !this.#isAt(COMMA) && !this.#isAt(SEMICOLON); field++)
      this.fields[field] = (this.fields[field] ?? 0) + this.#number();
    this.hasSource = field > 1;
    return true;
  }

  #isAt(code: number): boolean {
    return this.text.charCodeAt(this.#at) === code;
  }

  #number(): number {
    let value = 0;
    for (let shift = 0, more = 32; more !== 0; shift += 5) {
      const digit = VALUES[this.text.charCodeAt(this.#at++)] ?? 0;
      more = digit & 32;
      value |= (digit & 31) << shift;
    }
    return value & 1 ? -(value >> 1) : value >> 1;
  }
}

/**
 * The original position of each of `places`; `undefined` for those that are not in the map. The map is scanned once and not kept:
 * parsed, it would take fifteen times its length.
 */
export function originalsOf(map: unknown, places: readonly Place[]): readonly (Original | undefined)[] {
  const { sources, mappings } = MAP.parse(map);
  const found: (Original | undefined)[] = places.map(() => undefined);
  const wanted = [...places.entries()].sort(([, a], [, b]) => a.line - b.line || a.column - b.column);
  const segments = new Segments(mappings);
  let next = 0;
  let nearest: Original | undefined;
  let nearestLine = 0;
  while (next < wanted.length) {
    const isOver = !segments.read();
    const [column = 0, source = 0, line = 0, originalColumn = 0] = segments.fields;
    for (let one = wanted[next]; one !== undefined; one = wanted[++next]) {
      const [index, place] = one;
      if (!isOver && (place.line > segments.line || (place.line === segments.line && place.column >= column))) break;
      found[index] = place.line === nearestLine ? nearest : undefined;
    }
    if (isOver) break;
    if (wanted[next]?.[1].line !== segments.line) continue;
    const name = segments.hasSource ? sources[source] : undefined;
    nearest = name === undefined ? undefined : { source: name, line, column: originalColumn };
    nearestLine = segments.line;
  }
  return found;
}
