import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { jsonIn } from "@exchange-graph/contract/json";
import type { z } from "zod";

/**
 * Checks a file's permissions. Returns the problem and the command that fixes it, `undefined` if there is none. Files on a
 * read-only mount pass: container platforms mount secrets that way, readable by all users of a container, and no process there
 * can change them.
 */
type Guard = (path: string, stat: { readonly mode: number }) => string | undefined;

/** Permission bits of group and others. Windows has other permissions. */
const OTHERS = process.platform === "win32" ? 0 : 0o077;
const OTHERS_WRITE = OTHERS & 0o022;

const shown = (mode: number): string => (mode & 0o777).toString(8);

/**
 * Works on Linux only. On other systems the file's permissions decide. There is no other way: Node's `statfs` has no mount flags,
 * and `access` answers EACCES for another user's file before it looks at the mount.
 */
function isOnReadOnlyMount(path: string): boolean {
  const table = "/proc/self/mountinfo";
  return existsSync(table) && isMountedReadOnly(readFileSync(table, "utf8"), realpathSync(path));
}

/**
 * Whether the mount that contains this path is read-only according to `mountinfo`. The fifth field of its lines is the mount
 * point, the sixth its options.
 */
export function isMountedReadOnly(mountinfo: string, path: string): boolean {
  let found = { length: -1, options: "" };
  for (const line of mountinfo.split("\n")) {
    const [, , , , escaped, options = ""] = line.split(" ");
    if (escaped === undefined) continue;
    const place = escaped.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
    const holds = place === "/" || path === place || path.startsWith(`${place}/`);
    // Of several mounts on one point the last is visible.
    if (holds && place.length >= found.length) found = { length: place.length, options };
  }
  return found.options.split(",").includes("ro");
}

/** For files with secrets: a process that can read an exchange key can trade, and one that can write it can redirect trades. */
export const openToOthers: Guard = (path, { mode }) =>
  (mode & OTHERS) === 0 || isOnReadOnlyMount(path)
    ? undefined
    : `is open to other users (mode ${shown(mode)}): run chmod 600 ${path}`;

/** For files that all users may read and that contain rules. */
export const changeableByOthers: Guard = (path, { mode }) =>
  (mode & OTHERS_WRITE) === 0 || isOnReadOnlyMount(path)
    ? undefined
    : `can be changed by other users (mode ${shown(mode)}): run chmod go-w ${path}`;

/** The content of a file, or the mistakes in it, as parts of sentences that never quote the content. */
export type GuardedFile<T> = { readonly content: T } | { readonly mistakes: readonly string[] };

/** Files that are read again when one of them changes. */
export interface ReloadedFiles<T> {
  /** The setting, or settings, that name them. */
  readonly setting: string;
  readonly paths: readonly string[];
  readonly read: () => GuardedFile<T>;
  /**
   * Whether a change of some of them waits for the others, for half a minute: always, or only while they are read with a mistake.
   * Default: it is read at once.
   */
  readonly waitsForOthers?: "ALWAYS" | "WHILE_INVALID";
}

/** The problem with a file that will be appended to; undefined if there is none or the file does not exist yet. */
export function guardExisting(path: string, guard: Guard): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return "must be a file, and is a folder";
  return stat?.isFile() ? guard(path, stat) : undefined;
}

/** The text of a file that satisfies `guard`. */
export function readGuarded(path: string, guard: Guard): GuardedFile<string> {
  try {
    const open = guard(path, statSync(path));
    return open === undefined ? { content: readFileSync(path, "utf8") } : { mistakes: [open] };
  } catch (error) {
    return { mistakes: [`cannot be read: ${error instanceof Error && "code" in error ? String(error.code) : String(error)}`] };
  }
}

/** The JSON of a file that satisfies `guard`, parsed with `schema`. */
export function readGuardedJson<T>(path: string, guard: Guard, schema: z.ZodType<T>): GuardedFile<T> {
  const file = readGuarded(path, guard);
  if ("mistakes" in file) return file;
  const json = jsonIn(file.content);
  // The parser's message would quote the surrounding text, which may be a secret.
  if (json === undefined) return { mistakes: ["is not valid JSON"] };
  const read = schema.safeParse(json);
  return read.success ? { content: read.data } : { mistakes: read.error.issues.map(sentence) };
}

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  const rule = ruleOf(issue);
  return place === "" ? rule : `${place} ${rule}`;
}

/** What types are called in messages to users. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["object", "an object"],
  ["record", "an object"],
  ["array", "a list"],
  ["string", "text"],
  ["number", "a number"],
  ["boolean", "true or false"],
]);

/** The broken rule: the message of the schema, or, where it has none of its own, one in the same words. */
function ruleOf(issue: z.core.$ZodIssue): string {
  const { code, message } = issue;
  if (code === "unrecognized_keys" && message.startsWith("Unrecognized")) return `must not have ${issue.keys.join(", ")}`;
  const type = code === "invalid_type" && message.startsWith("Invalid input") ? TYPES.get(issue.expected) : undefined;
  return type === undefined ? message : `must be ${type}`;
}
