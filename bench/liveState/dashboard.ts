import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { endpoints } from "@exchange-graph/contract";
import { z } from "zod";
import { boundOf } from "../../src/datasources/cache/sharedCache.js";
import { percentile } from "../dashboards/percentile.js";
import { table } from "../table.js";

/** How soon the dashboard of the examples is answered: first without what need not be waited for, then whole, then once a second. */

const DASHBOARD = readFileSync(new URL("../../../docs/examples/dashboard.graphql", import.meta.url), "utf8");
/** The dashboard without its slow part: a page asks for that in a request of its own. */
const WALL = "query Wall { accounts { name totalEquity positions { symbol qty unrealisedPnl } } }";
/** It is asked for once a second: for so long before it is measured, and so often then. */
const WARM_UP_ASKS = 20;
const ASKS = 60;
/** A ticker that is live is not taken for known for longer than that, ms. */
const LIVE_BOUND_MS = 5_000;
/** Reads that are named of the slowest answer. */
const NAMED = 5;

const read = z.object({ endpoint: z.string(), source: z.string(), ageMs: z.number(), waitMs: z.number() });
type Read = z.infer<typeof read>;
const answered = z.object({
  data: z.object({}).loose(),
  errors: z.array(z.unknown()).optional(),
  extensions: z.object({ exchange: z.object({ upstreamCalls: z.number(), reads: z.array(read) }) }),
});

interface Asked {
  readonly tookMs: number;
  readonly calls: number;
  readonly reads: readonly Read[];
  /** Reads of what was older than it may be. */
  readonly overdue: number;
  readonly failed: boolean;
}

/** How old what an endpoint answers may be, ms, by its name. */
const BOUNDS = new Map(endpoints.map((endpoint) => [endpoint.name, boundOf(endpoint)]));
const isOverdue = ({ endpoint, source, ageMs }: Read): boolean =>
  ageMs > (source === "STREAM" ? LIVE_BOUND_MS : source === "CACHE" ? (BOUNDS.get(endpoint) ?? 0) : Number.POSITIVE_INFINITY);

export async function dashboard(url: string): Promise<string> {
  const wall = await ask(url, WALL);
  const first = await ask(url, DASHBOARD);
  for (let count = 0; count < WARM_UP_ASKS; count++) {
    await pause(1_000);
    await ask(url, DASHBOARD);
  }
  const warm: Asked[] = [];
  for (let count = 0; count < ASKS; count++) {
    await pause(1_000);
    warm.push(await ask(url, DASHBOARD));
  }
  const shown = table(
    ["asked", "times", "p50 ms", "p90 ms", "p99 ms", "most ms", "calls p50", "calls most", "reads past their bound", "errors"],
    [
      row("first, without what waits for the budget", [wall]),
      row("first, the whole dashboard", [first]),
      row("once a second", warm),
    ],
  );
  return `${shown}\n\nThe slowest warm answer: ${slowest(warm)}`;
}

async function ask(url: string, query: string): Promise<Asked> {
  const from = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-exchange-trace": "1" },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  const tookMs = performance.now() - from;
  const { errors, extensions } = answered.parse(JSON.parse(text));
  const { reads, upstreamCalls: calls } = extensions.exchange;
  return { tookMs, calls, reads, overdue: reads.filter(isOverdue).length, failed: errors !== undefined };
}

function row(name: string, asked: readonly Asked[]): string[] {
  const took = asked.map(({ tookMs }) => tookMs);
  const calls = asked.map((one) => one.calls);
  const sum = (of: (one: Asked) => number) => String(asked.reduce((all, one) => all + of(one), 0));
  return [
    name,
    String(asked.length),
    ...[0.5, 0.9, 0.99, 1].map((share) => percentile(took, share).toFixed(0)),
    ...[0.5, 1].map((share) => String(percentile(calls, share))),
    sum(({ overdue }) => overdue),
    sum(({ failed }) => (failed ? 1 : 0)),
  ];
}

/** What it asked the exchange for, the longest waits first. */
function slowest(asked: readonly Asked[]): string {
  const [one] = [...asked].sort((a, b) => b.tookMs - a.tookMs);
  if (one === undefined) return "none";
  const calls = one.reads.filter(({ source }) => source === "REST" || source === "SHARED").sort((a, b) => b.waitMs - a.waitMs);
  const named = calls.slice(0, NAMED).map(({ endpoint, source, waitMs }) => `${endpoint} (${source}, waited ${waitMs} ms)`);
  return `${one.tookMs.toFixed(0)} ms, ${one.calls} calls${named.length === 0 ? "" : `: ${named.join(", ")}`}.`;
}
