import { readFileSync } from "node:fs";
import { subAccountSpotAssets } from "@exchange-graph/contract/broker";
import { table } from "../table.js";
import { compareFleets } from "./fleetTable.js";
import { type Polled, poll } from "./poll.js";
import { speed } from "./speed.js";

/** Dashboards and the rate limits, on a virtual clock: calls are counted, so the results do not depend on the machine's speed. */

const DOCUMENT = new URL("../../../docs/examples/dashboard.graphql", import.meta.url);
/**
 * The first three show that calls do not grow with dashboards; the last one runs for a minute, with orders placed and
 * cancelled.
 */
const POLLINGS = [
  { dashboards: 1, seconds: 20, cancelsPerSecond: 0 },
  { dashboards: 50, seconds: 20, cancelsPerSecond: 0 },
  { dashboards: 200, seconds: 20, cancelsPerSecond: 0 },
  { dashboards: 200, seconds: 60, cancelsPerSecond: 5 },
];
const LATENCIES_MS = [20, 100, 400];

export async function* compareDashboards(): AsyncGenerator<string> {
  const document = readFileSync(DOCUMENT, "utf8");
  yield "## Dashboards that poll once a second";
  const polled: string[][] = [];
  for (const load of POLLINGS) polled.push(row(load, await poll({ document, ...load })));
  yield table(
    [
      "dashboards",
      "seconds",
      "cancels/s",
      "answers",
      "errors",
      "calls/s",
      "HTTP 429",
      "over a limit",
      "budget used",
      "cancel wait p99 ms",
    ],
    polled,
  );
  yield "## Latency of one answer, compared with its slowest upstream call (wait for the rate limit included)";
  const answered: string[][] = [];
  for (const latencyMs of LATENCIES_MS) {
    const { answerMs, slowestCallMs } = await speed(document, latencyMs);
    answered.push([String(latencyMs), String(slowestCallMs), String(answerMs), (answerMs / slowestCallMs).toFixed(2)]);
  }
  yield table(["exchange latency ms", "slowest call ms", "answer ms", "ratio"], answered);
  yield "## 200 dashboards over 50 accounts, polling data that streams carry once a second";
  yield* compareFleets();
}

function row(
  { dashboards, seconds, cancelsPerSecond }: (typeof POLLINGS)[number],
  { answers, errors, calls, refused, violations, cancelWaits }: Polled,
): string[] {
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, count) => all + count, 0);
  // The bottleneck: the dashboards request 24 sub-accounts, and this endpoint allows ten calls a second.
  const { name, rate } = subAccountSpotAssets;
  const used = (calls[name] ?? 0) / ((rate.limit * seconds * 1000) / rate.windowMs);
  return [
    String(dashboards),
    String(seconds),
    String(cancelsPerSecond),
    String(answers),
    String(sum(errors)),
    (sum(calls) / seconds).toFixed(1),
    String(refused),
    String(violations),
    `${(used * 100).toFixed(1)} %`,
    String(cancelWaits[Math.floor(cancelWaits.length * 0.99)] ?? "none"),
  ];
}
