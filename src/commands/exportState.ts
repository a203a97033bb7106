import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { EXPORT_FORMATS } from "../exports/fileFormat.js";
import { EXPORT_KINDS, type ExportKind, INTERVALS } from "../exports/table.js";

/** What an export is about. A folder holds one. */
const plan = z.strictObject({
  account: z.string(),
  /** As they were given. */
  from: z.string(),
  to: z.string().nullable(),
  format: z.enum(EXPORT_FORMATS),
  interval: z.enum(INTERVALS),
  kinds: z.array(z.enum(EXPORT_KINDS as [ExportKind, ...ExportKind[]])),
});
export type ExportPlan = z.infer<typeof plan>;

const file = z.strictObject({
  kind: z.enum(EXPORT_KINDS as [ExportKind, ...ExportKind[]]),
  /** Range that was read. */
  from: z.string(),
  to: z.string(),
  /** From here on the rows are those of the exchange's lists. */
  listedFrom: z.string(),
  /** Length of the part of the file that is certainly on the disk; the rest is written again. */
  bytes: z.int(),
  rows: z.int(),
  /** The time of the last row, and the number of rows of that time. */
  last: z.strictObject({ time: z.string(), count: z.int() }).nullable(),
  /** Of the complete file. */
  sha256: z.string().nullable(),
});
export type FileState = z.infer<typeof file>;

const state = z.strictObject({
  plan,
  /** The exchange's user of the account, and the version of the gateway: one for the whole export. */
  user: z.string().nullable(),
  gateway: z.string().nullable(),
  /** Where the range ends: without an end in the plan, when the export began. */
  to: z.string().nullable(),
  files: z.array(file),
});
export type ExportState = z.infer<typeof state>;

/** The progress of an export, in its folder. */
export class StateFile {
  readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, "export.state.json");
  }

  /** The state that an interrupted export has left. Throws an `Error` if it is of another one. */
  read(requested: ExportPlan): ExportState {
    if (!existsSync(this.path)) return { plan: requested, user: null, gateway: null, to: requested.to, files: [] };
    const found = state.parse(JSON.parse(readFileSync(this.path, "utf8")));
    if (JSON.stringify(found.plan) === JSON.stringify(plan.parse(requested))) return found;
    throw new Error(
      `${this.folder} holds another export that is not complete: ${JSON.stringify(found.plan)}. Repeat that one, or name another folder`,
    );
  }

  /** Stores the state: it is the former one or this one, whatever happens. */
  write(next: ExportState): void {
    writeWhole(this.path, JSON.stringify(next));
  }
}

/** Writes a file that appears with all of its content. */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.new`;
  const opened = openSync(draft, "w", 0o600);
  try {
    writeFileSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(draft, path);
}
