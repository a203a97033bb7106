import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readConfig } from "../../src/config/config.js";
import { readLimitsFile } from "../../src/config/ruleFiles.js";
import { VARIABLES } from "../../src/config/variables.js";
import { BLOCK_KINDS, BLOCKS, blocksOf, codeOf, kindsOf, PAGES } from "../support/pages.js";

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

/** Tests that run tests take a minute; by default they are left out. */
const LEFT_OUT = process.env.PAGE_COMMANDS === "all" ? undefined : "it takes a minute: PAGE_COMMANDS=all enables it";

describe("the blocks of the pages", () => {
  it("each have exactly one kind", () => {
    expect(BLOCKS.length).toBeGreaterThan(60);
    const others = BLOCKS.flatMap((block) => {
      const kinds = kindsOf(block);
      return kinds.length === 1 ? [] : [`${block.page}:${block.line}: ${kinds.join(", ") || "nothing runs it"}`];
    });
    expect(others).toEqual([]);
  });

  it("are run, kind by kind, by a test", () => {
    const tests = ["test", "packages/replicas/test", "packages/sandbox/test"]
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`))
      .filter((path) => path.endsWith(".test.ts"))
      .map((path) => readFileSync(path, "utf8"))
      .join("\n");
    const taken = new Set([...tests.matchAll(/\b(?:blocksOf|codeOf)\("(\w+)"\)/g)].map(([, kind]) => kind));
    expect(BLOCK_KINDS.filter((kind) => kind !== "output" && !taken.has(kind))).toEqual([]);
    expect(BLOCK_KINDS.filter((kind) => kind !== "output" && blocksOf(kind).length === 0)).toEqual([]);
  });
});

describe("the commands of the pages", () => {
  /** Commands in blocks and in running text, such as `npm run bench -- reads`. */
  const lines = PAGES.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/(?:npm run|npx) [^`\n|]+/g)].map(([line]) => ({ page, line })),
  );

  it("that run all tests are those that CI runs from a clean checkout", () => {
    const ci = readFileSync(".ci/run", "utf8");
    expect(ci).toContain("npm ci && npm test");
    expect(ci).toContain('timeout "$check_limit" npm run --silent check ||');
    const commands = codeOf("suite").flatMap((code) => code.split(/\n|&&/).map((line) => line.replace(/#.*/, "").trim()));
    const known = ["npm ci", "npm start", "npm test", "npm run check", ""];
    expect(commands.filter((command) => !known.includes(command))).toEqual([]);
  });

  it("that run a part of the tests name existing files, and sizes", () => {
    expect(codeOf("partOfSuite").length).toBeGreaterThan(0);
    const parts = lines.filter(({ line }) => line.startsWith("npx vitest run "));
    for (const { page, line } of parts) expect(existsSync(line.split(" ")[3] ?? ""), `${page}: ${line}`).toBe(true);
  });

  it("that run a part of the tests run it", { timeout: 300_000 }, ({ skip }) => {
    if (LEFT_OUT !== undefined) skip(LEFT_OUT);
    for (const command of codeOf("partOfSuite")) {
      const { status, stdout } = spawnSync("bash", ["-euc", command], { encoding: "utf8" });
      expect(stdout, command).toMatch(/^[1-9]\d* passed, 0 failed$/m);
      expect(status, command).toBe(0);
    }
  });

  it("are existing scripts and benchmarks", () => {
    const asked = lines.flatMap(({ line }) => /^npm run (?:--silent )?([\w:]+)/.exec(line)?.[1] ?? []);
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !(name in scripts))).toEqual([]);
    expect(codeOf("benchmark").length).toBeGreaterThan(0);
    const measured = lines.flatMap(({ line }) => /^npm run bench -- (\w+)/.exec(line)?.[1] ?? []);
    expect(measured.filter((name) => !existsSync(`bench/${name}/compare.ts`))).toEqual([]);
  });
});

describe("the settings of the pages", () => {
  it("are taken by the gateway", () => {
    const folder = mkdtempSync(join(tmpdir(), "settings-"));
    const account = { name: "main", apiKey: "the-key", apiSecret: "the-secret", passphrase: "thephrase" };
    writeFileSync(join(folder, "accounts.json"), JSON.stringify([account]), { mode: 0o600 });
    cpSync("test/fixtures/releases/0.1.0/clients.json", join(folder, "clients.json"));
    chmodSync(join(folder, "clients.json"), 0o600);
    for (const code of codeOf("environment")) {
      const lines = code.replaceAll("/etc/exchange-graph", folder).trimEnd().split("\n");
      const settings = Object.fromEntries(lines.map((line) => line.split("=", 2) as [string, string]));
      expect(Object.keys(settings).filter((name) => !VARIABLES.includes(name))).toEqual([]);
      expect(() => readConfig(settings)).not.toThrow();
    }
    rmSync(folder, { recursive: true });
  });

  it("include limits that the gateway reads", () => {
    const folder = mkdtempSync(join(tmpdir(), "limits-"));
    for (const code of codeOf("limitsFile")) {
      writeFileSync(join(folder, "limits.json"), code, { mode: 0o600 });
      const read = readLimitsFile(join(folder, "limits.json"));
      expect(read).toMatchObject({ content: expect.anything() });
    }
    rmSync(folder, { recursive: true });
  });
});
