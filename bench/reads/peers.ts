import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The peers of `bench/peers` have a lock file of their own: they bring 80 MB that nobody needs who builds, tests or runs the project,
 * and packages that ask for a newer Node.js than it does.
 */
const FOLDER = fileURLToPath(new URL("../../../bench/peers/", import.meta.url));
const DEADLINE_MS = 300_000;

/** Installs them as their lock file says, unless that has been done; gives why they cannot be installed. */
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
