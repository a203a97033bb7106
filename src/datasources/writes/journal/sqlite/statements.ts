import type Database from "libsql";
import { columns, integer } from "../rowDecoding.js";
import { type Mark, NO_MARK } from "./mark.js";

/** Condition for entries without an outcome. */
export const OPEN = "state IN ('SENT', 'UNKNOWN')";

/** The last entry of any exchange. */
export function lastEntry(database: Database.Database): Mark {
  const row = database.prepare("SELECT seq, sentAt FROM writes ORDER BY seq DESC LIMIT 1").get();
  if (row === undefined) return NO_MARK;
  const read = columns(row);
  return { seq: read("seq", integer), at: read("sentAt", integer) };
}

export const prepare = (database: Database.Database) => ({
  insert: database.prepare(
    `INSERT INTO writes
       (realm, owner, user, account, who, mutation, endpoint, key, digest, clientOid, "values", charge, state, sentAt, validUntil,
        traceparent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'SENT', ?, ?, ?) ON CONFLICT DO NOTHING`,
  ),
  settle: database.prepare(
    `UPDATE writes SET state = ?, reply = ?, problem = ?, settledAt = ? WHERE seq = ? AND owner = ? AND ${OPEN}`,
  ),
  byKey: database.prepare("SELECT * FROM writes WHERE key = ? AND user = ? AND realm = ? AND state <> 'UNSENT'"),
  userOf: database.prepare("SELECT user FROM users WHERE key = ?"),
  setUser: database.prepare("INSERT INTO users (key, user) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET user = excluded.user"),
  adopt: database.prepare("UPDATE OR IGNORE writes SET user = ? WHERE user = ? AND realm = ?"),
  enter: database.prepare("INSERT INTO owners (realm, livesUntil) VALUES (?, ?) RETURNING id"),
  renew: database.prepare("UPDATE owners SET livesUntil = ? WHERE id = ?"),
  prolong: database.prepare("UPDATE owners SET livesUntil = livesUntil + 1 WHERE id = ?"),
  gone: database.prepare("SELECT id FROM owners WHERE realm = ? AND livesUntil < ? LIMIT 1"),
  take: database.prepare("UPDATE writes SET owner = ? WHERE seq = ?"),
  bury: database.prepare("DELETE FROM owners WHERE realm = ? AND livesUntil < ?"),
  hold: database.prepare(
    `INSERT INTO rights (realm, name, owner, until) VALUES (?, ?, ?, ?)
     ON CONFLICT (realm, name) DO UPDATE SET owner = excluded.owner, until = excluded.until
     WHERE owner = excluded.owner OR until <= ?`,
  ),
  heldUntil: database.prepare("SELECT until FROM rights WHERE realm = ? AND name = ?"),
  giveUp: database.prepare("DELETE FROM rights WHERE realm = ? AND name = ? AND owner = ?"),
  prune: database.prepare(
    `DELETE FROM writes WHERE seq IN (SELECT seq FROM writes WHERE
       (NOT ${OPEN} AND (sentAt < ? OR (seq <= (SELECT max(seq) FROM writes) - ? AND (charge IS NULL OR sentAt < ?))))
       OR (${OPEN} AND sentAt < ?) LIMIT ?)`,
  ),
});
