import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { endpoints } from "@exchange-graph/contract";
import { z } from "zod";
import { boundOf } from "../../src/datasources/reads/cache/sharedCache.js";
import { percentile } from "../dashboards/percentile.js";
import { table } from "../table.js";

/**
 * Latency of the example dashboard: the first answer without its slow part, the first complete answer, then one request per
 * second.
 */

const DASHBOARD = readFileSync(new URL("../../../docs/examples/dashboard.graphql", import.meta.url), "utf8");
/** The dashboard without its slow part, which a page can load with a separate request. */
const FAST_PART = "query FastPart { accounts { name totalEquity positions { symbol qty unrealisedPnl } } }";
/** Requests, one per second, before the measurement and during it. */
const WARM_UP_REQUESTS = 20;
const REQUESTS = 60;
/** Maximum age of a live ticker, ms. */
const LIVE_BOUND_MS = 5_000;
/** Number of reads of the slowest answer that are printed. */
const NAMED = 5;

const read = z.object({ endpoint: z.string(), source: z.string(), ageMs: z.number(), waitMs: z.number() });
type Read = z.infer<typeof read>;
const answerShape = z.object({
  data: z.object({}).loose(),
  errors: z.array(z.unknown()).optional(),
  extensions: z.object({ exchange: z.object({ upstreamCalls: z.number(), reads: z.array(read) }) }),
});

interface Answer {
  readonly tookMs: number;
  readonly calls: number;
  readonly reads: readonly Read[];
  /** Reads of data older than its maximum age. */
  readonly overdue: number;
  readonly failed: boolean;
}

/** Maximum age of an endpoint's data, ms, by its name. */
const BOUNDS = new Map(endpoints.map((endpoint) => [endpoint.name, boundOf(endpoint)]));
const isOverdue = ({ endpoint, source, ageMs }: Read): boolean =>
  ageMs > (source === "STREAM" ? LIVE_BOUND_MS : source === "CACHE" ? (BOUNDS.get(endpoint) ?? 0) : Number.POSITIVE_INFINITY);

export async function dashboard(url: string): Promise<string> {
  const fastPart = await ask(url, FAST_PART);
  const first = await ask(url, DASHBOARD);
  for (let count = 0; count < WARM_UP_REQUESTS; count++) {
    await pause(1_000);
    await ask(url, DASHBOARD);
  }
  const warm: Answer[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    await pause(1_000);
    warm.push(await ask(url, DASHBOARD));
  }
  const shown = table(
    [
      "request",
      "count",
      "p50 ms",
      "p90 ms",
      "p99 ms",
      "max ms",
      "calls p50",
      "calls max",
      "reads past their maximum age",
      "errors",
    ],
    [
      row("first, without the slow part", [fastPart]),
      row("first, complete dashboard", [first]),
      row("once a second, complete dashboard", warm),
    ],
  );
  return `${shown}\n\nThe slowest of the last: ${slowest(warm)}`;
}

async function ask(url: string, query: string): Promise<Answer> {
  const from = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-exchange-trace": "1" },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  const tookMs = performance.now() - from;
  const { errors, extensions } = answerShape.parse(JSON.parse(text));
  const { reads, upstreamCalls: calls } = extensions.exchange;
  return { tookMs, calls, reads, overdue: reads.filter(isOverdue).length, failed: errors !== undefined };
}

function row(name: string, asked: readonly Answer[]): string[] {
  const took = asked.map(({ tookMs }) => tookMs);
  const calls = asked.map((one) => one.calls);
  const sum = (of: (one: Answer) => number) => String(asked.reduce((all, one) => all + of(one), 0));
  return [
    name,
    String(asked.length),
    ...[0.5, 0.9, 0.99, 1].map((share) => percentile(took, share).toFixed(0)),
    ...[0.5, 1].map((share) => String(percentile(calls, share))),
    sum(({ overdue }) => overdue),
    sum(({ failed }) => (failed ? 1 : 0)),
  ];
}

/** Duration of the slowest answer, and its calls to the exchange with the longest waits. */
function slowest(asked: readonly Answer[]): string {
  const [one] = [...asked].sort((a, b) => b.tookMs - a.tookMs);
  if (one === undefined) return "none";
  const calls = one.reads.filter(({ source }) => source === "REST" || source === "SHARED").sort((a, b) => b.waitMs - a.waitMs);
  const named = calls.slice(0, NAMED).map(({ endpoint, source, waitMs }) => `${endpoint} (${source}, waited ${waitMs} ms)`);
  return `${one.tookMs.toFixed(0)} ms, ${one.calls} calls${named.length === 0 ? "" : `: ${named.join(", ")}`}.`;
}
