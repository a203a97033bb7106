"use strict";
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { Script } = require("node:vm");

// Beside every bundle, as `load.js`. It runs the files of the bundle with the machine code that V8 made of them when they were
// built (`codeCache.js`): compiling them would be a third of a start. Another version of Node, or other flags, compiles them anew.
// Nothing is ever written here.

/** Where the code of `file` lies. A bundle's file has its content's hash in its name: the two belong together. */
const cacheOf = (file) => `${file}.cache`;

/** What a file is given. Scripts that V8 takes kept code of cannot `import()`: `bundle.js` has them call `obtain()`. */
const PARAMETERS = ["exports", "require", "module", "__filename", "__dirname", "obtain"];
const obtain = (wanted) => import(wanted);
// ES modules were bundled, which are strict; and positions on the first line count from where the file begins.
const HEAD = `(function (${PARAMETERS}) { "use strict"; `;

const modules = new Map();
const scripts = new Map();

function compiled(file) {
  // The bundle is ASCII: V8 keeps a byte for each character, as it read it.
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

/** Runs a file of the bundle, once, and gives what it exports. */
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

/** Every file that was run so far: where its code belongs, and the code of what was called of it. */
const code = () => [...scripts].map(([file, script]) => [cacheOf(file), script.createCachedData()]);

module.exports = { load, code };
