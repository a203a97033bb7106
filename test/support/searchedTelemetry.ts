import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { type Clock, systemClock } from "@exchange-graph/contract/clock";
import { createInstrumentation, type EventChannel, type Instrumentation } from "../../src/instrumentation/instrumentation.js";
import type { Audit } from "../../src/telemetry/audit/audit.js";
import { logEvents } from "../../src/telemetry/logs/eventLog.js";
import type { Logger } from "../../src/telemetry/logs/log.js";
import { Metrics } from "../../src/telemetry/metrics/metrics.js";
import type { TraceIds } from "../../src/telemetry/traceIds/traceIds.js";
import { searchedAudit, searchedLog } from "./searchedLog.js";

/** Channels of one gateway's own: other gateways of the process do not hear it. */
export const ownInstrumentation = (): Instrumentation => createInstrumentation(randomUUID());

/** Makes the test fail where something is published on a channel of what must not happen. */
export function failOn(...channels: readonly EventChannel<unknown>[]): void {
  for (const { name } of channels)
    subscribe(name, (event) => {
      throw new Error(`${String(name)}: ${inspect(event)}`);
    });
}

/** What hears the events of one gateway. */
export interface SearchedTelemetry {
  readonly instrumentation: Instrumentation;
  readonly log: Logger;
  readonly audit: Audit;
  readonly metrics: Metrics;
}

/** Log, audit and metrics over separate channels. Lines are searched for secrets, and kept if a list for them is given. */
export function searchedTelemetry(
  lines?: string[],
  {
    instrumentation = ownInstrumentation(),
    clock = systemClock,
    traceIds,
  }: { instrumentation?: Instrumentation; clock?: Clock; traceIds?: TraceIds | undefined } = {},
): SearchedTelemetry {
  const log = searchedLog(lines, traceIds);
  logEvents(log, instrumentation, { clock, cancelWithoutJournal: true, traceIds });
  return {
    instrumentation,
    log,
    audit: searchedAudit(lines, instrumentation, traceIds),
    metrics: new Metrics(instrumentation, traceIds),
  };
}
