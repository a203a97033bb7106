import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import { createInstrumentation, type EventChannel, type Instrumentation } from "../../src/instrumentation/instrumentation.js";
import type { Audit } from "../../src/telemetry/audit/auditLog.js";
import type { Logger } from "../../src/telemetry/logs/log.js";
import { logEvents } from "../../src/telemetry/logs/logEvents.js";
import { Metrics } from "../../src/telemetry/metrics/metrics.js";
import type { TraceIds } from "../../src/telemetry/traceIds/traceIds.js";
import { searchedAudit, searchedLog } from "./searchedLog.js";

/** Separate channels for one gateway: other gateways of the process do not receive its events. */
export const ownInstrumentation = (): Instrumentation => createInstrumentation(randomUUID());

/** Makes the test fail if an event is published on one of these channels. */
export function failOn(...channels: readonly EventChannel<unknown>[]): void {
  for (const { name } of channels)
    subscribe(name, (event) => {
      throw new Error(`${String(name)}: ${inspect(event)}`);
    });
}

/** The subscribers to one gateway's events. */
export interface SearchedTelemetry {
  readonly instrumentation: Instrumentation;
  readonly log: Logger;
  readonly audit: Audit;
  readonly metrics: Metrics;
}

/** Log, audit and metrics over separate channels. Lines are searched for secrets, and appended to `lines` if given. */
export function searchedTelemetry(
  lines?: string[],
  {
    instrumentation = ownInstrumentation(),
    clock = systemClock,
    traceIds,
  }: { instrumentation?: Instrumentation; clock?: Clock; traceIds?: TraceIds | undefined } = {},
): SearchedTelemetry {
  const log = searchedLog(lines, traceIds);
  logEvents(log, instrumentation, { clock, cancelWithoutJournal: true });
  return {
    instrumentation,
    log,
    audit: searchedAudit(lines, instrumentation),
    metrics: new Metrics(instrumentation, traceIds),
  };
}
