import { mkdtempSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "@jridgewell/sourcemap-codec";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { originalStack } from "../../../src/telemetry/logs/originalStack.js";
import { originalsOf } from "../../../src/telemetry/logs/sourceMap.js";

const SOURCES = ["../src/main.ts", "../src/gateway.ts"];
const small = fc.nat(40);
/** Mapping segments by line, each line sorted by column. */
const mapped = fc.array(
  fc
    .uniqueArray(fc.tuple(small, fc.nat(1), fc.nat(3_000), small), { selector: ([column]) => column })
    .map((line) => [...line.sort(([a], [b]) => a - b)]),
  { minLength: 1, maxLength: 6 },
);
const mapOf = (lines: Parameters<typeof encode>[0]) => ({
  version: 3,
  file: "",
  sources: SOURCES,
  names: [],
  mappings: encode(lines),
});

function folderWith(file: string, map: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "stack-")), file);
  writeFileSync(`${path}.map`, map);
  return path;
}

describe("places in what was built", () => {
  it("are mapped to the previous segment on their line, as in Node", () => {
    const places = fc.array(fc.record({ line: fc.nat(6), column: fc.nat(45) }), { maxLength: 5 });
    fc.assert(
      fc.property(mapped, places, (lines, asked) => {
        const found = originalsOf(mapOf(lines), asked);
        const node = new SourceMap({ ...mapOf(lines), sourcesContent: [], sourceRoot: "" });
        for (const [index, { line, column }] of asked.entries()) {
          const entry = node.findEntry(line, column);
          const isKnown = "originalSource" in entry && entry.generatedLine === line;
          const { originalSource: source, originalLine, originalColumn } = isKnown ? entry : {};
          expect(found[index]).toEqual(isKnown ? { source, line: originalLine, column: originalColumn } : undefined);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("a logged stack", () => {
  it("names the source positions if there is a map", () => {
    const file = folderWith(
      "main.js",
      JSON.stringify(
        mapOf([
          [
            [10, 0, 33, 4],
            [30, 1, 7, 0],
          ],
        ]),
      ),
    );
    const stack = `Error: no\n    at async main (${file}:1:15)\n    at file://${file}:1:40\n    at node:internal/main:1:15`;
    expect(originalStack(stack)).toBe(
      `Error: no\n    at async main (${join(file, "../../src/main.ts")}:34:5)\n` +
        `    at ${join(file, "../../src/gateway.ts")}:8:1\n    at node:internal/main:1:15`,
    );
  });

  it.each(["no JSON", "{}"])("stays unchanged if the map is %s", (map) => {
    const stack = `Error: no\n    at main (${folderWith("main.js", map)}:1:15)`;
    expect(originalStack(stack)).toBe(stack);
  });
});
