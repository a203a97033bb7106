import { existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { changeableByOthers, type GuardedFile, readGuardedJson } from "../../../files/guardedFile.js";
import type { Halt, HaltStore } from "./halt.js";

/** Keeps nothing beyond the process. */
export const NO_HALT_STORE: HaltStore = { read: () => [], change: async () => false };

const MAX_HALTS = 10_000;

const storedHalts = z
  .array(
    z.strictObject({
      account: z.string().nullable(),
      since: z.int(),
      by: z.string().nullable(),
      reason: z.string().nullable(),
    }),
    { error: "must be a list of {account, since, by, reason}" },
  )
  .max(MAX_HALTS);

/** The file of halts beside a journal. */
export const haltsPathOf = (journalPath: string): string => `${journalPath}.halts.json`;

/** What such a file holds: nothing where there is none. Who may change it may end a halt, so that is its owner alone. */
export const readHalts = (path: string): GuardedFile<readonly Halt[]> =>
  existsSync(path) ? readGuardedJson(path, changeableByOthers, storedHalts) : { content: [] };

/** A JSON file of halts. It is replaced as a whole, so that it never holds half of them. */
export class HaltFile implements HaltStore {
  constructor(private readonly path: string) {}

  read(): readonly Halt[] {
    const file = readHalts(this.path);
    if ("mistakes" in file) throw new Error(`the file of halts, ${this.path}: ${file.mistakes.join("; ")}`);
    return file.content;
  }

  async change(account: string | null, halt: Halt | undefined): Promise<boolean> {
    const others = this.read().filter((one) => one.account !== account);
    const next = `${this.path}.next`;
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const file = await open(next, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(halt === undefined ? others : [...others, halt], undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, this.path);
    return true;
  }
}
