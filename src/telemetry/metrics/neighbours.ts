import { Counter, type Registry } from "prom-client";
import type { Sign } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";

const SIGNS: readonly Sign[] = ["counted", "refused"];

/** Others that spend the same rate limits of the exchange. */
export function neighbourMetrics(registry: Registry, events: Instrumentation): void {
  const signs = new Counter({
    name: "exchange_graph_neighbour_signs_total",
    help: "Signs that somebody else spends the same rate limits: counted by the exchange, or refused for it",
    labelNames: ["sign"],
    registers: [registry],
  });
  for (const sign of SIGNS) signs.inc({ sign }, 0);
  listen(events, events.neighbourSign, ({ sign }) => signs.inc({ sign }));
}
