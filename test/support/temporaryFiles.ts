import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Gives paths of files in a folder that is removed after the tests of a file or a block: of this name, or of a new one. */
export function temporaryFiles(): (name?: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "exchange-graph-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  let files = 0;
  return (name = `${files++}.sqlite`) => join(folder, name);
}
