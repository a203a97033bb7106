import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// Writes V8's code cache of a bundle, as it is after one of its programs has started and answered, beside the bundle for
// `load.cjs`.

/** A program that is not ready by then has failed. */
const READY_WITHIN_MS = 60_000;

/**
 * Starts a program of a bundle, and writes the code cache of all files that it ran.
 *
 * @param {string} program its file, for example `bundle/main.js`
 * @param {Readonly<Record<string, string>>} settings its whole environment
 * @param {{ readonly ready: RegExp, readonly use?: (address: string) => Promise<void> }} start `ready` matches the address in
 *   the line that the program prints once it serves; `use` sends it typical requests
 */
export async function cacheCode(program, settings, { ready, use = async () => undefined }) {
  // In an empty folder: a `.env` in the current one may configure a real exchange and its keys.
  const cwd = mkdtempSync(join(tmpdir(), "code-cache-"));
  const child = fork(fileURLToPath(import.meta.url), [resolve(program)], {
    cwd,
    env: { ...settings },
    execArgv: [],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let said = "";
  let serves;
  const address = new Promise((found) => {
    serves = found;
  });
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
    const [, at] = ready.exec(said) ?? [];
    if (at !== undefined) serves(at);
  });
  const ended = once(child, "exit").then(([exitCode]) => exitCode);
  const late = setTimeout(() => child.kill("SIGKILL"), READY_WITHIN_MS);
  const failed = ended.then((exitCode) => {
    throw new Error(`${program} ended with ${exitCode} instead of serving:\n${said}`);
  });
  let exitCode;
  try {
    await use(await Promise.race([address, failed]));
    child.send("write");
    exitCode = await ended;
  } finally {
    child.kill("SIGKILL");
    clearTimeout(late);
    rmSync(cwd, { recursive: true, force: true });
  }
  if (exitCode !== 0) throw new Error(`the code cache of ${program} could not be written`);
}

/** The child process: runs the program, and writes its code cache on request. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const program = process.argv[2];
  process.once("message", () => {
    const { code } = require("./load.js");
    for (const [file, data] of code()) writeFileSync(file, data);
    process.exit(0);
  });
  const require = createRequire(program);
  require(program);
}
