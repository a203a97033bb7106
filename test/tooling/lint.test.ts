import { beforeAll, describe, expect, test } from "vitest";
import { lint } from "../support/biome.js";

/** Code that the linter rejects: its folder, and the rule that rejects it (for the project's plugins: their message). */
const REFUSED: readonly (readonly [promise: string, folder: string, code: string, by: string])[] = [
  ["text is not parsed by Number()", "packages/contract/src", 'export const a = Number("1.1");', "`Number` converts"],
  ["Number is not used as a callback", "packages/contract/src", 'export const a = ["1.1"].map(Number);', "`Number` converts"],
  ["parseFloat is not used", "packages/sandbox/src", 'export const a = parseFloat("1.1");', "noRestrictedGlobals"],
  ["parseFloat is not used", "packages/sandbox/src", 'export const a = Number.parseFloat("1");', "`parseFloat` converts"],
  ["text is not parsed by a unary plus", "src/engine", 'export const a = +"1.1";', "A unary plus"],
  ["the graph has no Float", "src/schema", "export const a = () => Float;", "The schema has no Float"],
  ["the graph has no Float", "src/resolvers", "export const a = () => Number;", "The schema has no Float"],
  ["time comes from the clock", "src/datasources", "export const a = Date.now();", "Take the time from"],
  ["time comes from the clock", "src/datasources", "export const a = new Date();", "Take the time from"],
  ["timers come from the clock", "src/engine", "setTimeout(() => 1, 5);", "noRestrictedGlobals"],
  ["timers come from the clock", "src/engine", 'export { setTimeout } from "node:timers/promises";', "Wait with a"],
  ["randomness has a seed", "packages/sandbox/src", "export const a = Math.random();", "Use the random function"],
  ["an error is not swallowed", "src/engine", "try { await 1; } catch { /* no */ }", "This swallows"],
  ["an error is not swallowed", "src/engine", "export const a = (p: Promise<1>) => p.catch(() => {});", "This swallows"],
  [
    "lookups by text do not use plain objects",
    "src/resolvers",
    "export const a: Readonly<Record<string, number>> = { one: 1 };",
    "Use a `Map` for lookups by text",
  ],
  [
    "lookups by text do not use plain objects",
    "packages/sandbox/src",
    "export function a(name: string) { const b: Record<string, string> = { one: name }; return b[name]; }",
    "Use a `Map` for lookups by text",
  ],
  [
    "lookups by text do not use plain objects",
    "packages/contract/src",
    "export const a = (name: string, b: object) => name in b;",
    "Use a `Map` for lookups by text",
  ],
  [
    "the desk does not count a missing figure as zero",
    "apps/desk/src/pages",
    'export const a = (value: string | null) => value ?? "0";',
    "A missing figure is not zero",
  ],
  [
    "the desk does not count a missing list as an empty one",
    "apps/desk/src/pages",
    "export const a = (totalOf: (parts: string[]) => string, parts?: string[]) => totalOf([...(parts ?? [])]);",
    "A missing part is not nothing",
  ],
  ["any is not used", "packages/contract/src", "export const a = (x: any): unknown => x;", "noExplicitAny"],
  ["possibly missing values are not asserted", "packages/contract/src", "export const a = (x?: 1) => x!;", "noNonNullAssertion"],
  ["exports are named", "packages/contract/src", "export default 1;", "noDefaultExport"],
  ["only main.ts prints", "src/engine", "console.log(1);", "noConsole"],
  ["only main.ts reads the environment", "src/engine", "export const a = process.env.A;", "noProcessEnv"],
  ["no promise floats", "src/engine", "const a = async () => 1; export const b = () => { a(); };", "noFloatingPromises"],
  ["relative imports end in .js", "packages/contract/src", 'export { two } from "./two";', "useImportExtensions"],
];

/** Imports that the rules forbid. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  "packages/contract/src/clock.ts": ["./one.js", "graphql"],
  "src/gateway.ts": ["@exchange-graph/sandbox", "@exchange-graph/sandbox/credentials", "./main.js"],
  "packages/contract/src/folder.ts": ["../../../src/datasources/one.js", "../../sandbox/src/one.js", "@exchange-graph/sandbox"],
  "packages/contract/src/deep/folder.ts": ["../../../../src/config.js", "../../test/one.js", "zod", "undici", "graphql"],
  "src/datasources/folder.ts": [
    "../schema/one.js",
    "../resolvers/one.js",
    "../transports/one.js",
    "@exchange-graph/sandbox",
    "../config/config.js",
  ],
  "src/datasources/deep/folder.ts": ["../../resolvers/one.js", "graphql", "graphql/index.js", "type-graphql", "@apollo/server"],
  "packages/sandbox/src/folder.ts": ["../../../src/datasources/one.js", "../../../src/config.js", "../../contract/src/one.js"],
  "packages/sandbox/src/deep/folder.ts": ["../../../../src/engine/one.js", "graphql", "type-graphql", "@apollo/server"],
  "src/schema/folder.ts": [
    "../datasources/one.js",
    "../resolvers/one.js",
    "../transports/one.js",
    "@exchange-graph/sandbox",
    "../config/config.js",
  ],
  "src/resolvers/folder.ts": [
    "@exchange-graph/contract",
    "@exchange-graph/contract/order",
    "../transports/one.js",
    "@exchange-graph/sandbox",
    "../config/config.js",
  ],
  "src/files/folder.ts": ["../datasources/one.js", "../config/one.js"],
  "src/config/folder.ts": ["../access/one.js", "../resolvers/one.js", "@exchange-graph/sandbox"],
  "src/access/deep/folder.ts": ["../../engine/one.js", "../../transports/http/one.js", "../../telemetry/one.js"],
  "src/engine/folder.ts": [
    "@exchange-graph/sandbox",
    "../main.js",
    "../gateway.js",
    "../transports/one.js",
    "../telemetry/one.js",
  ],
  "src/transports/deep/folder.ts": ["@exchange-graph/sandbox", "../../gateway.js", "../../telemetry/logs/one.js"],
  "src/telemetry/folder.ts": ["@exchange-graph/sandbox", "../gateway.js"],
  "apps/graphiql/folder.ts": ["../../src/gateway.js", "../other/one.js"],
  "apps/desk/src/ui/folder.ts": ["../../../../src/gateway.js", "../../../graphiql/main.js"],
};

/** Imports that the rules allow. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  "src/main.ts": ["./config/config.js", "./transports/one.js", "./upstream.js"],
  "src/upstream.ts": ["./config/config.js", "@exchange-graph/sandbox"],
  "packages/contract/src/guest.ts": ["./one.js", "./clock.js", "./decimal.js", "node:crypto", "node:fs/promises"],
  "src/datasources/guest.ts": [
    "./one.js",
    "@exchange-graph/contract/order",
    "@exchange-graph/contract/clock",
    "undici",
    "dataloader",
  ],
  "packages/sandbox/src/guest.ts": ["./one.js", "@exchange-graph/contract/order", "@exchange-graph/contract/decimal", "ws"],
  "src/schema/guest.ts": ["@exchange-graph/contract/vocabulary", "graphql", "type-graphql"],
  "src/resolvers/guest.ts": [
    "../schema/one.js",
    "../datasources/one.js",
    "@exchange-graph/contract/clock",
    "@exchange-graph/contract/decimal",
    "graphql",
    "type-graphql",
  ],
  "src/access/guest.ts": ["../config/one.js", "../resolvers/one.js", "../files/one.js"],
  "src/transports/guest.ts": ["../engine/one.js", "../access/one.js"],
  "src/telemetry/guest.ts": ["../transports/one.js", "../engine/one.js"],
  "src/engine/guest.ts": ["../access/one.js", "../resolvers/one.js", "../datasources/one.js", "../config/config.js", "graphql"],
};

/** Other code that passes: the alternatives that the rules name, and code where they do not apply. */
const ACCEPTED: Readonly<Record<string, string>> = {
  "packages/contract/src/accepted.ts": 'export const whole = Number.parseInt("12", 10) + Number.MAX_SAFE_INTEGER - 1;\n',
  "src/datasources/accepted.ts": "export const at = (ms: number): Date => new Date(ms);\n",
  "src/engine/accepted.ts": "export const retry = (p: Promise<1>): Promise<1> => p.catch((error) => Promise.reject(error));\n",
  "packages/contract/src/tables.ts":
    'export const a: ReadonlyMap<string, number> = new Map([["one", 1]]);\nexport const b: Record<"x" | "y", number> = { x: 1, y: 2 };\nexport const c = (d: object) => Symbol.iterator in d || "x" in d;\n',
  "packages/contract/src/decimal.ts": "export const one = 1;\n",
  "packages/sandbox/src/main.ts": "setTimeout(() => console.log(process.env.PORT, Date.now()), 5);\n",
};

const imports = (modules: readonly string[]): string => modules.map((module) => `import ${JSON.stringify(module)};\n`).join("");

let findings: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  findings = await lint({
    ...ACCEPTED,
    ...Object.fromEntries(REFUSED.map(([, folder, code], index) => [`${folder}/refused${index}.ts`, code])),
    ...Object.fromEntries(Object.entries({ ...CLOSED, ...OPEN }).map(([file, modules]) => [file, imports(modules)])),
    "packages/contract/src/two.ts": 'export { one as two } from "./circle.js";\n',
    "packages/contract/src/circle.ts": 'export { two } from "./two.js";\n\nexport const one = 1;\n',
  });
});

describe("the lint refuses what breaks the promise that", () => {
  test.each(REFUSED.map(([promise, folder, code, by], index) => [promise, code, `${folder}/refused${index}.ts`, by] as const))(
    "%s: %s",
    (_promise, _code, file, by) => {
      expect(findings.get(`${file}:1`) ?? []).toContainEqual(expect.stringContaining(by));
    },
  );

  test("imports form no cycle", () => {
    expect(findings.get("packages/contract/src/circle.ts:1") ?? []).toContainEqual(expect.stringContaining("noImportCycles"));
  });

  test.each(Object.entries(CLOSED))("%s imports none of %j", (file, modules) => {
    for (const [index, module] of modules.entries())
      expect(findings.get(`${file}:${index + 1}`) ?? [], module).toContainEqual(expect.stringContaining("noRestrictedImports"));
  });
});

describe("the lint accepts", () => {
  test.each(Object.entries(OPEN))("that %s imports %j", (file, modules) => {
    for (const [index, module] of modules.entries())
      expect(findings.get(`${file}:${index + 1}`) ?? [], module).not.toContainEqual(
        expect.stringContaining("noRestrictedImports"),
      );
  });

  test.each(Object.keys(ACCEPTED))("the code of %s", (file) => {
    expect([...findings].filter(([place]) => place.startsWith(`${file}:`))).toEqual([]);
  });
});
