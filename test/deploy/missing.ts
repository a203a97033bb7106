import { spawnSync } from "node:child_process";

/** Why tests that need these programs of Debian's are left out here, and how to have them run; `undefined` where they run. */
export function whyMissing(programs: Readonly<Record<string, string>>): string | undefined {
  const missing = Object.entries(programs).filter(([program]) => spawnSync(program, ["--version"]).error !== undefined);
  if (missing.length === 0) return undefined;
  const names = missing.map(([program]) => program).join(", ");
  const packages = [...new Set(missing.map(([, debian]) => debian))].join(" ");
  return `${names} not found. On Debian: apt-get install ${packages}`;
}
