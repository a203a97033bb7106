import { defineConfig } from "vitest/config";
import { TallyReporter } from "./test/support/tallyReporter.js";

/** Files that replace a module for themselves: in a shared worker the others would get the replacement too. */
const REPLACES_MODULES = ["test/isolation/**/*.test.ts", "test/server/subscriptions/anyOrder.test.ts"];

export default defineConfig({
  resolve: {
    // One copy of graphql: packages that vite does not transform resolve it to the same file.
    alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }],
  },
  // The class semantics of tsconfig.json (legacy decorators, fields by assignment); vite reads them for src alone.
  oxc: {
    decorator: { legacy: true },
    assumptions: { setPublicClassFields: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
  test: {
    setupFiles: ["test/support/leakWatch.ts", "test/support/fixedSeed.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
    teardownTimeout: 5_000,
    expect: { poll: { timeout: 10_000, interval: 10 } },
    reporters: ["default", new TallyReporter()],
    projects: [
      { extends: true, test: { name: "shared", include: ["test/**/*.test.ts"], exclude: REPLACES_MODULES, isolate: false } },
      { extends: true, test: { name: "isolated", include: REPLACES_MODULES } },
    ],
  },
});
