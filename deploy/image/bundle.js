import { resolve } from "node:path";
import { build } from "vite";

/** Where the package lies that a module belongs to; `undefined` for modules of ours. */
const packageOf = (id) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replace(/^\0/, ""))?.[1];

/**
 * Bundles built programs with everything that they import, into files beside each other in `folder`. The folders of the
 * packages that are in the bundle.
 *
 * @param {Readonly<Record<string, string>>} programs the built file of each program, by the name that its bundle has
 * @param {string} folder
 * @param {readonly string[]} external packages that are not bundled
 * @returns {Promise<readonly string[]>}
 */
export async function bundle(programs, folder, external) {
  const { output } = await build({
    configFile: false,
    logLevel: "warn",
    // One copy of graphql: ES modules and CommonJS would bundle one each.
    resolve: { alias: [{ find: /^graphql$/, replacement: resolve("node_modules/graphql/index.js") }] },
    ssr: { noExternal: true, external: [...external], target: "node" },
    build: {
      ssr: true,
      target: "node20",
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: {
        input: { ...programs },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          // The graph's types are named by their classes, and stacks in the log by functions.
          minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } }, codegen: true },
        },
      },
    },
  });
  const ids = output.flatMap((chunk) => Object.keys(chunk.type === "chunk" ? chunk.modules : {}));
  return [...new Set(ids.flatMap((id) => packageOf(id) ?? []))].sort();
}
