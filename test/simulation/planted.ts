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
const BUILDS = resolve("build/planted");
const MINUTES = 60_000;

function succeed(program: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`);
}

/** Builds the sources with a patch, and returns the command. Throws `Error` if the patch no longer fits them. */
function built(patch: string): string {
  const folder = `${BUILDS}/${basename(patch, ".patch")}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/test`, { recursive: true });
  cpSync("src", `${folder}/src`, { recursive: true });
  cpSync("packages/replicas/src", `${folder}/packages/replicas/src`, { recursive: true });
  cpSync("test/simulation", `${folder}/test/simulation`, { recursive: true });
  for (const file of ["package.json", "tsconfig.base.json", "tsconfig.json", "tsconfig.simulation.json"])
    cpSync(file, `${folder}/${file}`);
  succeed("patch", ["--strip=1", "--quiet", "--forward", `--input=${patch}`], folder);
  succeed(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", "tsconfig.simulation.json"], folder);
  return `${folder}/build/simulation/test/simulation/main.js`;
}

const runSeeds = (command: string, more: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(
    process.execPath,
    [
      command,
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
    const [found] = runSeeds(built(patch), needs)
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
