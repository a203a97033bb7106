import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

const run = (...filter: readonly string[]) =>
  spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", "test/tooling/fixtures/vitest.config.ts", ...filter],
    { cwd: ROOT, encoding: "utf8", timeout: 9_000 },
  );

const everything = run();

test("the last line counts every way to fail: a test, a hook, a file, an error that nothing caught", () => {
  const { stdout, status } = everything;
  expect(stdout.trimEnd().split("\n").at(-1)).toBe("3 passed, 4 failed, 2 skipped");
  expect(status).toBe(1);
});

test("what was left out is named with its reason before the last line", () => {
  expect(everything.stdout).toContain("Left out (no such thing on this machine):\n  mixed.fixture.ts > needs what is not here\n");
});

test("a green run ends with 0 failed and nothing else on the line", () => {
  const { stdout, status } = run("green");
  expect(stdout).toBe("1 passed, 0 failed\n");
  expect(status).toBe(0);
});
