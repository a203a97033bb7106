import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle, GATEWAY } from "./bundle.js";

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
  ...["bundle.js", "bundleGateway.js", "load.cjs", "undici.js"].map((name) => join("deploy", name)),
];
const changedAt = (path) => statSync(path).mtimeMs;

/** Written last. */
const MADE = join(FOLDER, "made");

if (!existsSync(MADE) || Math.max(...inputs.map(changedAt)) > changedAt(MADE)) {
  // SQLite is a binary of its own.
  await bundle(GATEWAY, FOLDER, { external: ["libsql"], sourcemap: true });
  writeFileSync(MADE, "");
}
