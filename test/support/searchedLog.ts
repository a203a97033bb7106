import type { DestinationStream } from "pino";
import type { Instrumentation } from "../../src/instrumentation/instrumentation.js";
import { type Audit, openAudit } from "../../src/telemetry/audit/auditLog.js";
import { createLog, type Logger } from "../../src/telemetry/logs/log.js";
import type { TraceIds } from "../../src/telemetry/traceIds/traceIds.js";
import { leaks } from "./leaks.js";

const searched = (lines?: string[]): DestinationStream => ({
  write(line) {
    leaks.search(line, "the log");
    lines?.push(line);
  },
});

/** A log of all levels whose lines are searched for secrets, and appended to `lines` if given. */
export const searchedLog = (lines?: string[], traceIds?: TraceIds): Logger => createLog("trace", searched(lines), traceIds);

/** An audit log whose lines are searched the same way. */
export function searchedAudit(lines: string[] | undefined, instrumentation: Instrumentation): Audit {
  const audit = openAudit({ destination: searched(lines) });
  audit.follow(instrumentation);
  return audit;
}
