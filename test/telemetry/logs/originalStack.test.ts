import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "@jridgewell/sourcemap-codec";
import { describe, expect, it } from "vitest";
import { originalStack } from "../../../src/telemetry/logs/log.js";

const mapOf = (lines: Parameters<typeof encode>[0]) => ({
  version: 3,
  file: "",
  sources: ["../src/main.ts", "../src/gateway.ts"],
  names: [],
  mappings: encode(lines),
});

function folderWith(file: string, map: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "stack-")), file);
  writeFileSync(`${path}.map`, map);
  return path;
}

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
