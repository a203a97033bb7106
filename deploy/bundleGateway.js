import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, cacheGatewayCode, GATEWAY } from "./bundle.js";

// `npm run build:bundle`: what `npm start` runs. A start from one file takes a third of the time that it takes from a thousand.
// Nothing is done where nothing was built since.
const FOLDER = "bundle";

const sources = ["dist", "packages/contract/dist", "packages/sandbox/dist"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js"))
    .map((path) => join(folder, path)),
);
const inputs = [
  ...sources,
  "package-lock.json",
  ...["bundle.js", "bundleGateway.js", "codeCache.js", "load.cjs", "undici.js"].map((name) => join("deploy", name)),
];
const changedAt = (path) => statSync(path).mtimeMs;

/** Written last. The code beside the bundle is for one version of Node. */
const MADE_WITH = join(FOLDER, "nodeVersion");
const isMade = () =>
  existsSync(MADE_WITH) &&
  readFileSync(MADE_WITH, "utf8") === process.version &&
  Math.max(...inputs.map(changedAt)) <= changedAt(MADE_WITH);

if (!isMade()) {
  // SQLite is a binary of its own.
  await bundle(GATEWAY, FOLDER, { external: ["libsql"], sourcemap: true });
  await cacheGatewayCode(FOLDER);
  writeFileSync(MADE_WITH, process.version);
}
