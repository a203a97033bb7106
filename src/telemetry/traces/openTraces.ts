import type { Clock } from "@exchange-graph/contract/clock";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { TraceSettings } from "../../config/traces.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Logger } from "../logs/log.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { OperationSpans } from "./operationSpans.js";
import { samplingOf } from "./sampling.js";
import { SpanRecorder } from "./spanRecorder.js";
import { StreamSpans } from "./streamSpans.js";
import { WriteSpans } from "./writeSpans.js";

interface TraceParts {
  readonly clock: Clock;
  /** Between 0 and 1: decides which operations are recorded. */
  readonly random: () => number;
  readonly log: Logger;
  readonly traceIds: TraceIds;
}

/** Traces that are recorded until they are closed. */
export interface Traces {
  /** Records nothing more, and exports the rest. */
  close(): Promise<void>;
}

/** A receiver that does not answer is mentioned this often. */
const QUIET_MS = 60_000;

/**
 * Records spans of what is published, and exports them to an OTLP receiver. This file, and OpenTelemetry with it, is imported only
 * where an endpoint is set.
 */
export function openTraces(
  settings: TraceSettings,
  events: Instrumentation,
  { clock, random, log, traceIds }: TraceParts,
): Traces {
  const { endpoint, timeoutMs, serviceName } = settings;
  const report = failureReport(clock, log);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.href.replace(/\/+$/, "")}/v1/traces`,
    headers: headersIn(settings.headers?.reveal()),
    timeoutMillis: timeoutMs,
  });
  const queue = new BatchSpanProcessor(reported(exporter, report), { exportTimeoutMillis: timeoutMs });
  const recorder = new SpanRecorder(queue, resourceFromAttributes({ "service.name": serviceName }));
  const operations = new OperationSpans(recorder, clock, traceIds, samplingOf(settings, random));
  const following = [...operations.follow(events)];
  if (settings.sampler !== "always_off") {
    following.push(...new WriteSpans(recorder, clock, operations).follow(events));
    following.push(...new StreamSpans(recorder, clock).follow(events));
  }
  const close = (): Promise<void> => {
    for (const stop of following) stop();
    // What it rejects with, the export has reported.
    return queue.shutdown().catch(report);
  };
  return { close };
}

/** Logs that spans could not be exported, once a minute at most. */
function failureReport(clock: Clock, log: Logger): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (clock.now() - loggedAt < QUIET_MS) return;
    loggedAt = clock.now();
    log.warn({ err: error }, "traces could not be exported");
  };
}

/** Reports what fails. Batches are encoded between requests, not within the one whose span has filled the batch. */
const reported = (exporter: SpanExporter, report: (error: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    void setImmediate(() =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) report(result.error);
        done(result);
      }),
    ),
  shutdown: () => exporter.shutdown(),
  forceFlush: async () => exporter.forceFlush?.(),
});

const headersIn = (text: string | undefined): Record<string, string> =>
  Object.fromEntries(
    (text ?? "")
      .split(",")
      .filter((pair) => pair !== "")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), decodeURIComponent(pair.slice(pair.indexOf("=") + 1))]),
  );
