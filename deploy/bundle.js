import { existsSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { decode, encode } from "@jridgewell/sourcemap-codec";
import { build } from "vite";

/**
 * The entry points of the gateway: its commands, and the worker threads of its journal and its history. A bundle has all of them in one folder.
 */
export const GATEWAY = {
  main: "dist/src/main.js",
  ...Object.fromEntries(["healthcheck", "token", "journal", "audit"].map((name) => [name, `dist/src/commands/${name}.js`])),
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

const NOT_ASCII = /[^\0-\x7f]/g;
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
/** Additional characters of an escape: `\u2014` instead of `—`. */
const LONGER = 5;

/**
 * Rewrites a file for `load.cjs`. Characters that are not ASCII are escaped, because V8 keeps the text of a file in memory, at
 * one byte per character if all are ASCII. The source map is adjusted: no other replacement changes the length of a line.
 */
async function finishFile(file) {
  const code = await readFile(file, "utf8");
  if (/\bobtain\(/.test(code)) throw new Error(`${file} defines its own obtain(), which conflicts with the one of load.cjs`);
  // A hashbang line is commented out: the file is loaded by another one.
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
 * Bundles built programs with all their imports into `folder`. `<name>.js` runs a program (through `load.cjs`). Returns the
 * folders of the packages in the bundle.
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
          // Every supported version of Node can use a V8 code cache for scripts, but not for ES modules.
          format: "cjs",
          entryFileNames: "[name]-[hash].js",
          chunkFileNames: "[name]-[hash].js",
          sourcemapExcludeSources: true,
          // Types of the schema get their names from classes, and stack traces in the log from functions.
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
