import { z } from "zod";
import {
  type FollowedHalts,
  type Halt,
  type HaltEdit,
  type HaltStore,
  haltFields,
} from "../../../../src/datasources/writes/index.js";
import type { Database } from "../database/database.js";

/** Advisory lock: shared while a write is recorded, exclusive while halts change. As in `record_write_1`. */
export const HALT_LOCK = 7_264_813_560;

export const READ = `SELECT f.halts AS version, (SELECT coalesce(json_agg(h), '[]') FROM exchange_graph.halts h) AS halts
  FROM exchange_graph.format f`;
export const END = `DELETE FROM exchange_graph.halts h USING unnest($1::text[]) AS e ("user") WHERE h."user" IS NOT DISTINCT FROM e."user"`;
export const SET =
  'INSERT INTO exchange_graph.halts ("user", account, since, "by", reason, "cancelsOpen") VALUES ($1, $2, $3, $4, $5, $6::int = 1)';
export const COUNT = "UPDATE exchange_graph.format SET halts = halts + 1";
export const ANNOUNCE = "SELECT pg_notify('exchange_graph', 'halts')";

const storedHalts = z.tuple([
  z.object({
    version: z.int(),
    halts: z.array(
      z
        .object({ user: z.string().nullable(), ...haltFields })
        .transform(({ cancelsOpen, ...halt }): Halt => (cancelsOpen === true ? { ...halt, cancelsOpen } : halt)),
    ),
  }),
]);

/**
 * Halts in the database that replicas share. A halt is stored after all writes that were being recorded; writes recorded after it
 * get a new version of the halts, which their replica applies before it sends anything.
 */
export class SharedHalts implements HaltStore {
  readonly isDurable = true;
  #halts: FollowedHalts | undefined;
  #version = -1;
  #reading: Promise<void> | undefined;

  constructor(private readonly database: Database) {}

  /** Empty before the database was read, which the journal does before it accepts a write. */
  read(): readonly Halt[] {
    return [];
  }

  follow(halts: FollowedHalts): void {
    this.#halts = halts;
    this.database.announcements.on("halts", () => {
      this.#read().catch(() => {
        // If it cannot be read now, it is read before the next write is sent.
        this.#version = -1;
      });
    });
  }

  /** Applies the stored halts unless this version is already applied. Rejects if they cannot be read. */
  async catchUp(version: number): Promise<void> {
    if (version !== this.#version) await this.#read();
    this.#halts?.retry();
  }

  async change(edit: HaltEdit): Promise<void> {
    const changed = await this.database.transaction(async (transaction) => {
      await transaction.query("SELECT pg_advisory_xact_lock($1)", [HALT_LOCK]);
      const [{ version, halts: before }] = storedHalts.parse(await transaction.query(READ));
      const halts = edit(before);
      const [ended, set] = [before.filter((halt) => !halts.includes(halt)), halts.filter((halt) => !before.includes(halt))];
      if (ended.length + set.length === 0) return { version, halts };
      await transaction.query(END, [ended.map(({ user }) => user)]);
      for (const { user, account, since, by, reason, cancelsOpen } of set)
        await transaction.query(SET, [user, account, since, by, reason, cancelsOpen === true ? 1 : 0]);
      await transaction.query(COUNT);
      await transaction.query(ANNOUNCE);
      return { version: version + 1, halts };
    });
    this.#apply(changed);
  }

  /** A caller that arrives during a read may know of a later change: it is read once more. */
  async #read(): Promise<void> {
    await this.#reading;
    this.#reading ??= this.#take().finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  async #take(): Promise<void> {
    const [stored] = storedHalts.parse(await this.database.query(READ));
    this.#apply(stored);
  }

  /** What was read may arrive after what was stored later. */
  #apply({ version, halts }: { readonly version: number; readonly halts: readonly Halt[] }): void {
    if (version < this.#version) return;
    this.#version = version;
    this.#halts?.takeOver(halts);
  }
}
