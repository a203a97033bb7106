import { execFileSync } from "node:child_process";

/** Runs before the tests, which read what is built: compiles the sources that have changed since. */
export function setup(): void {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b"], { stdio: "inherit" });
}
