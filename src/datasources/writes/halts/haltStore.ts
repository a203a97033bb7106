import { existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { changeableByOthers, readGuardedJson } from "../../../guardedFile.js";
import type { Halt, HaltStore } from "./halt.js";

/** Keeps nothing beyond the process. */
export const NO_HALT_STORE: HaltStore = { read: () => [], write: async () => undefined };

const MAX_HALTS = 10_000;

const storedHalts = z
  .array(
    z.strictObject({
      /** Which exchange it is about: a file may hold the halts of several. */
      realm: z.string(),
      account: z.string().nullable(),
      since: z.int(),
      by: z.string().nullable(),
      reason: z.string().nullable(),
    }),
    { error: "must be a list of {realm, account, since, by, reason}" },
  )
  .max(MAX_HALTS);

/** A JSON file of halts. It is replaced as a whole, so that it never holds half of them. */
export class HaltFile implements HaltStore {
  #others: z.infer<typeof storedHalts> = [];

  constructor(
    private readonly path: string,
    private readonly realm: string,
  ) {}

  read(): readonly Halt[] {
    const { path } = this;
    // Who may change the file may end a halt.
    const file = existsSync(path) ? readGuardedJson(path, changeableByOthers, storedHalts) : { content: [] };
    if ("mistakes" in file) throw new Error(`the file of halts, ${path}: ${file.mistakes.join("; ")}`);
    this.#others = file.content.filter(({ realm }) => realm !== this.realm);
    return file.content.filter(({ realm }) => realm === this.realm).map(({ realm: _, ...halt }) => halt);
  }

  async write(halts: readonly Halt[]): Promise<void> {
    const next = `${this.path}.next`;
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const file = await open(next, "w", 0o600);
    try {
      const rows = [...this.#others, ...halts.map((halt) => ({ realm: this.realm, ...halt }))];
      await file.writeFile(`${JSON.stringify(rows, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, this.path);
  }
}
