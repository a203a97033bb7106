import type { Clock } from "@exchange-graph/contract/clock";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { TraceSettings } from "../../config/traces.js";
import type { Disconnect } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { OperationRecorder } from "../../instrumentation/operationRecorder.js";
import type { Logger } from "../logs/log.js";
import { OncePerMinute } from "../logs/oncePerMinute.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { OperationSpans } from "./operationSpans.js";
import { otlpExporter } from "./otlpExporter.js";
import { preciseTime } from "./preciseTime.js";
import { samplingOf } from "./sampling.js";
import { SpanRecorder } from "./spanRecorder.js";
import { followStores } from "./storeSpans.js";
import { WriteSpans } from "./writeSpans.js";

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
  const report = failureReport(clock, log);
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

/** Logs failed exports, at most once a minute. */
function failureReport(clock: Clock, log: Logger): (error: unknown) => void {
  const failures = new OncePerMinute(clock);
  return (error) => {
    if (failures.isDue()) log.warn({ err: error }, "traces could not be exported");
  };
}

/** Records the unexpected end of a connection to the exchange's streams. */
function recordReconnect(recorder: SpanRecorder, at: number, end: Disconnect["end"]): void {
  const event = { name: "reconnect", attributes: { "exchange_graph.end": end } };
  recorder.record({ name: "streams", kind: SpanKind.INTERNAL, startedAt: at, endedAt: at, attributes: {}, event });
}
