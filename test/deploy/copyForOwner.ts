import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** A copy that only its owner may read. Containers need none: their mounts are read-only and accepted with any mode. */
export function copyForOwner(path: string, folder: string): string {
  const copy = join(folder, basename(path));
  writeFileSync(copy, readFileSync(path), { mode: 0o600 });
  return copy;
}
