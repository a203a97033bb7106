import { spawnSync } from "node:child_process";
import { describe, it } from "vitest";

/** Why tests that need these Debian programs are skipped, and the command that installs them; `undefined` if all are there. */
export function whyMissing(programs: Readonly<Record<string, string>>): string | undefined {
  const missing = Object.entries(programs).filter(([program]) => spawnSync(program, ["--version"]).error !== undefined);
  if (missing.length === 0) return undefined;
  const names = missing.map(([program]) => program).join(", ");
  const packages = [...new Set(missing.map(([, debian]) => debian))].join(" ");
  return `${names} not found. On Debian: apt-get install ${packages}`;
}

/** Defines the suite, or one skipped test with the reason if `missing` is set. */
export function describeUnless(missing: string | undefined, name: string, suite: () => void): void {
  if (missing === undefined) describe(name, suite);
  else it(name, ({ skip }) => skip(missing));
}
