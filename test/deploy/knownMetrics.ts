import { readFileSync } from "node:fs";
import type { Asked } from "./promql.js";

/** The gateway's metrics with their labels, as listed in docs/reference.md; another test compares that list with the registry. */
const ours: ReadonlyMap<string, readonly string[]> = new Map(
  readFileSync("docs/reference.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `exchange_graph_"))
    .map((line) => line.split("|").map((cell) => cell.replace(/[` ]/g, "")))
    .map(([, name = "", type, labels = ""]) => [
      name,
      [...labels.split(",").filter((label) => label !== ""), ...(type === "histogram" ? ["le"] : [])],
    ]),
);

/** Metrics of Node and of Prometheus. */
const OTHERS = new Set([
  ...["up", "nodejs_eventloop_lag_p99_seconds", "nodejs_eventloop_lag_p50_seconds", "nodejs_heap_size_used_bytes"],
  ...["process_resident_memory_bytes", "process_cpu_seconds_total", "process_open_fds", "process_start_time_seconds"],
]);
/** Labels that Prometheus adds to every series. */
const TARGET_LABELS = ["job", "instance"];

/** Unknown metrics in an expression, and labels that their metric does not have. */
export function unknownIn({ metrics, matched }: Asked, recorded: ReadonlySet<string> = new Set()): readonly string[] {
  const nameOf = (metric: string): string => (ours.has(metric) ? metric : metric.replace(/_(?:bucket|sum|count)$/, ""));
  const isKnown = (metric: string): boolean => ours.has(nameOf(metric)) || OTHERS.has(metric) || recorded.has(metric);
  return [
    ...[...metrics].filter((metric) => !isKnown(metric)),
    ...matched.flatMap(({ metric, label }) => {
      const labels = ours.get(nameOf(metric));
      return labels === undefined || TARGET_LABELS.includes(label) || labels.includes(label) ? [] : [`${metric}{${label}}`];
    }),
  ];
}
