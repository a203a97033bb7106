import { readFileSync } from "node:fs";
import type { MetricObject } from "prom-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lostLines, redisState } from "../../../src/telemetry/metrics/gatewayState.js";
import { type GraphGateway, graphGateway } from "../../support/gateway/graphGateway.js";

const page = readFileSync("docs/reference.md", "utf8");

let graph: GraphGateway;
beforeAll(async () => {
  graph = await graphGateway();
  redisState(graph.metrics.registry, { isUp: true, replicas: 1 });
  lostLines(graph.metrics.registry, { log: { lost: 0 }, audit: { lost: 0 } });
});
afterAll(() => graph.close());

/** Name, type and labels of each of the gateway's metrics. */
const ours = (): string[][] =>
  graph.metrics.registry
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith("exchange_graph_"))
    .map((metric: MetricObject) => [metric.name, String(metric.type), String(Reflect.get(metric, "labelNames"))]);

it("lists every metric with its type and labels, and none that is not there", () => {
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| `exchange_graph_"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, name = "", type = "", labels = ""]) => [name, type, labels].map((cell) => cell.replace(/[` ]/g, "")));
  expect(rows.sort()).toEqual(ours().sort());
});

it("speaks only of metrics that are there", () => {
  const known = new Set(graph.metrics.registry.getMetricsAsArray().map(({ name }) => name));
  const spoken = page.match(/\b(?:exchange_graph|process|nodejs)_\w+/g) ?? [];
  const unknown = spoken.map((name) => name.replace(/_(?:bucket|sum|count)$/, "")).filter((name) => !known.has(name));
  expect(unknown).toEqual([]);
});
