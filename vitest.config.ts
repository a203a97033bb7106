import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defaultServerConditions } from "vite";
import { defineConfig, type Plugin, type UserWorkspaceConfig } from "vitest/config";
import { MixedOrder } from "./test/support/mixedOrder.js";
import { SHORT_LIVED } from "./test/support/shortLived.js";
import { TallyReporter } from "./test/support/tallyReporter.js";

/** Test files with module mocks. They need an isolated worker: in a shared one, other files would get the mocks too. */
const replacing = ["test", "packages/contract/test", "packages/replicas/test", "packages/sandbox/test"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`))
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => readFileSync(path, "utf8").includes("vi.mock("));

/** Folders of built files, by the folders that contain their sources in `src`. */
const BUILT: ReadonlyMap<string, string> = new Map([
  [resolve("."), resolve("dist/src")],
  [resolve("packages/replicas"), resolve("dist/packages/replicas/src")],
  ...["contract", "sandbox", "client"].map((name) => [resolve("packages", name), resolve("packages", name, "dist")] as const),
]);

/** The built file of a source, by the path that the source would have after its build. */
function builtFile(path: string): string | undefined {
  const [, root, name] = /^(.*?)\/src\/(.*\.js)$/.exec(path) ?? [];
  const folder = root === undefined ? undefined : BUILT.get(root);
  return folder === undefined ? undefined : `${folder}/${name}`;
}

/**
 * Resolves imports of sources to the built files: workers need not transform a thousand files, and the tests run the code that
 * ships.
 */
const builtSources: Plugin = {
  name: "built-sources",
  enforce: "pre",
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith(".")) return null;
    const file = builtFile(fileURLToPath(new URL(id, pathToFileURL(importer))));
    return file === undefined ? null : { id: file, external: true };
  },
};

/** Worker threads run built files, also those of packages: Node.js does not load TypeScript there. */
const builtThreads: Plugin = {
  name: "built-threads",
  enforce: "pre",
  transform: (code, id) =>
    code.replace(/new Worker\(new URL\("(\.[^"]+)", import\.meta\.url\), \{/, (whole, name: string) => {
      const file = builtFile(fileURLToPath(new URL(name, pathToFileURL(id))));
      return file === undefined ? whole : `new Worker(new URL(${JSON.stringify(pathToFileURL(file).href)}), { execArgv: [],`;
    }),
};

/** Third-party packages are resolved with the conditions of Node.js, not with those of bundlers. */
const CONDITIONS = defaultServerConditions.filter((condition) => condition !== "module");

const resolving = (conditions: string[]): UserWorkspaceConfig => ({
  // One copy of graphql: packages that vite does not transform resolve it to the same file.
  resolve: { conditions, alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  ssr: { resolve: { conditions } },
});

const fromSources = (conditions: string[]): UserWorkspaceConfig => ({ ...resolving(conditions), plugins: [builtThreads] });

/** Coverage and watch mode need sources. Module mocks work only with sources too, but only modules of the gateway have mocks. */
const isAboutSources = process.argv.includes("--coverage") || !process.argv.includes("run");
const allFromSources = fromSources([...CONDITIONS, "@exchange-graph/source"]);
const usual = isAboutSources ? allFromSources : { ...resolving(CONDITIONS), plugins: [builtSources] };
const mocked = isAboutSources ? allFromSources : fromSources(CONDITIONS);

export default defineConfig({
  // The class semantics of tsconfig.json (legacy decorators, fields by assignment); vite reads them for src alone.
  oxc: {
    decorator: { legacy: true },
    assumptions: { setPublicClassFields: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
  test: {
    globalSetup: ["test/support/build.ts"],
    setupFiles: [
      "test/support/leakWatch.ts",
      "test/support/fixedSeed.ts",
      "test/support/apolloWarnings.ts",
      "test/support/processWarnings.ts",
    ],
    pool: "forks",
    // Workers live longer than what they start: to compile each function at once takes a twentieth off their processor time.
    execArgv: [...SHORT_LIVED, "--always-sparkplug"],
    // More workers than cores, because some of them run a test that waits for processes or disks: on two cores four take a twelfth less
    // time than three.
    maxWorkers: Math.min(6, 2 * availableParallelism()),
    // Longer than any wait in a test, on a busy machine too, so that a test that fails says for what it has waited: what pages show
    // is read again every 10 seconds, a poll has to outlast that, and a test several polls. A test with more to do has a timeout of
    // its own.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    teardownTimeout: 5_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: MixedOrder },
    server: { deps: { external: [/\/dist\//] } },
    reporters: ["default", new TallyReporter()],
    projects: [
      // Files of a worker share their imports, which would take most of the time otherwise, above all the GraphQL schema.
      { ...mocked, extends: true, test: { name: "isolated", include: replacing } },
      {
        ...usual,
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts", "packages/*/test/**/*.test.ts"],
          exclude: replacing,
          isolate: false,
        },
      },
    ],
  },
});
