import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { LRUCache } from "lru-cache";

/** A position in a stack: file, line and column, both from 1. */
const PLACE = /(?<=[ (])(?:file:\/\/)?(\/[^():\n]+):(\d+):(\d+)(?=\)?$)/gm;

/** Maximum number of cached positions; errors repeat. */
const KEPT_PLACES = 1_000;
const originals = new LRUCache<string, string>({ max: KEPT_PLACES });

/** Undefined without a readable map. */
function mapOf(file: string): SourceMap | undefined {
  const path = `${file}.map`;
  if (!existsSync(path)) return undefined;
  try {
    return new SourceMap(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

function originalOf(map: SourceMap | undefined, file: string, line: number, column: number): string | undefined {
  const entry = map?.findEntry(line - 1, column - 1);
  if (entry === undefined || !("originalSource" in entry) || entry.generatedLine !== line - 1) return undefined;
  return `${resolve(dirname(file), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/**
 * Maps the positions of a stack from the bundle to `src`, using the source maps beside the files. Node's `--enable-source-maps`
 * would read the map at each start, and keep 50 MB for it from the first stack on. Here a map is read for a stack with a new
 * position, which takes 0.1 s, and is not kept.
 */
export function originalStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(PLACE, (text, file: string, line: string, column: string) => {
    const cached = originals.get(text);
    if (cached !== undefined) return cached;
    if (!maps.has(file)) maps.set(file, mapOf(file));
    const original = originalOf(maps.get(file), file, Number.parseInt(line, 10), Number.parseInt(column, 10)) ?? text;
    originals.set(text, original);
    return original;
  });
}
