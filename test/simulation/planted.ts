import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { INVARIANTS } from "./auditor.js";

/**
 * Proves that the simulation finds what it is for: builds the product with one planted bug after the other, and runs seeds until an
 * invariant breaks that the bug is said to break. On that seed the product without the bug must break none. Each patch says in its
 * first lines what it plants, what that breaks, and what a history needs for it.
 */

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    seeds: { type: "string", default: "1000" },
    minutes: { type: "string", default: "2" },
    except: { type: "string", multiple: true, default: [] },
  },
});

const PATCHES = resolve("test/simulation/planted");
const FOLDER = resolve("build/planted");
const COMMAND = "build/simulation/test/simulation/main.js";
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

interface Found {
  readonly invariant: string;
  readonly seed: string;
  readonly cpuMs: number;
}

/** The first invariant that breaks, if any does. Throws `Error` if the simulation itself fails. */
function firstBroken(
  folder: string,
  seeds: readonly string[],
  except: readonly string[],
  needs: readonly string[],
): Found | undefined {
  const named = [...except.flatMap((name) => ["--except", name]), ...needs.flatMap((what) => ["--with", what])];
  const args = [resolve(folder, COMMAND), "--brief", ...seeds, "--minutes", values.minutes, ...named];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 30 * MINUTES });
  const found = stdout.split("\n").find((line) => line.startsWith("{"));
  if (status === 0) return undefined;
  if (status === 1 && found !== undefined) return JSON.parse(found);
  throw new Error(`the simulation ${status === null ? "took too long" : `ended with ${status}`}: ${stderr}`);
}

/** Names after a word at the beginning of a line of a patch. */
const namesIn = (patch: string, word: string): readonly string[] =>
  new RegExp(`^${word}: (.+)$`, "m").exec(readFileSync(patch, "utf8"))?.[1]?.split(", ") ?? [];

/** Plants a bug and looks for it. `isProven`: it breaks what it should, and the product without it breaks nothing on this seed. */
function look(
  patch: string,
  breaks: readonly string[],
): Partial<Found> & { readonly isProven: boolean; readonly unpatched: string } {
  try {
    const others = INVARIANTS.filter((name) => !breaks.includes(name));
    const found = planted(patch, () => firstBroken(FOLDER, ["--seeds", values.seeds], others, namesIn(patch, "Needs")));
    if (found === undefined) return { isProven: false, unpatched: "" };
    const own = firstBroken(".", ["--seed", `${found.seed}`], values.except, []);
    return { ...found, isProven: own === undefined, unpatched: own === undefined ? "clean" : `breaks ${own.invariant}` };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { isProven: false, unpatched: "", invariant: "does not build, or run" };
  }
}

prepare();
let isMissed = false;
process.stdout.write("| planted bug | should break | broke | seed | CPU time | without it |\n|---|---|---|--:|--:|---|\n");
for (const file of readdirSync(PATCHES).filter((name) => name.endsWith(".patch") && name.includes(values.only))) {
  const patch = `${PATCHES}/${file}`;
  const breaks = namesIn(patch, "Breaks");
  const { isProven, unpatched, invariant = "nothing", seed = "", cpuMs = 0 } = look(patch, breaks);
  isMissed ||= !isProven;
  const row = [basename(file, ".patch"), breaks.join(", "), invariant, seed, `${(cpuMs / 1_000).toFixed(0)} s`, unpatched];
  process.stdout.write(`| ${row.join(" | ")} |\n`);
}
process.exitCode = isMissed ? 1 : 0;
