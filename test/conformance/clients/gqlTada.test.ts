import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { introspectionFromSchema, Kind } from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EXAMPLES, type Example } from "../../support/examples.js";
import { graph } from "../../support/graph.js";
import { describeUnless } from "../../support/missing.js";

const LEFT_OUT =
  process.env.EXAMPLE_TYPES === "all" ? undefined : "the compiler takes ten seconds of a processor: EXAMPLE_TYPES=all enables it";

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: "es2022",
  module: "nodenext",
  skipLibCheck: true,
  types: [],
};

const HEAD = `import { initGraphQLTada, type ResultOf, type VariablesOf } from "gql.tada";
import type * as Generated from "../../test/generated/graphql.js";
import type { introspection } from "./introspection.js";

const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { ID: string; Decimal: string; DateTime: string; BigInt: number; JSON: unknown };
}>();
type IsAny<T> = 0 extends 1 & T ? true : false;
/** Whether the types that two libraries infer from one document are the same. */
type Same<A, B> = IsAny<A> extends true ? never : [A] extends [B] ? ([B] extends [A] ? true : never) : never;
/** Variables without the single values that GraphQL accepts for lists: graphql-codegen allows them, gql.tada does not. */
type OnlyLists<V> = {
  [K in keyof V]: [Extract<V[K], readonly unknown[]>] extends [never] ? V[K] : Extract<V[K], readonly unknown[] | null | undefined>;
};
`;

/** The document as a front end writes it; its types are compared with those that graphql-codegen generates from its file. */
function typesOf({ document, text }: Example): string {
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || definition.name === undefined) throw new Error("an example has no name");
  const { value: name } = definition.name;
  const generated = name + definition.operation.replace(/^./, (letter) => letter.toUpperCase());
  return `const document${name} = graphql(\`${text.replaceAll("`", "'")}\`);
export const result${name}: Same<ResultOf<typeof document${name}>, Generated.${generated}> = true;
export const variables${name}: Same<VariablesOf<typeof document${name}>, OnlyLists<Generated.${generated}Variables>> = true;
`;
}

describeUnless(LEFT_OUT, "the types of the examples", () => {
  let folder: string;
  beforeAll(async () => {
    await mkdir("build", { recursive: true });
    folder = await mkdtemp(join("build", "tada-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const compile = async (code: string): Promise<string> => {
    const introspection = introspectionFromSchema(graph, { descriptions: false, specifiedByUrl: false });
    await writeFile(join(folder, "introspection.ts"), `export type introspection = ${JSON.stringify(introspection)};\n`);
    await writeFile(join(folder, "documents.ts"), code);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ["documents.ts"] }),
    );
    // It lives for seconds: its garbage is collected less often.
    const env = { ...process.env, GOGC: "400" };
    const compiler = promisify(execFile)("node_modules/.bin/tsc", ["-p", folder], { timeout: 110_000, env });
    return compiler.then(
      ({ stdout }) => stdout,
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
  };

  // The compiler takes the processor for as long as it can get it.
  it("are the same for gql.tada, which reads the schema, as for graphql-codegen", async () => {
    const wrong = 'export const wrong: ResultOf<typeof documentPortfolio>["accounts"][number]["nothing"] = null;\n';
    const output = await compile(HEAD + EXAMPLES.map(typesOf).join("") + wrong);
    const complaints = output.split("\n").filter((line) => line.includes("error"));
    expect(complaints).toEqual([expect.stringContaining("Property 'nothing' does not exist")]);
  }, 120_000);
});
