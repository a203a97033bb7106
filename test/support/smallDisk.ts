import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Mounts a file system of `size` (`64k`) if this user may mount one; returns its path, which `removeDisk` takes. */
export function smallDisk(folder: string, size: string): string | undefined {
  const place = join(folder, "disk");
  mkdirSync(place);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", place], { stdio: "ignore" });
    return place;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

export const removeDisk = (place: string | undefined): void => {
  if (place !== undefined) execFileSync("umount", ["-l", place]);
};
