import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Runs a program and returns its output; throws if it fails. */
export const run = (command, ...words) =>
  execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

/** Whether a program is installed. */
export const has = (command) => spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined;

/** The SHA-256 of a file, in hex. */
export const sha256 = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

const git = (...words) => {
  const { status, stdout } = spawnSync("git", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return status === 0 ? stdout.trim() : undefined;
};

/** The name of the last commit; throws outside of a repository. */
export function head() {
  const name = git("rev-parse", "HEAD");
  if (name === undefined) throw new Error("this is not a repository of git, so there is no commit to name");
  return name;
}

/**
 * The commit that a release is made from: its name, with the suffix `-changed` if files differ from it, and its time in seconds,
 * which is the time of all files in the archives and images.
 */
export function commit() {
  const [name, time] = git("log", "-1", "--format=%H %ct")?.split(" ") ?? ["unknown", "0"];
  return { name: git("status", "--porcelain") === "" || name === "unknown" ? name : `${name}-changed`, time };
}

/**
 * Writes a tar archive of some files of a folder. Equal files give an equal archive: order, owners, modes and times are fixed.
 *
 * @param {string} file the archive, compressed by gzip if its name ends in `.gz`
 * @param {string} folder
 * @param {{ readonly time: string, readonly prefix?: string, readonly paths?: readonly string[] }} options `prefix` is put in
 *   front of each name
 */
export function tar(file, folder, { time, prefix = "", paths = ["."] }) {
  const fixed = [
    "--sort=name",
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u=rwX,go=rX",
    "--format=ustar",
    `--mtime=@${time}`,
  ];
  const names = ["--transform=s,^\\./,,", ...(prefix === "" ? [] : [`--transform=s,^,${prefix}/,rSh`])];
  const plain = file.replace(/\.gz$/, "");
  run("tar", ...fixed, ...names, "-cf", plain, "-C", folder, ...paths);
  if (file !== plain) run("gzip", "-9", "--no-name", plain);
}
