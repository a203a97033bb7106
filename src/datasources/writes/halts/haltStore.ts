import { chmodSync, existsSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@exchange-graph/contract/clock";
import { z } from "zod";
import { changeableByOthers, type GuardedFile, readGuardedJson } from "../../../files/guardedFile.js";
import { accountStandIn } from "../../errors/index.js";

/** A halt of trading, for one user of the exchange or for all. */
export interface Halt {
  /** The user, or its placeholder while it is not known; null: all users, including those of accounts configured later. */
  readonly user: string | null;
  /** Name of the user's account at that time; null: all accounts. */
  readonly account: string | null;
  /** When it began, by the exchange's clock, Unix ms. */
  readonly since: number;
  /** Name of the client that ordered it; null for a client without a name. */
  readonly by: string | null;
  readonly reason: string | null;
  /** Whether orders that can add risk are being cancelled. If the process ends meanwhile, the next one continues. */
  readonly cancelsOpen?: boolean | undefined;
}

/** Makes a new list of halts of a list. Halts that stay are the same objects. */
export type HaltEdit = (halts: readonly Halt[]) => readonly Halt[];

/** Store of halts. Several processes may share it. */
export interface HaltStore {
  /** Whether what is stored survives the process. */
  readonly isDurable: boolean;
  /** Throws an `Error` that names the place if it cannot be read. */
  read(): readonly Halt[];
  /** Edits what is stored, atomically. Resolves when that is done and the follower has taken it over. */
  change(edit: HaltEdit): Promise<void>;
  /** Called once, with what has to know the stored halts, also those of other processes. */
  follow(halts: FollowedHalts): void;
}

export interface FollowedHalts {
  takeOver(stored: readonly Halt[]): void;
  /** Stores changes that could not be stored before. */
  retry(): void;
}

/** What stores keep of a halt besides its user. */
export const haltFields = {
  account: z.string().nullable(),
  since: z.int(),
  by: z.string().nullable(),
  reason: z.string().nullable(),
  cancelsOpen: z.boolean().optional(),
};

/** Maximum wait for another process's lock, and the interval of attempts. */
const WAIT_MS = 5_000;
const LOOK_MS = 5;
/** Interval of attempts to store what could not be stored. */
const RETRY_MS = 10_000;

/**
 * Waits for a lock between processes: SQLite's lock on an empty file, which the operating system releases when the process ends in
 * any way. Nothing is written, so a full disk does not matter once the file exists. Resolves to the function that releases it;
 * rejects with an `Error` that names the file.
 */
async function lockFile(path: string, clock: Clock): Promise<() => void> {
  const until = clock.now() + WAIT_MS;
  // Loaded here, because a start needs no lock and therefore no SQLite in this thread.
  const { default: Database } = await import("libsql");
  for (;;) {
    const database = new Database(path, { timeout: 0 });
    try {
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      // Another user who could read it could lock it, and keep halts from being stored.
      chmodSync(path, 0o600);
      return () => {
        database.close();
      };
    } catch (error) {
      database.close();
      const isHeld = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (!isHeld || clock.now() >= until) throw new Error(`${path} cannot be locked`, { cause: error });
    }
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
  }
}

export class MemoryHalts implements HaltStore {
  readonly isDurable = false;
  #halts: readonly Halt[] = [];
  #follower: FollowedHalts | undefined;

  read(): readonly Halt[] {
    return this.#halts;
  }

  follow(halts: FollowedHalts): void {
    this.#follower = halts;
  }

  async change(edit: HaltEdit): Promise<void> {
    this.#halts = edit(this.#halts);
    this.#follower?.takeOver(this.#halts);
  }
}

const MAX_HALTS = 10_000;

const storedHalts = z
  .array(
    z
      // Missing in files from before users were recorded.
      .strictObject({ user: z.string().nullable().optional(), ...haltFields })
      .transform(({ user, ...halt }): Halt => {
        const standIn = halt.account === null ? null : accountStandIn(halt.account);
        return { ...halt, user: user === undefined ? standIn : user };
      }),
    { error: "must be a list of {user, account, since, by, reason}" },
  )
  .max(MAX_HALTS);

/** The file of halts beside a journal. */
export const haltsPathOf = (journalPath: string): string => `${journalPath}.halts.json`;

/** Content of the file; an empty list if there is none. Write access allows ending a halt, so only the owner may have it. */
export const readHalts = (path: string): GuardedFile<readonly Halt[]> =>
  existsSync(path) ? readGuardedJson(path, changeableByOthers, storedHalts) : { content: [] };

/** A JSON file of halts, replaced atomically. A lock keeps processes that change it at the same time from losing changes. */
export class HaltFile implements HaltStore {
  readonly isDurable = true;
  #follower: FollowedHalts | undefined;
  #cancelRetry = (): void => undefined;

  constructor(
    private readonly path: string,
    private readonly clock: Clock,
  ) {}

  read(): readonly Halt[] {
    const file = readHalts(this.path);
    if ("mistakes" in file) throw new Error(`the file of halts, ${this.path}: ${file.mistakes.join("; ")}`);
    return file.content;
  }

  /** Changes by other processes are read by whoever watches the file. */
  follow(halts: FollowedHalts): void {
    this.#follower = halts;
  }

  async change(edit: HaltEdit): Promise<void> {
    try {
      await this.#change(edit);
    } catch (error) {
      this.#cancelRetry();
      this.#cancelRetry = this.clock.after(RETRY_MS, () => this.#follower?.retry());
      throw error;
    }
  }

  async #change(edit: HaltEdit): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const unlock = await lockFile(`${this.path}.lock`, this.clock);
    try {
      const halts = edit(this.read());
      await this.#replace(halts);
      this.#follower?.takeOver(halts);
    } finally {
      unlock();
    }
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
