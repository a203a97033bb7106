"use strict";
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

// The loader of a bundle, copied into it as `load.js`. It runs the files of the bundle with V8's code cache from build time
// (`codeCache.js`): compilation would take a third of the startup time. Another version of Node, or other flags, compiles them
// again. The loader never writes the cache.

/** Path of the code cache of `file`. A bundle's files have a hash of their content in their names, so the two always match. */
const cacheOf = (file) => `${file}.cache`;

/**
 * Parameters of the function around a file. Scripts with a code cache cannot use `import()`: `bundle.js` replaces it by
 * `obtain()`.
 */
const PARAMETERS = ["exports", "require", "module", "__filename", "__dirname", "obtain"];
const obtain = (wanted) => import(wanted);
// Bundled ES modules are strict code. `columnOffset` below corrects the positions on the first line.
const HEAD = `(function (${PARAMETERS}) { "use strict"; `;

const modules = new Map();
const scripts = new Map();

function compiled(file) {
  // The bundle is ASCII. Read as latin1, V8 keeps one byte per character.
  const source = readFileSync(file, "latin1");
  const cachedData = existsSync(cacheOf(file)) ? readFileSync(cacheOf(file)) : undefined;
  const script = new Script(`${HEAD}${source}\n})`, {
    filename: file,
    columnOffset: -HEAD.length,
    cachedData,
  });
  scripts.set(file, script);
  return script.runInThisContext();
}

/** Runs a file of the bundle on first use, and returns its exports. */
function load(name) {
  const file = join(__dirname, name);
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(file, module);
  const requireHere = (wanted) => (wanted.startsWith("./") ? load(wanted) : require(wanted));
  compiled(file).call(module.exports, module.exports, requireHere, module, file, __dirname, obtain);
  return module.exports;
}

/** For every file run so far: the path of its code cache, and the cache with the functions that were called. */
const code = () => [...scripts].map(([file, script]) => [cacheOf(file), script.createCachedData()]);

module.exports = { load, code };
