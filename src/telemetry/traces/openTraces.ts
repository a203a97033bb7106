import type { Clock } from "@exchange-graph/contract/clock";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import type { TraceSettings } from "../../config/traces.js";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Logger } from "../logs/log.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { OperationSpans } from "./operationSpans.js";
import { StreamSpans } from "./streamSpans.js";
import { WriteSpans } from "./writeSpans.js";

interface TraceParts {
  readonly clock: Clock;
  /** Between 0 and 1: decides which operations are recorded. */
  readonly random: () => number;
  readonly log: Logger;
  readonly traceIds: TraceIds;
}

/** Traces that are exported until they are closed. */
export interface Traces {
  /** Exports what is not exported yet, as far as that can be done within the export's time. */
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
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName }),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor(reported(exporter, report), { exportTimeoutMillis: timeoutMs })],
  });
  const tracer = provider.getTracer("exchange-graph");
  const share = shareOfRoots(settings);
  const operations = new OperationSpans(tracer, clock, traceIds, () => random() < share);
  operations.follow(events);
  new WriteSpans(tracer, clock, operations).follow(events);
  new StreamSpans(tracer, clock).follow(events);
  // What it rejects with, the export has reported.
  return { close: () => provider.shutdown().catch(report) };
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

const reported = (exporter: SpanExporter, report: (error: unknown) => void): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.error !== undefined) report(result.error);
      done(result);
    }),
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

/** What is recorded of operations that begin a trace: decided here, for a span that is not recorded costs too. */
function shareOfRoots({ sampler, ratio }: TraceSettings): number {
  if (sampler.endsWith("traceidratio")) return ratio;
  return sampler.endsWith("always_on") ? 1 : 0;
}

/** What is recorded of operations that go on a client's trace; of those that begin one, `shareOfRoots` has decided. */
function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const root = new AlwaysOnSampler();
  switch (sampler) {
    case "always_on":
      return root;
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio": {
      const ofTrace = new TraceIdRatioBasedSampler(ratio);
      return new ParentBasedSampler({ root, remoteParentSampled: ofTrace, remoteParentNotSampled: ofTrace });
    }
    default:
      return new ParentBasedSampler({ root });
  }
}
