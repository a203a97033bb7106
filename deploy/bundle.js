import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build } from "vite";

/** What the gateway consists of: its commands, and the thread that its journal has. They lie beside each other in a bundle. */
export const GATEWAY = {
  ...Object.fromEntries(["main", "healthcheck", "token", "journal", "audit"].map((name) => [name, `dist/${name}.js`])),
  thread: "dist/datasources/writes/journal/sqlite/thread.js",
};

/** Where the package lies that a module belongs to; `undefined` for modules of ours. */
const packageOf = (id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replace(/^\0/, ""))?.[1];

/** Has the bundle's source maps lead to what `tsc` has compiled, and not to what it has made of it. */
const compiled = {
  name: "compiled",
  async load(id) {
    if (packageOf(id) !== undefined || !existsSync(`${id}.map`)) return undefined;
    const [code, map] = await Promise.all([readFile(id, "utf8"), readFile(`${id}.map`, "utf8")]);
    return { code, map: JSON.parse(map) };
  },
};

/**
 * Bundles built programs with everything that they import, into files beside each other in `folder`. The folders of the
 * packages that are in the bundle.
 *
 * @param {Readonly<Record<string, string>>} programs the built file of each program, by the name that its bundle has
 * @param {string} folder
 * @param {{ readonly external: readonly string[], readonly sourcemap: boolean }} options packages that are not bundled; are maps
 *   written, which are as large as the programs?
 * @returns {Promise<readonly string[]>}
 */
export async function bundle(programs, folder, { external, sourcemap }) {
  const { output } = await build({
    configFile: false,
    logLevel: "warn",
    plugins: [compiled],
    // One copy of graphql: ES modules and CommonJS would bundle one each.
    resolve: { alias: [{ find: /^graphql$/, replacement: resolve("node_modules/graphql/index.js") }] },
    ssr: { noExternal: true, external: [...external], target: "node" },
    build: {
      ssr: true,
      target: "node20",
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      sourcemap,
      rolldownOptions: {
        input: { ...programs },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          sourcemapExcludeSources: true,
          // The graph's types are named by their classes, and stacks in the log by functions.
          minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } }, codegen: true },
        },
      },
    },
  });
  const ids = output.flatMap((chunk) => Object.keys(chunk.type === "chunk" ? chunk.modules : {}));
  return [...new Set(ids.flatMap((id) => packageOf(id) ?? []))].sort();
}
