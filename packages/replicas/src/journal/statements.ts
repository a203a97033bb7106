import { z } from "zod";
import {
  type JournalEntry,
  LEASE_MS,
  NEAR,
  REMEMBERED_ENTRIES,
  storedEntry,
  UnreadableRow,
} from "../../../../src/datasources/writes/index.js";
import type { DatabaseRow } from "../database/transaction.js";

/** The journal's SQL. Leases use the server's clock, so the replicas' clocks may differ. */

const OPEN = "state IN ('SENT', 'UNKNOWN')";
const LEASE = `clock_timestamp() + interval '${LEASE_MS} ms'`;
const COLUMNS = `seq, "user", account, who, mutation, endpoint, key, digest, client_oid AS "clientOid", "values", charge, state, reply,
  problem, sent_at AS "sentAt", valid_until AS "validUntil", settled_at AS "settledAt", traceparent`;
const SELECT = `SELECT ${COLUMNS} FROM exchange_graph.writes WHERE`;

/** Decodes an entry; undefined if it has an unknown format of a later version. */
export function entryIn(row: DatabaseRow): JournalEntry | undefined {
  try {
    return storedEntry(row);
  } catch (error) {
    if (error instanceof UnreadableRow) return undefined;
    throw error;
  }
}
/** The number of an entry of any version. */
export const seqIn = (row: DatabaseRow): number => numbered.parse(row).seq;
/** Result of recording an entry. */
export const recordedRows = z.tuple([
  z.object({ seq: z.int().nullable(), halts: z.int(), broken: z.int().nullable(), used: z.string().nullable() }),
]);
const numbered = z.object({ seq: z.int() });
export const seqRows = z.array(numbered);
/** Numbers of entries with their fences. */
export const fencedRows = z.array(z.object({ seq: z.int(), fence: z.int() }));
export const userRows = z.array(z.object({ user: z.string() }));
/** For how long a right is held, ms. */
export const heldRows = z.array(z.object({ ms: z.int() }));
/** The oldest version that may use the tables, and the version of the halts. */
export const formatRows = z.tuple([z.object({ oldest: z.int(), halts: z.int() })]);
/** Use of limits. */
export const figureRows = z.array(z.object({ kind: z.string(), whose: z.string(), unit: z.string(), used: z.string() }));

/** Parameters: realm, owner, the entry's columns, and six lists of limits of the day. */
export const RECORD = `SELECT * FROM exchange_graph.record_write_3($1, $2, ${LEASE_MS}, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
  $15, $16, $17, $18, $19, $20, $21)`;
/** Parameters: owner, and six lists. */
export const SETTLE = "SELECT exchange_graph.settle_writes_1($1, $2, $3, $4, $5, $6, $7)";
/** Parameters: owner; its entries by numbers and fences. Returns those that it still owns. */
export const RENEW = `UPDATE exchange_graph.writes w SET lease_until = ${LEASE} FROM unnest($2::bigint[], $3::bigint[]) AS o (seq, fence)
  WHERE w.seq = o.seq AND w.owner = $1 AND w.fence = o.fence AND ${OPEN} RETURNING w.seq`;
/** Maximum number of entries claimed at once. */
export const ORPHANS_AT_ONCE = 500;
/** Parameters: owner, realm, numbers of its own entries, numbers left to others. Concurrent calls get different entries. */
export const ORPHANS = `${SELECT} realm = $2 AND ${OPEN} AND lease_until < clock_timestamp()
  AND NOT (owner = $1 AND seq = ANY ($3::bigint[])) AND seq <> ALL ($4::bigint[]) ORDER BY seq LIMIT ${ORPHANS_AT_ONCE} FOR UPDATE SKIP LOCKED`;
/** Parameters: owner; numbers of orphans. */
export const CLAIM = `UPDATE exchange_graph.writes SET owner = $1, fence = fence + 1, lease_until = ${LEASE}
  WHERE seq = ANY ($2::bigint[]) RETURNING seq, fence`;
/** Parameters: realm, owner. */
export const HELD = `${SELECT} realm = $1 AND ${OPEN} AND owner <> $2 AND lease_until >= clock_timestamp() ORDER BY seq`;
/** Parameters: owner. */
export const RELEASE = `UPDATE exchange_graph.writes SET lease_until = '-infinity' WHERE owner = $1 AND ${OPEN}`;
/** Parameters: realm, user, key, owner of an entry without confirmation. */
export const DOUBTFUL = `SELECT seq, fence FROM exchange_graph.writes
  WHERE realm = $1 AND "user" = $2 AND key = $3 AND owner = $4 AND state = 'SENT'`;
/** Version of the tables. */
export const FORMAT = "SELECT oldest, halts FROM exchange_graph.format";

/** Parameters: realm, user, key. */
export const BY_KEY = `${SELECT} realm = $1 AND "user" = $2 AND key = $3 AND state <> 'UNSENT'`;
/** Parameter: number. */
export const BY_SEQ = `${SELECT} seq = $1`;
/** Parameter: realm. */
export const ALL_OPEN = `${SELECT} realm = $1 AND ${OPEN} ORDER BY seq`;
/** Parameters: realm, user, endpoint, the first and the last time. */
export const BETWEEN = `${SELECT} realm = $1 AND "user" = $2 AND endpoint = $3 AND sent_at BETWEEN $4 AND $5 ORDER BY seq`;
/** Parameters: realm, number, user, endpoint, the first and the last time. */
export const AROUND = `${SELECT} realm = $1 AND seq BETWEEN $2::bigint - ${NEAR} AND $2::bigint + ${NEAR} AND seq <> $2 AND "user" = $3
  AND endpoint = $4 AND sent_at BETWEEN $5 AND $6 ORDER BY seq`;
/** Parameters: realm, number, user, endpoint, when it was sent. */
export const SINCE = `${SELECT} realm = $1 AND seq > $2::bigint - ${NEAR} AND seq <> $2 AND "user" = $3 AND endpoint = $4
  AND valid_until >= $5 AND (${OPEN} OR (state = 'ACCEPTED' AND (seq > $2 OR settled_at > $5))) ORDER BY seq`;
/** Parameters: realm, start time. */
export const CHARGED = `${SELECT} realm = $1 AND charge IS NOT NULL AND (sent_at >= $2 OR ${OPEN}) ORDER BY seq`;
/** Parameters: realm, user, number below which entries are returned, limit. */
export const PAGE = `${SELECT} realm = $1 AND "user" = $2 AND seq < $3 ORDER BY seq DESC LIMIT $4`;
/** Parameters: realm, name, owner, ms. A row if the owner has the right now. */
export const HOLD = `INSERT INTO exchange_graph.rights AS r VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')
  ON CONFLICT (realm, name) DO UPDATE SET owner = excluded.owner, until = excluded.until
  WHERE r.owner = excluded.owner OR r.until <= clock_timestamp() RETURNING 0 AS ms`;
/** Parameters: realm, name. */
export const HELD_FOR = `SELECT greatest(1, ceil(extract(epoch FROM until - clock_timestamp()) * 1000))::int AS ms
  FROM exchange_graph.rights WHERE realm = $1 AND name = $2`;
/** Parameters: realm, name, owner. */
export const GIVE_UP = "DELETE FROM exchange_graph.rights WHERE realm = $1 AND name = $2 AND owner = $3";
/** Parameters: times before which ended, charged and open entries are deleted, limit. */
export const PRUNE = `DELETE FROM exchange_graph.writes WHERE seq IN (SELECT seq FROM exchange_graph.writes WHERE
    (NOT ${OPEN} AND (sent_at < $1 OR
      (seq <= (SELECT max(seq) FROM exchange_graph.writes) - ${REMEMBERED_ENTRIES} AND (charge IS NULL OR sent_at < $2))))
    OR (${OPEN} AND sent_at < $3) LIMIT $4)`;
/** Parameter: the first day that is kept. */
export const PRUNE_FIGURES = "DELETE FROM exchange_graph.day_figures WHERE day < $1";
/** Parameters: realm, first day, kinds and names. */
export const FIGURES = `SELECT d.kind, d.whose, d.unit, sum(d.used)::text AS used FROM exchange_graph.day_figures d
  JOIN unnest($3::text[], $4::text[]) AS o (kind, whose) ON d.kind = o.kind AND d.whose = o.whose WHERE d.realm = $1 AND d.day >= $2
  GROUP BY d.kind, d.whose, d.unit`;

/** Parameter: key. */
export const USER_OF = 'SELECT "user" FROM exchange_graph.users WHERE key = $1';
/** Parameters: key, user. */
export const SET_USER = `INSERT INTO exchange_graph.users (key, "user") VALUES ($1, $2)
  ON CONFLICT (key) DO UPDATE SET "user" = excluded."user"`;
/** Parameters: user, its placeholder, realm. An entry whose key the user already has is not changed. */
export const ADOPT = `UPDATE exchange_graph.writes w SET "user" = $1 WHERE w."user" = $2 AND w.realm = $3 AND (w.state = 'UNSENT' OR NOT EXISTS (
    SELECT 1 FROM exchange_graph.writes x WHERE x.key = w.key AND x."user" = $1 AND x.realm = $3 AND x.state <> 'UNSENT'
  ))`;
/** Parameters: user, its placeholder, realm. */
export const ADOPT_FIGURES = `WITH gone AS (
    DELETE FROM exchange_graph.day_figures WHERE kind = 'account' AND whose = $2 AND realm = $3 RETURNING *
  ) INSERT INTO exchange_graph.day_figures AS d SELECT realm, day, kind, $1, unit, used FROM gone ORDER BY unit
  ON CONFLICT ON CONSTRAINT day_figures_pkey DO UPDATE SET used = d.used + excluded.used`;
