import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The peers in `bench/peers` have a separate lock file, because their 80 MB are not needed to build, test or run the project,
 * and some of their packages require a newer Node.js.
 */
const FOLDER = fileURLToPath(new URL("../../../bench/peers/", import.meta.url));
const DEADLINE_MS = 300_000;

/** Installs the peers from their lock file, unless they are installed. Returns the reason if that is not possible. */
export function installPeers(): string | undefined {
  if (writtenAt("node_modules/.package-lock.json") >= writtenAt("package-lock.json")) return undefined;
  process.stderr.write("installing the peers of bench/peers\n");
  const { status, stderr, error } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    encoding: "utf8",
    timeout: DEADLINE_MS,
  });
  if (status === 0) return undefined;
  process.stderr.write(`${error?.message ?? stderr}\n`);
  return "could not be installed";
}

const writtenAt = (file: string): number => statSync(`${FOLDER}${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
