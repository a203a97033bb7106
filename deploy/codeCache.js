import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

// Keeps the code that V8 makes of a bundle while a program of it starts and answers, beside the bundle: `load.cjs` uses it.

/** A start that is not ready by then is a broken one. */
const READY_WITHIN_MS = 60_000;

/**
 * Starts a program of a bundle, and writes the code of all that it ran.
 *
 * @param {string} program its file, for example `bundle/main.js`
 * @param {Readonly<Record<string, string>>} settings its whole environment
 * @param {{ readonly ready: RegExp, readonly use?: (address: string) => Promise<void> }} start `ready` finds the address in the line
 *   that says that it serves; `use` asks it what most will ask
 */
export async function cacheCode(program, settings, { ready, use = async () => undefined }) {
  // In an empty folder: a `.env` here may name a real exchange, with its keys.
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
  if (exitCode !== 0) throw new Error(`the code of ${program} could not be written`);
}

/** The child: the program, and what writes its code. */
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
