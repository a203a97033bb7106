import type { JournalEntry } from "../../datasources/writes/index.js";
import type { Origin } from "../../instrumentation/events.js";

/**
 * The part of the audit that writes call before they are sent. It is a call, not an event: a write that has to be audited must
 * not be sent if that fails.
 */
export interface AuditTrail {
  /** Records that a write is about to be sent. Throws `AUDIT_UNAVAILABLE` if it must not be sent without its audit line. */
  leaving(origin: Origin, entry: JournalEntry, reducesRisk: boolean): void;
}
