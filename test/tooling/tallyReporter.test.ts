import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const PATIENCE_MS = 60_000;

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** A separate vitest run over the fixtures whose names contain `filter`. */
const run = (filter: string): Promise<Run> =>
  new Promise((done) => {
    const vitest = execFile(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", "--config", "test/tooling/fixtures/vitest.config.ts", filter],
      { cwd: ROOT, timeout: PATIENCE_MS },
      (_, output) => done({ code: vitest.exitCode, output }),
    );
  });

let red: Run;
let green: Run;

beforeAll(async () => {
  [red, green] = await Promise.all([run("fixture"), run("green")]);
}, PATIENCE_MS);

test("the last line counts every way to fail: a test, a hook, a file, an error that nothing caught", () => {
  expect(red.output.trimEnd().split("\n").at(-1)).toBe("3 passed, 4 failed, 1 expected fail, 2 skipped");
  expect(red.code).toBe(1);
});

test("what was left out is named with its reason before the last line", () => {
  expect(red.output).toContain("Left out (no such thing on this machine):\n  mixed.fixture.ts > needs what is not here\n");
});

test("a green run ends with 0 failed and nothing else on the line", () => {
  expect(green).toEqual({ code: 0, output: "1 passed, 0 failed\n" });
});
