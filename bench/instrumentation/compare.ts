import { randomUUID } from "node:crypto";
import { createInstrumentation, type Instrumentation, listen } from "../../src/instrumentation/instrumentation.js";
import { Metrics } from "../../src/telemetry/metrics/metrics.js";
import { table } from "../table.js";

const TIMES = 2_000_000;
/** What `npm run bench -- reads` shows of CPU for an operation with one upstream call, and what is published around one. */
const REQUEST_NS = 220_000;
const PUBLICATIONS = 4;

/** Publishes as the reader does around one call. */
function publish({ upstreamCall }: Instrumentation, at: number): void {
  if (!upstreamCall.hasSubscribers) return;
  upstreamCall.publish({ endpoint: "tickers", outcome: "ok", timing: { waitMs: 0, tookMs: at & 7 } });
}

/** The best of five runs, in ns for each publication. */
function costOf(events: Instrumentation): number {
  const runs = Array.from({ length: 5 }, () => {
    const begin = process.hrtime.bigint();
    for (let at = 0; at < TIMES; at++) publish(events, at);
    return Number(process.hrtime.bigint() - begin) / TIMES;
  });
  return Math.min(...runs);
}

/** What one publication costs: where nobody listens, with a listener that does nothing, and with the metrics. */
export async function compareInstrumentation(): Promise<string> {
  const own = () => createInstrumentation(randomUUID());
  const [silent, heard, counted] = [own(), own(), own()];
  listen(heard, heard.upstreamCall, () => undefined);
  const metrics = new Metrics(counted);
  const rows = [
    ["nobody listens", costOf(silent)] as const,
    ["one listener", costOf(heard)] as const,
    ["metrics", costOf(counted)] as const,
  ].map(([name, ns]) => [name, ns.toFixed(1), `${((ns * PUBLICATIONS * 100) / REQUEST_NS).toFixed(3)} %`]);
  metrics.registry.clear();
  return table(["listeners", "ns for each publication", "of a request with one upstream call"], rows);
}
