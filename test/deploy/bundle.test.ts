import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const FOLDER = "bundle";
const names = readdirSync(FOLDER);

/** Loads the bundle's main program like the start script, and prints the files whose cached code V8 rejected. */
const REFUSED = `
const vm = require("node:vm");
const refused = [];
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    if (options.cachedData !== undefined && this.cachedDataRejected) refused.push(options.filename);
  }
};
const main = require("./${FOLDER}/load.js");
process.once("exit", () => console.log(JSON.stringify(refused)));
main.load(process.argv[1]);
`;

const majorOf = (version: string): string | undefined => version.split(".")[0];

it("is loaded by V8 with its cached code, and compiled again by another version of Node", async () => {
  const program = names.find((name) => /^main-.*\.js$/.test(name)) ?? "";
  expect(names).toContain(`${program}.cache`);
  // With an invalid setting everything is loaded, but nothing starts.
  const { stdout } = await run(process.execPath, ["-e", REFUSED, program], { env: { PORT: "none" } }).catch((ended) => ended);
  const isSame = majorOf(readFileSync(join(FOLDER, "nodeVersion"), "utf8")) === majorOf(process.version);
  expect(JSON.parse(stdout)).toEqual(isSame ? [] : expect.arrayContaining([resolve(FOLDER, program)]));
});

it("is ASCII: V8 would keep two bytes for each character of a file with any other", () => {
  const files = names.filter((name) => name.endsWith(".js"));
  expect(files.filter((name) => /[^\0-\x7f]/.test(readFileSync(join(FOLDER, name), "utf8")))).toEqual([]);
});

it("has no import(), which scripts with cached code cannot do on Node 20", () => {
  const files = names.filter((name) => /-.*\.js$/.test(name));
  expect(files.filter((name) => /\bimport\(["'`]/.test(readFileSync(join(FOLDER, name), "utf8")))).toEqual([]);
});

it("is started by the build where there is no .env, which may name a real exchange", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  writeFileSync(join(folder, ".env"), "EXCHANGE_API_KEY=real");
  writeFileSync(join(folder, "load.js"), "exports.code = () => [];");
  const program = 'console.log("on", JSON.stringify(require("node:fs").readdirSync(".")) + JSON.stringify(process.env), ".");';
  writeFileSync(join(folder, "main.js"), program);
  const build = `
    const { cacheCode } = await import(${JSON.stringify(resolve("deploy/codeCache.js"))});
    await cacheCode("main.js", { PORT: "0" }, { ready: /^on (\\S+) \\.$/m, use: async (seen) => console.log(seen) });
  `;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", build], {
    cwd: folder,
    env: { EXCHANGE_API_KEY: "real" },
  });
  expect(stdout).toMatch(/^\[\]\{[^}]*"PORT":"0"/);
  expect(stdout).not.toContain("real");
  rmSync(folder, { recursive: true });
});
