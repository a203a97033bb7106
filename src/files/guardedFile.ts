import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import type { z } from "zod";

/**
 * What is wrong with a file's permissions, and the command that fixes it; `undefined` when nothing is. Files on a read-only
 * mount pass: that is how container platforms hand secrets over, readable by everybody in a container that has one user,
 * and nobody there could change them or their permissions.
 */
type Guard = (path: string, stat: { readonly mode: number }) => string | undefined;

/** The permission bits of everybody but the owner. Windows keeps its permissions elsewhere. */
const OTHERS = process.platform === "win32" ? 0 : 0o077;
const OTHERS_WRITE = OTHERS & 0o022;

const shown = (mode: number): string => (mode & 0o777).toString(8);

/** Known on Linux alone. Every other call fails on the file's permissions first. */
function isOnReadOnlyMount(path: string): boolean {
  const table = "/proc/self/mountinfo";
  return existsSync(table) && isMountedReadOnly(readFileSync(table, "utf8"), realpathSync(path));
}

/** Does `mountinfo` say so of the mount that holds this path? Its lines hold the mount's place fifth and its options sixth. */
export function isMountedReadOnly(mountinfo: string, path: string): boolean {
  let found = { length: -1, options: "" };
  for (const line of mountinfo.split("\n")) {
    const [, , , , escaped, options = ""] = line.split(" ");
    if (escaped === undefined) continue;
    const place = escaped.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    const holds = place === "/" || path === place || path.startsWith(`${place}/`);
    // The last of several on one place hides the others.
    if (holds && place.length >= found.length) found = { length: place.length, options };
  }
  return found.options.split(",").includes("ro");
}

/** For files that hold secrets: who can read an exchange key can trade, and who can write one can make others trade. */
export const openToOthers: Guard = (path, { mode }) =>
  (mode & OTHERS) === 0 || isOnReadOnlyMount(path)
    ? undefined
    : `is open to other users (mode ${shown(mode)}): run chmod 600 ${path}`;

/** For files that everybody may read, and that decide what is allowed. */
export const changeableByOthers: Guard = (path, { mode }) =>
  (mode & OTHERS_WRITE) === 0 || isOnReadOnlyMount(path)
    ? undefined
    : `can be changed by other users (mode ${shown(mode)}): run chmod go-w ${path}`;

/** Either what a file holds, or what is wrong with it: one sentence part per mistake, none of which shows its content. */
export type GuardedFile<T> = { readonly content: T } | { readonly mistakes: readonly string[] };

/** What is wrong with a file that is to be written on; one that is not there yet is in order. */
export function guardExisting(path: string, guard: Guard): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? guard(path, stat) : undefined;
}

/** The text of a file that keeps to `guard`. */
export function readGuarded(path: string, guard: Guard): GuardedFile<string> {
  try {
    const open = guard(path, statSync(path));
    return open === undefined ? { content: readFileSync(path, "utf8") } : { mistakes: [open] };
  } catch (error) {
    return { mistakes: [`cannot be read: ${error instanceof Error && "code" in error ? String(error.code) : String(error)}`] };
  }
}

/** The JSON of a file that keeps to `guard`, in the shape of `schema`. */
export function readGuardedJson<T>(path: string, guard: Guard, schema: z.ZodType<T>): GuardedFile<T> {
  const file = readGuarded(path, guard);
  if ("mistakes" in file) return file;
  let json: unknown;
  try {
    json = JSON.parse(file.content);
  } catch {
    // The parser's own message quotes the text around the fault, which may be a secret.
    return { mistakes: ["is not valid JSON"] };
  }
  const read = schema.safeParse(json);
  return read.success ? { content: read.data } : { mistakes: read.error.issues.map(sentence) };
}

function sentence({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return place === "" ? message : `${place} ${message}`;
}
