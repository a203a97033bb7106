import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import type { DestinationStream } from "pino";
import { createLog, standardOutput } from "../logs/log.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { Audit } from "./audit.js";
import { AuditSink } from "./auditSink.js";

interface AuditOptions {
  /** A file of its own. */
  readonly path?: string | undefined;
  /** Where the lines go without one: to the log's own destination. */
  readonly destination?: DestinationStream;
  readonly clock?: Clock;
  /** Are writes refused that cannot be audited? */
  readonly isRequired?: boolean;
  /** Called when the audit cannot be written. */
  readonly onLost?: () => void;
  /** Names the traces of recorded operations. */
  readonly traceIds?: TraceIds | undefined;
}

/** The audit, in a file of its own or, marked, in the log. What the log leaves out by its level makes no difference. */
export function openAudit({ path, destination, clock = systemClock, isRequired = false, onLost, traceIds }: AuditOptions): Audit {
  const sink = path === undefined ? new AuditSink(destination ?? standardOutput(clock), clock) : AuditSink.append(path, clock);
  const log = createLog("info", sink).child({ audit: true }, { level: "info" });
  return new Audit(log, { sink, isRequired, onLost, traceIds });
}
