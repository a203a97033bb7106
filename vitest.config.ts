import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defaultServerConditions } from "vite";
import { defineConfig, type Plugin, type UserWorkspaceConfig } from "vitest/config";
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

/** What has sources in `src`, and is built to `dist`. */
const built = [".", "packages/contract", "packages/sandbox", "packages/client"].map((path) => resolve(path));

/**
 * Tests import sources and get what was built of them, as Node.js reads it: no worker has to transform a thousand files, and
 * what is tested is what ships.
 */
const builtSources: Plugin = {
  name: "built-sources",
  enforce: "pre",
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith(".")) return null;
    const [, root, name] = /^(.*?)\/src\/(.*)\.js$/.exec(fileURLToPath(new URL(id, pathToFileURL(importer)))) ?? [];
    return root !== undefined && built.includes(root) ? { id: `${root}/dist/${name}.js`, external: true } : null;
  },
};

/** Threads run what was built, packages too: Node.js reads no TypeScript there. */
const builtThreads: Plugin = {
  name: "built-threads",
  enforce: "pre",
  transform: (code, id) =>
    code.replace(/new Worker\(new URL\("(\.[^"]+)", import\.meta\.url\), \{/, (_, file: string) => {
      const thread = new URL(file, pathToFileURL(id.replace("/src/", "/dist/")));
      return `new Worker(new URL(${JSON.stringify(thread.href)}), { execArgv: [],`;
    }),
};

/** Packages of others are read as Node.js reads them, and not as bundlers do. */
const CONDITIONS = defaultServerConditions.filter((condition) => condition !== "module");

const resolving = (conditions: string[]): UserWorkspaceConfig => ({
  // One copy of graphql: packages that vite does not transform resolve it to the same file.
  resolve: { conditions, alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  ssr: { resolve: { conditions } },
});

const fromSources: UserWorkspaceConfig = { ...resolving([...CONDITIONS, "@exchange-graph/source"]), plugins: [builtThreads] };

/** Coverage and watching are about sources, and modules can be replaced in sources alone. */
const isAboutSources = process.argv.includes("--coverage") || !process.argv.includes("run");
const usual = isAboutSources ? fromSources : { ...resolving(CONDITIONS), plugins: [builtSources] };

export default defineConfig({
  // The class semantics of tsconfig.json (legacy decorators, fields by assignment); vite reads them for src alone.
  oxc: {
    decorator: { legacy: true },
    assumptions: { setPublicClassFields: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
  test: {
    globalSetup: ["test/support/build.ts"],
    setupFiles: ["test/support/leakWatch.ts", "test/support/fixedSeed.ts", "test/support/apolloWarnings.ts"],
    pool: "forks",
    // Much of the time tests wait for processes, disks and clocks.
    maxWorkers: Math.min(6, Math.ceil(1.5 * availableParallelism())),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    expect: { poll: { timeout: 10_000 } },
    server: { deps: { external: [/\/dist\//] } },
    reporters: ["default", new TallyReporter()],
    projects: [
      // Most of a file's time was its imports, the graph's schema above all: the files of a worker share them.
      { ...fromSources, extends: true, test: { name: "isolated", include: replacing } },
      { ...usual, extends: true, test: { name: "long", include: long, exclude: replacing, isolate: false } },
      {
        ...usual,
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
