import { existsSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { decode, encode } from "@jridgewell/sourcemap-codec";
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

const NOT_ASCII = /[^\0-\x7f]/g;
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
/** How much longer an escape is than the character: `—` and `\u2014`. */
const LONGER = 5;

/**
 * Makes of a file what `load.cjs` runs. What is not ASCII is escaped, and the positions behind it move: V8 keeps the text of a
 * file, at a byte for each ASCII character. Nothing else changes its length.
 */
async function finishFile(file) {
  const code = await readFile(file, "utf8");
  if (/\bobtain\(/.test(code)) throw new Error(`${file} has an obtain() of its own: load.cjs gives it another one`);
  // A program of its own may begin with the line that runs it; here it is not the first to be run.
  await writeFile(
    file,
    code
      .replace(/^#!/, "//")
      .replace(/\bimport\((?=["'`])/g, "obtain(")
      .replace(NOT_ASCII, escaped),
  );
  if (!existsSync(`${file}.map`)) return;
  const map = JSON.parse(await readFile(`${file}.map`, "utf8"));
  const lines = code.split("\n");
  const mappings = decode(map.mappings).map((segments, line) => {
    const columns = [...(lines[line] ?? "").matchAll(NOT_ASCII)].map(({ index }) => index);
    if (columns.length === 0) return segments;
    return segments.map(([column, ...rest]) => [column + LONGER * columns.filter((other) => other < column).length, ...rest]);
  });
  await writeFile(`${file}.map`, JSON.stringify({ ...map, mappings: encode(mappings) }));
}

/**
 * Bundles built programs with everything that they import, into files beside each other in `folder`: `<name>.js` runs a program
 * (`load.cjs`). The folders of the packages that are in the bundle.
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
          // Only for scripts does every version of Node take code that was kept.
          format: "cjs",
          entryFileNames: "[name]-[hash].js",
          chunkFileNames: "[name]-[hash].js",
          sourcemapExcludeSources: true,
          // The graph's types are named by their classes, and stacks in the log by functions.
          minify: { mangle: { keepNames: true }, compress: { keepNames: { function: true, class: true } }, codegen: true },
        },
      },
    },
  });
  const chunks = output.filter(({ type }) => type === "chunk");
  await Promise.all(chunks.map(({ fileName }) => finishFile(join(folder, fileName))));
  const entries = chunks.filter(({ isEntry }) => isEntry);
  const started = ({ name, fileName }) =>
    writeFile(join(folder, `${name}.js`), `"use strict";\nrequire("./load.js").load(${JSON.stringify(fileName)});\n`);
  await Promise.all(entries.map(started));
  await copyFile(fileURLToPath(new URL("load.cjs", import.meta.url)), join(folder, "load.js"));
  await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n');
  const ids = output.flatMap((chunk) => Object.keys(chunk.type === "chunk" ? chunk.modules : {}));
  return [...new Set(ids.flatMap((id) => packageOf(id) ?? []))].sort();
}
