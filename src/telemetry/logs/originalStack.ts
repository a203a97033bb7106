import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LRUCache } from "lru-cache";
import { type Original, originalsOf, type Place } from "./sourceMap.js";

/** A position in a stack: file, line and column, both from 1. */
const PLACE = /(?<=[ (])(?:file:\/\/)?(\/[^():\n]+):(\d+):(\d+)(?=\)?$)/gm;

/** Maximum number of cached positions; errors repeat. */
const KEPT_PLACES = 1_000;
const known = new LRUCache<string, string>({ max: KEPT_PLACES });

const from0 = (text = ""): number => Number.parseInt(text, 10) - 1;

/** Without a readable map the positions stay unchanged. */
function originalsIn(file: string, places: readonly Place[]): readonly (Original | undefined)[] {
  const path = `${file}.map`;
  if (!existsSync(path)) return [];
  try {
    return originalsOf(JSON.parse(readFileSync(path, "utf8")), places);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [];
  }
}

/**
 * Maps the positions of a stack from the bundle to `src`, using the source maps beside the files. Node's `--enable-source-maps`
 * would read the map at each start, and keep 50 MB for it from the first stack on.
 */
export function originalStack(stack: string): string {
  const unknown = new Map<string, { readonly text: string; readonly line: number; readonly column: number }[]>();
  for (const [text, file = "", line, column] of stack.matchAll(PLACE))
    if (!known.has(text)) unknown.set(file, [...(unknown.get(file) ?? []), { text, line: from0(line), column: from0(column) }]);
  for (const [file, places] of unknown) {
    const originals = originalsIn(file, places);
    for (const [index, { text }] of places.entries()) {
      const original = originals[index];
      known.set(text, original ? `${resolve(dirname(file), original.source)}:${original.line + 1}:${original.column + 1}` : text);
    }
  }
  return stack.replace(PLACE, (text) => known.get(text) ?? text);
}
