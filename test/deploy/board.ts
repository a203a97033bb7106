import { readFileSync } from "node:fs";
import { z } from "zod";

const panel = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  description: z.string().default(""),
  gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
});
const board = z.object({
  uid: z.string(),
  panels: z.array(panel),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
});

/** A panel of the board. Rows have no queries. */
export type Panel = z.infer<typeof panel>;

/** The Grafana dashboard. */
export const BOARD = board.parse(JSON.parse(readFileSync("deploy/grafana/exchange-graph.json", "utf8")));

/** A query as Grafana sends it with everything selected. */
export const withVariables = (expression: string, rateInterval: string): string =>
  expression.replaceAll("$job", "exchange-graph").replaceAll("$instance", ".*").replaceAll("$__rate_interval", rateInterval);
