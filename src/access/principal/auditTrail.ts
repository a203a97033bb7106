import type { JournalEntry } from "../../datasources/writes/journal/entry.js";
import type { Origin } from "../../instrumentation/events.js";

/**
 * The part of the audit that a write asks before it leaves. It is called and not published: a write must not leave that
 * has to be audited and cannot be.
 */
export interface AuditTrail {
  /** A write is about to leave. Throws `AUDIT_UNAVAILABLE` where it must not leave without a line that says so. */
  leaving(origin: Origin, entry: JournalEntry, reducesRisk: boolean): void;
}
