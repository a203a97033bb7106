import { readFileSync, statSync } from "node:fs";
import type { z } from "zod";

/** What is wrong with a file's permissions, and the command that mends it; `undefined` when nothing is. */
type Guard = (path: string, stat: { readonly mode: number }) => string | undefined;

/** The permission bits of everybody but the owner. Windows keeps its permissions elsewhere. */
const OTHERS = process.platform === "win32" ? 0 : 0o077;
const OTHERS_WRITE = OTHERS & 0o022;

const shown = (mode: number): string => (mode & 0o777).toString(8);

/** For files that hold secrets: who can read an exchange key can trade, and who can write one can make others trade. */
export const openToOthers: Guard = (path, { mode }) =>
  (mode & OTHERS) === 0 ? undefined : `is open to other users (mode ${shown(mode)}): run chmod 600 ${path}`;

/** For files that everybody may read, and that decide what is allowed. */
export const changeableByOthers: Guard = (path, { mode }) =>
  (mode & OTHERS_WRITE) === 0 ? undefined : `can be changed by other users (mode ${shown(mode)}): run chmod go-w ${path}`;

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
