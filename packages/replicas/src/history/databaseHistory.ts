import { z } from "zod";
import type {
  HistoryBatch,
  HistoryStore,
  KeptFrom,
  OpenHistoryStore,
  Series,
  StoredRange,
} from "../../../../src/datasources/history/index.js";
import type { Database } from "../database/database.js";

/** Rows per statement. */
const AT_ONCE = 1_000;

const pointRows = z.array(z.object({ at: z.int(), body: z.string() }));
const recordRows = z.array(z.object({ at: z.int(), id: z.string(), body: z.string() }));
const noteRows = z.array(z.object({ body: z.string() }));

const POINTS = `INSERT INTO exchange_graph.history_points SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[])
  ON CONFLICT (realm, "user", resolution, at) DO UPDATE SET body = excluded.body`;
const RECORDS = `INSERT INTO exchange_graph.history_records SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[])
  ON CONFLICT (realm, "user", at, id) DO UPDATE SET body = excluded.body`;
const NOTES = `INSERT INTO exchange_graph.history_notes SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[])
  ON CONFLICT (realm, "user", name) DO UPDATE SET body = excluded.body`;
/** The lease uses the server's clock, so the replicas' clocks may differ. */
const HOLD = `INSERT INTO exchange_graph.history_holders AS h VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms')
  ON CONFLICT (realm) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE h.holder = excluded.holder OR h.until < clock_timestamp() RETURNING 1 AS held`;

class DatabaseHistory implements HistoryStore {
  constructor(
    private readonly database: Database,
    private readonly realm: string,
  ) {}

  async hold(holder: string, forMs: number): Promise<boolean> {
    return (await this.database.query(HOLD, [this.realm, holder, forMs])).length > 0;
  }

  async release(holder: string): Promise<void> {
    await this.database.query("DELETE FROM exchange_graph.history_holders WHERE realm = $1 AND holder = $2", [
      this.realm,
      holder,
    ]);
  }

  async write({ points = [], records = [], notes = [] }: HistoryBatch): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const store = async <C extends string>(
        text: string,
        columns: readonly C[],
        rows: readonly { readonly [column in C]: string | number }[],
      ) => {
        for (let at = 0; at < rows.length; at += AT_ONCE) {
          const some = rows.slice(at, at + AT_ONCE);
          await transaction.query(text, [this.realm, ...columns.map((column) => some.map((row) => row[column]))]);
        }
      };
      await store(POINTS, ["user", "resolution", "at", "body"], points);
      await store(RECORDS, ["user", "at", "id", "body"], records);
      await store(NOTES, ["user", "name", "body"], notes);
    });
  }

  async points(user: string, resolution: Series, { after, to, limit }: StoredRange) {
    const rows = await this.database.query(
      `SELECT at, body FROM exchange_graph.history_points
       WHERE realm = $1 AND "user" = $2 AND resolution = $3 AND at > $4 AND at <= $5 ORDER BY at LIMIT $6`,
      [this.realm, user, resolution, after, to, limit],
    );
    return pointRows.parse(rows).map((row) => ({ user, resolution, ...row }));
  }

  async lastPoint(user: string, resolution: Series, to: number) {
    const rows = await this.database.query(
      `SELECT at, body FROM exchange_graph.history_points
       WHERE realm = $1 AND "user" = $2 AND resolution = $3 AND at <= $4 ORDER BY at DESC LIMIT 1`,
      [this.realm, user, resolution, to],
    );
    const [row] = pointRows.parse(rows);
    return row && { user, resolution, ...row };
  }

  async records(user: string, { after, to, limit }: StoredRange, afterId?: string) {
    const rows = await this.database.query(
      `SELECT at, id, body FROM exchange_graph.history_records
       WHERE realm = $1 AND "user" = $2 AND at <= $4 AND (at > $3 OR (at = $3 AND $6::text IS NOT NULL AND id > $6 COLLATE "C"))
       ORDER BY at, id LIMIT $5`,
      [this.realm, user, after, to, limit, afterId ?? null],
    );
    return recordRows.parse(rows).map((row) => ({ user, ...row }));
  }

  async note(user: string, name: string): Promise<string | undefined> {
    const rows = await this.database.query(
      'SELECT body FROM exchange_graph.history_notes WHERE realm = $1 AND "user" = $2 AND name = $3',
      [this.realm, user, name],
    );
    return noteRows.parse(rows)[0]?.body;
  }

  async prune({ RECORD, ...resolutions }: KeptFrom): Promise<void> {
    for (const [resolution, at] of Object.entries(resolutions))
      await this.database.query("DELETE FROM exchange_graph.history_points WHERE realm = $1 AND resolution = $2 AND at <= $3", [
        this.realm,
        resolution,
        at,
      ]);
    await this.database.query("DELETE FROM exchange_graph.history_records WHERE realm = $1 AND at <= $2", [this.realm, RECORD]);
  }

  /** The database is its opener's. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Opens the history in a database that replicas share. */
export const databaseHistory =
  (database: Database): OpenHistoryStore =>
  ({ realm }) =>
    new DatabaseHistory(database, realm);
