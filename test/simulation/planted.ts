import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";

/**
 * Proves that the simulation finds what it is for: builds the product with one planted bug after the other, and runs seeds until an
 * invariant breaks. Each patch says in its first lines what it plants, what that breaks, and what a history needs for it.
 */

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    seeds: { type: "string", default: "300" },
    minutes: { type: "string", default: "2" },
    except: { type: "string", multiple: true, default: [] },
  },
});

const PATCHES = resolve("test/simulation/planted");
const FOLDER = resolve("build/planted");
const COMMAND = `${FOLDER}/build/simulation/test/simulation/main.js`;
const MINUTES = 60_000;

function succeed(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: FOLDER, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`);
}

/** Copies and builds the sources once: after each patch, little is built again. */
function prepare(): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(`${FOLDER}/test`, { recursive: true });
  for (const folder of ["src", "packages/replicas/src", "test/simulation"])
    cpSync(folder, `${FOLDER}/${folder}`, { recursive: true });
  for (const file of ["package.json", "tsconfig.base.json", "tsconfig.json", "tsconfig.simulation.json"])
    cpSync(file, `${FOLDER}/${file}`);
  build();
}

const build = () => succeed(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", "tsconfig.simulation.json"]);

/** Runs a task while the sources have a patch. Throws `Error` if it does not fit them, or they do not build with it. */
function planted<T>(patch: string, task: () => T): T {
  succeed("patch", ["--strip=1", "--quiet", "--forward", "--fuzz=0", "--no-backup-if-mismatch", `--input=${patch}`]);
  try {
    build();
    return task();
  } finally {
    succeed("patch", ["--strip=1", "--quiet", "--reverse", "--fuzz=0", "--no-backup-if-mismatch", `--input=${patch}`]);
  }
}

const runSeeds = (more: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(
    process.execPath,
    [
      COMMAND,
      "--brief",
      "--seeds",
      values.seeds,
      "--minutes",
      values.minutes,
      ...values.except.flatMap((name) => ["--except", name]),
      ...more,
    ],
    { encoding: "utf8", timeout: 20 * MINUTES },
  );

/** Plants a bug and looks for it. */
function foundIn(patch: string): { readonly invariant: string; readonly seed: string; readonly cpuMs: number } {
  try {
    const [, needed = ""] = /^Needs: (.*)$/m.exec(readFileSync(patch, "utf8")) ?? [];
    const needs = needed.split(", ").flatMap((what) => (what === "" ? [] : ["--with", what]));
    const [found] = planted(patch, () => runSeeds(needs))
      .stdout.split("\n")
      .filter((line) => line.startsWith("{"));
    return found === undefined ? NOTHING : JSON.parse(found);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { ...NOTHING, invariant: "does not build" };
  }
}

const NOTHING = { invariant: "nothing", seed: "", cpuMs: 0 };

prepare();
let isMissed = false;
process.stdout.write("| planted bug | should break | broke | seed | CPU time |\n|---|---|---|--:|--:|\n");
for (const file of readdirSync(PATCHES).filter((name) => name.endsWith(".patch") && name.includes(values.only))) {
  const patch = `${PATCHES}/${file}`;
  const [, breaks = ""] = /^Breaks: (.*)$/m.exec(readFileSync(patch, "utf8")) ?? [];
  const { invariant, seed, cpuMs } = foundIn(patch);
  isMissed ||= seed === "";
  process.stdout.write(
    `| ${basename(file, ".patch")} | ${breaks} | ${invariant} | ${seed} | ${(cpuMs / 1_000).toFixed(0)} s |\n`,
  );
}
process.exitCode = isMissed ? 1 : 0;
