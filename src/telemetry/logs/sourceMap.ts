import { z } from "zod";

/** What is read of a source map (https://tc39.es/ecma426/). */
const MAP = z.object({ sources: z.array(z.string()), mappings: z.string() });

/** A place in a file; lines and columns count from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The same place in the source that the file was made of. */
export interface Original extends Place {
  /** Relative to the map. */
  readonly source: string;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(128);
for (const [value, digit] of [...DIGITS].entries()) VALUES[digit.charCodeAt(0)] = value;

const COMMA = 44;
const SEMICOLON = 59;

/** Reads mappings from their start, segment by segment. */
class Segments {
  line = 0;
  /** Of the segment read last: column, and source, line and column there. Each says by how much they differ from the one before. */
  readonly fields = [0, 0, 0, 0];
  hasSource = false;
  #at = 0;

  constructor(private readonly text: string) {}

  /** Goes to the next segment; `false` where there is none. */
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
 * Where each of `places` comes from; `undefined` for places that the map does not know. The map is read once from its start, and
 * nothing of it is kept: as objects it would take fifteen times its length.
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
