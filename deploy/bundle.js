import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/**
 * The entry points of the gateway: its commands, and the worker threads of its journal and its history. A bundle has all of them in one folder.
 */
export const GATEWAY = {
  main: "dist/src/main.js",
  ...Object.fromEntries(
    ["healthcheck", "token", "journal", "history", "audit", "export"].map((name) => [name, `dist/src/commands/${name}.js`]),
  ),
  thread: "dist/src/datasources/writes/journal/sqlite/thread.js",
  historyThread: "dist/src/datasources/history/sqlite/historyThread.js",
};

/** The folder of the package that a module belongs to; `undefined` for modules of this repository. */
const packageOf = (id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replace(/^\0/, ""))?.[1];

/** Loads the source maps of `tsc`, so that the bundle's source maps refer to the TypeScript sources. */
const compiled = {
  name: "compiled",
  async load(id) {
    if (packageOf(id) !== undefined || !existsSync(`${id}.map`)) return undefined;
    const [code, map] = await Promise.all([readFile(id, "utf8"), readFile(`${id}.map`, "utf8")]);
    return { code, map: JSON.parse(map) };
  },
};

/**
 * Bundles built programs with all their imports into `folder`. `<name>.js` is a program. Returns the folders of the
 * packages in the bundle.
 *
 * @param {Readonly<Record<string, string>>} programs the built file of each program, by its name in the bundle
 * @param {string} folder
 * @param {{ readonly external: readonly string[], readonly sourcemap: boolean }} options packages that are not bundled; whether
 *   source maps are written, which are as large as the programs
 * @returns {Promise<readonly string[]>}
 */
export async function bundle(programs, folder, { external, sourcemap }) {
  const { output } = await build({
    configFile: false,
    logLevel: "warn",
    plugins: [compiled],
    // One copy of graphql: otherwise the ES module and the CommonJS build would both be bundled.
    resolve: {
      alias: [
        { find: /^graphql$/, replacement: resolve("node_modules/graphql/index.js") },
        { find: /^undici$/, replacement: fileURLToPath(new URL("undici.js", import.meta.url)) },
      ],
    },
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
          // ES modules would take 8 MB more.
          format: "cjs",
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          sourcemapExcludeSources: true,
          // Types of the schema get their names from classes, and stack traces in the log from functions.
          minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } }, codegen: true },
        },
      },
    },
  });
  await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  const ids = output.flatMap((chunk) => Object.keys(chunk.type === "chunk" ? chunk.modules : {}));
  return [...new Set(ids.flatMap((id) => packageOf(id) ?? []))].sort();
}
