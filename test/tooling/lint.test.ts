import { beforeAll, describe, expect, test } from "vitest";
import { lint } from "../support/biome.js";

/** Code that the linter rejects: its folder, and the rule that rejects it (for the project's plugins: their message). */
const REFUSED: readonly { promise: string; folder: string; code: string; by: string }[] = [
  {
    promise: "text is not parsed by Number()",
    folder: "packages/contract/src",
    code: 'export const a = Number("1.1");',
    by: "`Number` converts",
  },
  {
    promise: "Number is not used as a callback",
    folder: "packages/contract/src",
    code: 'export const a = ["1.1"].map(Number);',
    by: "`Number` converts",
  },
  {
    promise: "parseFloat is not used",
    folder: "packages/sandbox/src",
    code: 'export const a = parseFloat("1.1");',
    by: "noRestrictedGlobals",
  },
  {
    promise: "parseFloat is not used",
    folder: "packages/sandbox/src",
    code: 'export const a = Number.parseFloat("1");',
    by: "`parseFloat` converts",
  },
  { promise: "text is not parsed by a unary plus", folder: "src/engine", code: 'export const a = +"1.1";', by: "A unary plus" },
  {
    promise: "the graph has no Float",
    folder: "src/schema",
    code: "export const a = () => Float;",
    by: "The schema has no Float",
  },
  {
    promise: "the graph has no Float",
    folder: "src/resolvers",
    code: "export const a = () => Number;",
    by: "The schema has no Float",
  },
  {
    promise: "time comes from the clock",
    folder: "src/datasources",
    code: "export const a = Date.now();",
    by: "Take the time from",
  },
  {
    promise: "time comes from the clock",
    folder: "src/datasources",
    code: "export const a = new Date();",
    by: "Take the time from",
  },
  { promise: "timers come from the clock", folder: "src/engine", code: "setTimeout(() => 1, 5);", by: "noRestrictedGlobals" },
  {
    promise: "timers come from the clock",
    folder: "src/engine",
    code: 'export { setTimeout } from "node:timers/promises";',
    by: "Wait with a",
  },
  {
    promise: "randomness has a seed",
    folder: "packages/sandbox/src",
    code: "export const a = Math.random();",
    by: "Use the random function",
  },
  {
    promise: "an error is not swallowed",
    folder: "src/engine",
    code: "try { await 1; } catch { /* no */ }",
    by: "This swallows",
  },
  {
    promise: "an error is not swallowed",
    folder: "src/engine",
    code: "export const a = (p: Promise<1>) => p.catch(() => {});",
    by: "This swallows",
  },
  {
    promise: "lookups by text do not use plain objects",
    folder: "src/resolvers",
    code: "export const a: Readonly<Record<string, number>> = { one: 1 };",
    by: "Use a `Map` for lookups by text",
  },
  {
    promise: "lookups by text do not use plain objects",
    folder: "packages/sandbox/src",
    code: "export function a(name: string) { const b: Record<string, string> = { one: name }; return b[name]; }",
    by: "Use a `Map` for lookups by text",
  },
  {
    promise: "lookups by text do not use plain objects",
    folder: "packages/contract/src",
    code: "export const a = (name: string, b: object) => name in b;",
    by: "Use a `Map` for lookups by text",
  },
  {
    promise: "the desk does not count a missing figure as zero",
    folder: "apps/desk/src/pages",
    code: 'export const a = (value: string | null) => value ?? "0";',
    by: "A missing figure is not zero",
  },
  {
    promise: "the desk does not count a missing list as an empty one",
    folder: "apps/desk/src/pages",
    code: "export const a = (totalOf: (parts: string[]) => string, parts?: string[]) => totalOf([...(parts ?? [])]);",
    by: "A missing part is not nothing",
  },
  {
    promise: "any is not used",
    folder: "packages/contract/src",
    code: "export const a = (x: any): unknown => x;",
    by: "noExplicitAny",
  },
  {
    promise: "possibly missing values are not asserted",
    folder: "packages/contract/src",
    code: "export const a = (x?: 1) => x!;",
    by: "noNonNullAssertion",
  },
  { promise: "exports are named", folder: "packages/contract/src", code: "export default 1;", by: "noDefaultExport" },
  { promise: "only main.ts prints", folder: "src/engine", code: "console.log(1);", by: "noConsole" },
  {
    promise: "only main.ts reads the environment",
    folder: "src/engine",
    code: "export const a = process.env.A;",
    by: "noProcessEnv",
  },
  {
    promise: "no promise floats",
    folder: "src/engine",
    code: "const a = async () => 1; export const b = () => { a(); };",
    by: "noFloatingPromises",
  },
  {
    promise: "relative imports end in .js",
    folder: "packages/contract/src",
    code: 'export { two } from "./two";',
    by: "useImportExtensions",
  },
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
    ...Object.fromEntries(REFUSED.map(({ folder, code }, index) => [`${folder}/refused${index}.ts`, code])),
    ...Object.fromEntries(Object.entries({ ...CLOSED, ...OPEN }).map(([file, modules]) => [file, imports(modules)])),
    "packages/contract/src/two.ts": 'export { one as two } from "./circle.js";\n',
    "packages/contract/src/circle.ts": 'export { two } from "./two.js";\n\nexport const one = 1;\n',
  });
});

describe("the lint refuses what breaks the promise that", () => {
  test.each(REFUSED.map((row, index) => [row.promise, row.code, { ...row, index }] as const))(
    "%s: %s",
    (_promise, _code, { folder, index, by }) => {
      expect(findings.get(`${folder}/refused${index}.ts:1`) ?? []).toContainEqual(expect.stringContaining(by));
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
