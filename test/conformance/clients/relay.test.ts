import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import relayCompiler from "relay-compiler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLES } from "../../support/examples.js";

const run = promisify(execFile);

/** Relay requires names derived from the module for operations and connections, and allows null for variables with a default. */
function modulesOf(): ReadonlyMap<string, string> {
  return new Map(
    EXAMPLES.map(({ file, text, operation }) => {
      const module = file.replace(/\.graphql$/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      const name = `${module}${operation.replace(/^./, (letter) => letter.toUpperCase())}`;
      const named = text
        .replace(/(query|mutation|subscription) \w+/, `${operation} ${name}`)
        .replaceAll("! = ", " = ")
        .replace(/^#.*\n/gm, "");
      const paged = named.replace(
        /(\w+)(\([^()]*after: \$\w+[^()]*\))/g,
        (_, field: string, given: string) => `${field}${given} @connection(key: "${module}_${field}")`,
      );
      return [module, paged] as const;
    }),
  );
}

/** A screen as a Relay front end writes it: a paginated fragment, refetched by the account's `id`. */
const PAGED_FRAGMENT = `fragment openOrders_account on Account
  @refetchable(queryName: "openOrdersPageQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
  openOrders(first: $count, after: $cursor) @connection(key: "openOrders_openOrders") {
    edges { node { symbol side price qty status } }
  }
}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "relay-"));
  await mkdir(join(folder, "src"));
  await copyFile("schema.graphql", join(folder, "schema.graphql"));
});
afterAll(() => rm(folder, { recursive: true }));

const compile = async (modules: Iterable<readonly [string, string]>): Promise<string> => {
  for (const [name, text] of modules)
    await writeFile(join(folder, "src", `${name}.js`), `import { graphql } from "react-relay";\ngraphql\`\n${text}\`;\n`);
  const config = {
    src: "./src",
    schema: "./schema.graphql",
    language: "typescript",
    customScalarTypes: { Decimal: "string", DateTime: "string", BigInt: "number", JSON: "mixed" },
    noFutureProofEnums: true,
  };
  await writeFile(join(folder, "relay.config.json"), JSON.stringify(config));
  const { stdout, stderr } = await run(relayCompiler, ["relay.config.json"], { cwd: folder, timeout: 30_000 });
  return stdout + stderr;
};

describe("the Relay compiler", () => {
  it("compiles every example, its pages as connections, and a fragment that is refetched by id", async () => {
    const modules = modulesOf();
    const connections = [...modules.values()].filter((text) => text.includes("@connection"));
    expect(connections).not.toEqual([]);
    // All those with a variable for the cursor.
    expect(connections).toEqual([...modules.values()].filter((text) => /\$(\w+A|a)fter: String/.test(text)));
    const output = await compile([...modules, ["openOrders", PAGED_FRAGMENT]]);
    // The examples, and the query that refetches the fragment.
    expect(output).toContain(`${EXAMPLES.length + 1} normalization`);
    expect(output).not.toMatch(/error|warn/i);
  });

  it("would refuse a connection without edges", async () => {
    const text = modulesOf().get("trading") ?? "";
    await expect(compile([["trading", text.replace("edges {", "nodes {")]])).rejects.toThrow();
  });
});
