import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import type { DestinationStream } from "pino";
import { createLog, standardOutput } from "../logs/log.js";
import { Audit } from "./audit.js";
import { AuditSink } from "./auditSink.js";

interface AuditOptions {
  /** File of the audit. */
  readonly path?: string | undefined;
  /** Destination without a file: the log's own. */
  readonly destination?: DestinationStream;
  readonly clock?: Clock;
  /** Whether writes are refused if their audit line cannot be written. */
  readonly isRequired?: boolean;
  /** Called when a line cannot be written. */
  readonly onLost?: () => void;
}

/** Opens the audit, in its own file or, marked with `audit`, in the log. The log level has no effect on it. */
export function openAudit({ path, destination, clock = systemClock, isRequired = false, onLost }: AuditOptions): Audit {
  const sink = path === undefined ? new AuditSink(destination ?? standardOutput(clock), clock) : AuditSink.append(path, clock);
  const log = createLog("info", sink).child({ audit: true }, { level: "info" });
  return new Audit(log, { sink, isRequired, onLost });
}
