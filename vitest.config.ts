import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { defaultServerConditions } from "vite";
import { defineConfig, type Plugin } from "vitest/config";
import { TallyReporter } from "./test/support/tallyReporter.js";

/** Files that replace a module for themselves: in a shared worker the others would get the replacement too. */
const replacing = ["test", "packages/contract/test", "packages/sandbox/test"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`))
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => readFileSync(path, "utf8").includes("vi.mock("));

/**
 * Projects run by the order of their names: long files come first, so that none is left to one worker at the end. None of
 * these builds the graph, which the workers of the short ones import anyway.
 */
const long = [
  "test/{deploy,e2e,tooling}/**/*.test.ts",
  "packages/sandbox/test/conformance/**/*.test.ts",
  "packages/sandbox/test/game/*.test.ts",
  "packages/sandbox/test/sockets/books.test.ts",
  "test/datasources/writes/{chaos,killNine,replicaKills,restart,sharedDatabase,stoppedReplica}.test.ts",
];

/** Threads run what was built, packages too: Node.js reads no TypeScript there. */
const builtThreads: Plugin = {
  name: "built-threads",
  enforce: "pre",
  transform: (code, id) =>
    code.replace(/new Worker\(new URL\("(\.[^"]+)", import\.meta\.url\), \{/, (_, file: string) => {
      const built = new URL(file, pathToFileURL(id.replace("/src/", "/dist/")));
      return `new Worker(new URL(${JSON.stringify(built.href)}), { execArgv: [],`;
    }),
};

/** Packages of this repository are read from their sources; those of others as Node.js reads them, and not as bundlers do. */
const SOURCES = [...defaultServerConditions.filter((condition) => condition !== "module"), "@exchange-graph/source"];

export default defineConfig({
  plugins: [builtThreads],
  resolve: {
    conditions: SOURCES,
    // One copy of graphql: packages that vite does not transform resolve it to the same file.
    alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }],
  },
  ssr: { resolve: { conditions: SOURCES } },
  // The class semantics of tsconfig.json (legacy decorators, fields by assignment); vite reads them for src alone.
  oxc: {
    decorator: { legacy: true },
    assumptions: { setPublicClassFields: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
  test: {
    setupFiles: ["test/support/leakWatch.ts", "test/support/fixedSeed.ts", "test/support/apolloWarnings.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ["default", new TallyReporter()],
    projects: [
      // Most of a file's time was its imports, the graph's schema above all: the files of a worker share them.
      { extends: true, test: { name: "isolated", include: replacing } },
      { extends: true, test: { name: "long", include: long, exclude: replacing, isolate: false } },
      {
        extends: true,
        test: {
          name: "short",
          include: ["test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
          exclude: [...replacing, ...long],
          isolate: false,
        },
      },
    ],
  },
});
