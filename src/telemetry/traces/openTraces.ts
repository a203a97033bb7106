import type { Clock } from "@exchange-graph/contract/clock";
import { type Attributes, SpanKind } from "@opentelemetry/api";
// biome-ignore lint/suspicious/noDeprecatedImports: nothing else reads certificates and keys from OpenTelemetry's variables; the version is pinned
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from "@opentelemetry/otlp-exporter-base/node-http";
import { JsonTraceSerializer, ProtobufTraceSerializer, TraceExporterMetricsHelper } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace-base";
import { pairsIn, type TraceSettings } from "../../config/traces.js";
import type { Disconnect } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { OperationRecorder } from "../../instrumentation/operationRecorder.js";
import { traceparentOf } from "../../instrumentation/traceparent.js";
import type { Logger } from "../logs/log.js";
import { OncePerMinute } from "../logs/oncePerMinute.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { OperationSpans } from "./operationSpans.js";
import { type Sampling, samplingOf } from "./sampling.js";
import { SpanRecorder } from "./spanRecorder.js";
import { WriteSpans } from "./writeSpans.js";

/** The clock's times are whole milliseconds, so both may differ by one without drifting apart. */
const MAX_DIFFERENCE_MS = 2;

/**
 * The clock's time with the fractions of a monotonic one, in ms. It follows the clock when that is set, or when the monotonic one
 * has stood still while the machine was suspended.
 */
function preciseTime(clock: Pick<Clock, "now">, monotonic: () => number): () => number {
  let ahead = clock.now() - monotonic();
  return () => {
    const [at, ticks] = [clock.now(), monotonic()];
    if (Math.abs(ticks + ahead - at) > MAX_DIFFERENCE_MS) ahead = at - ticks;
    return ticks + ahead;
  };
}

/**
 * Records a span for each statement of PostgreSQL and each script of Redis. The statement that records a write is a child of the
 * write's span. Others serve several operations at once, or none: they are traces of their own, sampled like operations. Returns a
 * function that stops it.
 */
const followStores = (events: Instrumentation, recorder: SpanRecorder, now: () => number, isSampled: Sampling) =>
  listen(events, events.storeCall, ({ store, what, tookMs, failure, traceparent }) => {
    const parent = traceparent ? traceparentOf(traceparent) : undefined;
    if (parent === undefined && !isSampled(undefined)) return;
    const endedAt = now();
    const attributes = {
      "db.system.name": store,
      "db.operation.name": store === "redis" ? "EVALSHA" : what,
      "db.stored_procedure.name": store === "redis" ? what : undefined,
      "error.type": failure,
    };
    const span = { name: `${store} ${what}`, kind: SpanKind.CLIENT, parent, attributes, isFailed: failure !== undefined };
    recorder.record({ ...span, startedAt: endedAt - tookMs, endedAt });
  });

/** What the SDK has for each protocol. */
const PROTOCOLS = {
  "http/protobuf": {
    serializer: ProtobufTraceSerializer,
    contentType: "application/x-protobuf",
    name: "otlp_http_span_exporter",
  },
  "http/json": { serializer: JsonTraceSerializer, contentType: "application/json", name: "otlp_http_json_span_exporter" },
} as const;

/**
 * The SDK's exporter for a protocol, made of the same parts as its `OTLPTraceExporter`, with the SDK's retries and environment
 * variables. It serializes between requests, and its errors are reported.
 *
 * @param report is called with errors of the export
 */
function otlpExporter({ endpoint, headers, timeoutMs, protocol }: TraceSettings, report: (error: unknown) => void): SpanExporter {
  const { serializer, contentType, name } = PROTOCOLS[protocol];
  const options = convertLegacyHttpOptions(
    {
      url: `${endpoint.href.replace(/\/+$/, "")}/v1/traces`,
      headers: pairsIn(headers?.reveal() ?? ""),
      timeoutMillis: timeoutMs,
    },
    "TRACES",
    "v1/traces",
    { "Content-Type": contentType },
  );
  const delegate = createOtlpHttpExportDelegate(options, serializer, name, TraceExporterMetricsHelper, undefined);
  return {
    // Batches are serialized between requests, not during the one whose span completes the batch.
    export: (spans, done) =>
      void setImmediate(() =>
        delegate.export(spans, (result) => {
          if (result.error !== undefined) report(result.error);
          done(result);
        }),
      ),
    shutdown: () => delegate.shutdown(),
    forceFlush: () => delegate.forceFlush(),
  };
}

interface TraceParts {
  readonly clock: Clock;
  /** Between 0 and 1: decides which operations are recorded. */
  readonly random: () => number;
  readonly log: Logger;
  readonly traceIds: TraceIds;
  /** Milliseconds of a monotonic clock, with fractions. */
  readonly monotonic: () => number;
  /** The exchange's REST address. */
  readonly exchange: URL;
}

/** The open export of traces. */
export interface Traces {
  readonly recorder: OperationRecorder;
  /** Stops recording, and exports the rest. */
  close(): Promise<void>;
}

/**
 * Records spans from published events, and exports them to an OTLP receiver. This file, and with it OpenTelemetry, is loaded only
 * if an endpoint is set.
 */
export function openTraces(
  settings: TraceSettings,
  events: Instrumentation,
  { clock, random, log, traceIds, monotonic, exchange }: TraceParts,
): Traces {
  const failures = new OncePerMinute(clock);
  const report = (error: unknown): void => {
    if (failures.isDue()) log.warn({ err: error }, "traces could not be exported");
  };
  const resource = resourceFromAttributes(settings.resource);
  const exporter = otlpExporter(settings, report);
  const queue = new BatchSpanProcessor(exporter, { exportTimeoutMillis: settings.timeoutMs });
  const recorder = new SpanRecorder(queue, resource);
  const now = preciseTime(clock, monotonic);
  const sampling = samplingOf(settings, random);
  const operations = new OperationSpans(recorder, { now, server: serverOf(exchange) }, traceIds, sampling);
  const following: (() => void)[] = [];
  if (settings.sampler !== "always_off") {
    following.push(...new WriteSpans(recorder, now).follow(events));
    following.push(followStores(events, recorder, now, sampling));
    following.push(listen(events, events.disconnect, ({ end }) => recordReconnect(recorder, now(), end)));
  }
  const close = (): Promise<void> => {
    for (const stop of following) stop();
    // The exporter has already reported its errors.
    return queue.shutdown().catch(report);
  };
  return { recorder: operations, close };
}

/** Attributes of a server, with the port that its scheme implies if none is written. */
const serverOf = ({ hostname, port, protocol }: URL): Attributes => ({
  "server.address": hostname,
  "server.port": port === "" ? (protocol === "https:" ? 443 : 80) : Number.parseInt(port, 10),
});

/** Records the unexpected end of a connection to the exchange's streams. */
function recordReconnect(recorder: SpanRecorder, at: number, end: Disconnect["end"]): void {
  const event = { name: "reconnect", attributes: { "exchange_graph.end": end } };
  recorder.record({ name: "streams", kind: SpanKind.INTERNAL, startedAt: at, endedAt: at, attributes: {}, event });
}
