import { randomUUID } from "node:crypto";
import { systemClock } from "@exchange-graph/contract/clock";
import { pino } from "pino";
import { createInstrumentation, type Instrumentation } from "../../src/instrumentation/instrumentation.js";
import type { OperationRecorder } from "../../src/instrumentation/recorder.js";
import type { OperationToken } from "../../src/instrumentation/recording.js";
import { Metrics } from "../../src/telemetry/metrics/metrics.js";
import { TraceIds } from "../../src/telemetry/traceIds/traceIds.js";
import { openTraces } from "../../src/telemetry/traces/openTraces.js";
import { Child } from "../child.js";
import { table } from "../table.js";

const REQUESTS = 200_000;
/** Requests per burst. A pause after each lets the exporter empty its queue: dropped spans would make traces look too cheap. */
const BURST = 1_000;
/** CPU time of an operation with one upstream call, as measured by `npm run bench -- reads`. */
const REQUEST_NS = 220_000;

const origin = { who: null, address: "127.0.0.1", over: "http", requestId: "" } as const;
const timing = { waitMs: 0, tookMs: 3 };
const done = Promise.resolve();
const answered = { kind: "query", name: "Bench", errorCodes: [] } as const;

/** Records and publishes a request with one field and one upstream call. */
function request(events: Instrumentation, recorder: OperationRecorder | undefined, at: number): void {
  const recording = recorder?.begin({ origin: { ...origin, requestId: `r-${at}` }, kind: "query", name: "Bench" });
  const operation: OperationToken = { recording };
  recording?.resolving("Query.tickers", done);
  recording?.calling("tickers")?.({ outcome: "ok", waitMs: 0, status: 200, resends: 0 });
  if (events.upstreamCall.hasSubscribers) events.upstreamCall.publish({ endpoint: "tickers", outcome: "ok", timing, operation });
  recording?.ended([], { REST: 1 });
  if (events.answer.hasSubscribers)
    events.answer.publish({ operation: { ...answered, traceId: recording?.traceId }, status: 200, tookMs: 4 });
}

/** CPU time per request in ns, including the exports during the measurement. */
async function costOf(events: Instrumentation, recorder?: OperationRecorder): Promise<number> {
  for (let at = 0; at < BURST; at++) request(events, recorder, at);
  const begin = process.cpuUsage();
  for (let at = 0; at < REQUESTS; at++) {
    request(events, recorder, at);
    if (at % BURST === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const { user, system } = process.cpuUsage(begin);
  return ((user + system) * 1_000) / REQUESTS;
}

/** Cost of the instrumentation events of a request: without subscribers, with metrics, and with metrics and traces. */
export async function compareInstrumentation(): Promise<string> {
  const own = (): Instrumentation => createInstrumentation(randomUUID());
  const receiver = await Child.start("./otlpReceiver.js");
  const traced = async (ratio: number): Promise<number> => {
    const events = own();
    const traceIds = new TraceIds(systemClock);
    new Metrics(events, traceIds);
    const traces = openTraces(
      {
        endpoint: new URL(receiver.url),
        headers: undefined,
        timeoutMs: 5_000,
        protocol: "http/protobuf",
        resource: { "service.name": "bench" },
        sampler: "traceidratio",
        ratio,
      },
      events,
      {
        clock: systemClock,
        random: Math.random,
        log: pino({ level: "silent" }),
        traceIds,
        monotonic: () => performance.now(),
        exchange: new URL("http://127.0.0.1"),
      },
    );
    const cost = await costOf(events, traces.recorder);
    await traces.close();
    return cost;
  };
  const counted = own();
  new Metrics(counted);
  const costs = [
    ["no subscribers", await costOf(own())],
    ["metrics", await costOf(counted)],
    ["metrics and traces, none recorded", await traced(0)],
    ["metrics and traces, 1 in 10", await traced(0.1)],
    ["metrics and traces, all", await traced(1)],
  ] as const;
  await receiver.stop();
  const rows = costs.map(([name, ns]) => [name, ns.toFixed(0), `${((ns * 100) / REQUEST_NS).toFixed(2)} %`]);
  return table(["subscribers", "CPU ns/request", "share of a request with one upstream call"], rows);
}
