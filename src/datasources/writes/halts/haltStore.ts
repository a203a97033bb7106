import { existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@exchange-graph/contract/clock";
import { z } from "zod";
import { changeableByOthers, type GuardedFile, readGuardedJson } from "../../../files/guardedFile.js";
import { accountStandIn } from "../../accounts/standIns.js";
import type { Halt, HaltStore } from "./halt.js";

/** How long to wait for another process that holds it, and how often to look. */
const WAIT_MS = 5_000;
const LOOK_MS = 5;

/**
 * A lock between processes. It is SQLite's lock on an empty file: the operating system lets go of it when its process ends,
 * however that ends. Nothing is written, so a full disk does not matter once the file is there.
 */
class FileLock {
  constructor(
    private readonly path: string,
    private readonly clock: Clock,
  ) {}

  /** Waits for the lock; call what it resolves to, once, to let go of it. Rejects with an `Error` that names the file. */
  async take(): Promise<() => void> {
    const until = this.clock.now() + WAIT_MS;
    // A start takes no lock: it does without SQLite in this thread.
    const { default: Database } = await import("libsql");
    for (;;) {
      const database = new Database(this.path, { timeout: 0 });
      try {
        database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
        return () => {
          database.close();
        };
      } catch (error) {
        database.close();
        const isHeld = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
        if (!isHeld || this.clock.now() >= until) throw new Error(`${this.path} cannot be locked`, { cause: error });
      }
      await new Promise<void>((resolve) => this.clock.after(LOOK_MS, resolve));
    }
  }
}

/** Keeps nothing beyond the process. */
export const NO_HALT_STORE: HaltStore = { read: () => [], change: async () => false };

const MAX_HALTS = 10_000;

const storedHalts = z
  .array(
    z
      .strictObject({
        // Files of before users were noted have none.
        user: z.string().nullable().optional(),
        account: z.string().nullable(),
        since: z.int(),
        by: z.string().nullable(),
        reason: z.string().nullable(),
      })
      .transform(({ user, ...halt }): Halt => {
        const standIn = halt.account === null ? null : accountStandIn(halt.account);
        return { ...halt, user: user === undefined ? standIn : user };
      }),
    { error: "must be a list of {user, account, since, by, reason}" },
  )
  .max(MAX_HALTS);

/** The file of halts beside a journal. */
export const haltsPathOf = (journalPath: string): string => `${journalPath}.halts.json`;

/** What such a file holds: nothing where there is none. Who may change it may end a halt, so that is its owner alone. */
export const readHalts = (path: string): GuardedFile<readonly Halt[]> =>
  existsSync(path) ? readGuardedJson(path, changeableByOthers, storedHalts) : { content: [] };

/**
 * A JSON file of halts. It is replaced as a whole, so that it never holds half of them; a lock beside it keeps processes that
 * change it at once from losing each other's changes.
 */
export class HaltFile implements HaltStore {
  readonly #lock: FileLock;

  constructor(
    private readonly path: string,
    clock: Clock,
  ) {
    this.#lock = new FileLock(`${path}.lock`, clock);
  }

  read(): readonly Halt[] {
    const file = readHalts(this.path);
    if ("mistakes" in file) throw new Error(`the file of halts, ${this.path}: ${file.mistakes.join("; ")}`);
    return file.content;
  }

  async change(ended: readonly (string | null)[], halt: Halt | undefined): Promise<boolean> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const unlock = await this.#lock.take();
    try {
      const others = this.read().filter(({ user }) => !ended.includes(user) && user !== halt?.user);
      await this.#replace(halt === undefined ? others : [...others, halt]);
    } finally {
      unlock();
    }
    return true;
  }

  async #replace(halts: readonly Halt[]): Promise<void> {
    const next = `${this.path}.next`;
    const file = await open(next, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(halts, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, this.path);
  }
}
