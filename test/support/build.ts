import { execFileSync } from "node:child_process";

/** Runs before the tests, which read the build output: compiles changed sources. */
export function setup(): void {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b"], { stdio: "inherit" });
}
