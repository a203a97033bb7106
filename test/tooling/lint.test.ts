import { beforeAll, describe, expect, test } from "vitest";
import { lint } from "../support/biome.js";

/** Code that the lint refuses: the room it stands in, and the rule (of our own plugins: their message) that refuses it. */
const REFUSED: readonly { promise: string; room: string; code: string; by: string }[] = [
  {
    promise: "text becomes no float by Number()",
    room: "contract",
    code: 'export const a = Number("1.1");',
    by: "`Number` makes",
  },
  { promise: "Number maps no texts", room: "contract", code: 'export const a = ["1.1"].map(Number);', by: "`Number` makes" },
  { promise: "parseFloat is not used", room: "sandbox", code: 'export const a = parseFloat("1.1");', by: "`parseFloat` makes" },
  {
    promise: "parseFloat is not used",
    room: "sandbox",
    code: 'export const a = Number.parseFloat("1");',
    by: "`parseFloat` makes",
  },
  { promise: "text becomes no float by a plus", room: "server", code: 'export const a = +"1.1";', by: "A unary plus" },
  { promise: "the graph has no Float", room: "schema", code: "export const a = () => Float;", by: "The graph has no Float" },
  { promise: "the graph has no Float", room: "resolvers", code: "export const a = () => Number;", by: "The graph has no Float" },
  { promise: "the hour is the clock's", room: "datasources", code: "export const a = Date.now();", by: "The hour comes" },
  { promise: "the hour is the clock's", room: "datasources", code: "export const a = new Date();", by: "The hour comes" },
  { promise: "waiting is the clock's", room: "server", code: "setTimeout(() => 1, 5);", by: "Waiting goes" },
  {
    promise: "waiting is the clock's",
    room: "server",
    code: 'export { setTimeout } from "node:timers/promises";',
    by: "Waiting goes",
  },
  { promise: "chance has a seed", room: "sandbox", code: "export const a = Math.random();", by: "Randomness comes" },
  { promise: "an error is not swallowed", room: "server", code: "try { await 1; } catch { /* no */ }", by: "This swallows" },
  {
    promise: "an error is not swallowed",
    room: "server",
    code: "export const a = (p: Promise<1>) => p.catch(() => {});",
    by: "This swallows",
  },
  {
    promise: "what text is looked up in is no plain object",
    room: "resolvers",
    code: "export const a: Readonly<Record<string, number>> = { one: 1 };",
    by: "A table looked up by text",
  },
  {
    promise: "what text is looked up in is no plain object",
    room: "sandbox",
    code: "export function a(name: string) { const b: Record<string, string> = { one: name }; return b[name]; }",
    by: "A table looked up by text",
  },
  {
    promise: "what text is looked up in is no plain object",
    room: "contract",
    code: "export const a = (name: string, b: object) => name in b;",
    by: "A table looked up by text",
  },
  { promise: "any is not a type", room: "contract", code: "export const a = (x: any): unknown => x;", by: "noExplicitAny" },
  {
    promise: "what may be missing is not asserted",
    room: "contract",
    code: "export const a = (x?: 1) => x!;",
    by: "noNonNullAssertion",
  },
  { promise: "exports have names", room: "contract", code: "export default 1;", by: "noDefaultExport" },
  { promise: "nobody prints but main.ts", room: "server", code: "console.log(1);", by: "noConsole" },
  { promise: "only main.ts sees the environment", room: "server", code: "export const a = process.env.A;", by: "noProcessEnv" },
  {
    promise: "no promise floats",
    room: "server",
    code: "const a = async () => 1; export const b = () => { a(); };",
    by: "noFloatingPromises",
  },
  { promise: "relative imports end in .js", room: "contract", code: 'export { two } from "./two";', by: "useImportExtensions" },
];

/** Imports that a file of the house may not make. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  "clock.ts": ["./contract/one.js", "graphql"],
  "config.ts": ["./sandbox/one.js", "./main.js"],
  "contract/room.ts": [
    "../datasources/one.js",
    "../schema/one.js",
    "../resolvers/one.js",
    "../server/one.js",
    "../sandbox/one.js",
  ],
  "contract/deep/room.ts": ["../../sandbox/one.js", "../../config.js", "../../main.js", "zod", "undici", "graphql"],
  "datasources/room.ts": ["../schema/one.js", "../resolvers/one.js", "../server/one.js", "../sandbox/one.js", "../config.js"],
  "datasources/deep/room.ts": ["../../resolvers/one.js", "graphql", "graphql/index.js", "type-graphql", "@apollo/server"],
  "sandbox/room.ts": ["../datasources/one.js", "../schema/one.js", "../resolvers/one.js", "../server/one.js", "../config.js"],
  "sandbox/deep/room.ts": ["../../datasources/one.js", "graphql", "type-graphql", "@apollo/server"],
  "schema/room.ts": ["../datasources/one.js", "../resolvers/one.js", "../server/one.js", "../sandbox/one.js", "../config.js"],
  "resolvers/room.ts": ["../contract/one.js", "../server/one.js", "../sandbox/one.js", "../config.js"],
  "server/room.ts": ["../sandbox/one.js", "../main.js"],
  "server/graphiql/page/room.ts": ["../../http.js", "../../../contract/one.js"],
};

/** Imports that it may make. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["./config.js", "./server/one.js", "./sandbox/one.js"],
  "contract/guest.ts": ["./one.js", "../clock.js", "../decimal.js", "node:crypto", "node:fs/promises"],
  "datasources/guest.ts": ["./one.js", "../contract/one.js", "../clock.js", "undici", "dataloader"],
  "sandbox/guest.ts": ["./one.js", "../contract/one.js", "../decimal.js", "ws"],
  "schema/guest.ts": ["../contract/one.js", "../decimal.js", "graphql", "type-graphql"],
  "resolvers/guest.ts": ["../schema/one.js", "../datasources/one.js", "graphql", "type-graphql"],
  "server/guest.ts": ["../resolvers/one.js", "../datasources/one.js", "../config.js", "graphql", "@apollo/server"],
};

/** Other code that passes: what the rules say to write instead, and the places where they do not hold. */
const ACCEPTED: Readonly<Record<string, string>> = {
  "contract/accepted.ts": 'export const whole = Number.parseInt("12", 10) + Number.MAX_SAFE_INTEGER - 1;\n',
  "datasources/accepted.ts": "export const at = (ms: number): Date => new Date(ms);\n",
  "server/accepted.ts": "export const retry = (p: Promise<1>): Promise<1> => p.catch((error) => Promise.reject(error));\n",
  "contract/tables.ts":
    'export const a: ReadonlyMap<string, number> = new Map([["one", 1]]);\nexport const b: Record<"x" | "y", number> = { x: 1, y: 2 };\nexport const c = (d: object) => Symbol.iterator in d || "x" in d;\n',
  "decimal.ts": "export const one = 1;\n",
  "sandbox/main.ts": "setTimeout(() => console.log(process.env.PORT, Date.now()), 5);\n",
};

const imports = (modules: readonly string[]): string => modules.map((module) => `import ${JSON.stringify(module)};\n`).join("");

let findings: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  findings = await lint({
    ...ACCEPTED,
    ...Object.fromEntries(REFUSED.map(({ room, code }, index) => [`${room}/refused${index}.ts`, code])),
    ...Object.fromEntries(Object.entries({ ...CLOSED, ...OPEN }).map(([file, modules]) => [file, imports(modules)])),
    "contract/two.ts": 'export { one as two } from "./circle.js";\n',
    "contract/circle.ts": 'export { two } from "./two.js";\n\nexport const one = 1;\n',
  });
});

describe("the lint refuses what breaks the promise that", () => {
  test.each(REFUSED.map((row, index) => [row.promise, row.code, { ...row, index }] as const))(
    "%s: %s",
    (_promise, _code, { room, index, by }) => {
      expect(findings.get(`${room}/refused${index}.ts:1`) ?? []).toContainEqual(expect.stringContaining(by));
    },
  );

  test("imports form no circle", () => {
    expect(findings.get("contract/circle.ts:1") ?? []).toContainEqual(expect.stringContaining("noImportCycles"));
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
