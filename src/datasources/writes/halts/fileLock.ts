import type { Clock } from "@exchange-graph/contract/clock";
import Database from "libsql";

/** How long to wait for another process that holds it, and how often to look. */
const WAIT_MS = 5_000;
const LOOK_MS = 5;

/**
 * A lock between processes. It is SQLite's lock on an empty file: the operating system lets go of it when its process ends,
 * however that ends. Nothing is written, so a full disk does not matter once the file is there.
 */
export class FileLock {
  constructor(
    private readonly path: string,
    private readonly clock: Clock,
  ) {}

  /** Waits for the lock; call what it resolves to, once, to let go of it. Rejects with an `Error` that names the file. */
  async take(): Promise<() => void> {
    const until = this.clock.now() + WAIT_MS;
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
