import { readFileSync } from "node:fs";
import { subAccountSpotAssets } from "@exchange-graph/contract/broker";
import { table } from "../table.js";
import { compareFleets } from "./fleetTable.js";
import { type Polled, poll } from "./poll.js";
import { speed } from "./speed.js";

/** Dashboards against the rate budget, on a virtual clock: counted, not timed, so the machine's speed does not matter. */

const DOCUMENT = new URL("../../../docs/examples/dashboard.graphql", import.meta.url);
/** The more look on, the same the calls; then the whole minute, with orders that come and go. */
const POLLINGS = [
  { dashboards: 1, seconds: 20, cancelsPerSecond: 0 },
  { dashboards: 50, seconds: 20, cancelsPerSecond: 0 },
  { dashboards: 200, seconds: 20, cancelsPerSecond: 0 },
  { dashboards: 200, seconds: 60, cancelsPerSecond: 5 },
];
const LATENCIES_MS = [20, 100, 400];

export async function compareDashboards(): Promise<string> {
  const document = readFileSync(DOCUMENT, "utf8");
  const polled: string[][] = [];
  for (const load of POLLINGS) polled.push(row(load, await poll({ document, ...load })));
  const answered: string[][] = [];
  for (const latencyMs of LATENCIES_MS) {
    const { answerMs, slowestCallMs } = await speed(document, latencyMs);
    answered.push([String(latencyMs), String(slowestCallMs), String(answerMs), (answerMs / slowestCallMs).toFixed(2)]);
  }
  return [
    "## Dashboards that poll once a second\n",
    table(
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
    ),
    "\n## One answer, beside the slowest of its upstream calls with its wait for budget\n",
    table(["exchange's latency ms", "slowest call ms", "answer ms", "ratio"], answered),
    "\n## 200 dashboards over 50 accounts, of what streams carry, once a second\n",
    await compareFleets(),
  ].join("\n");
}

function row(
  { dashboards, seconds, cancelsPerSecond }: (typeof POLLINGS)[number],
  { answers, errors, calls, refused, violations, cancelWaits }: Polled,
): string[] {
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((all, count) => all + count, 0);
  // More is asked of this endpoint than it gives: what holds 24 sub-accounts allows ten calls a second.
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
