import { Counter, type Registry } from "prom-client";
import type { Sign } from "../../datasources/scheduler/neighbours.js";

const SIGNS: readonly Sign[] = ["counted", "refused"];

/** Others that spend the same rate limits of the exchange. */
export class NeighbourMetrics {
  readonly #signs: Counter<"sign">;

  constructor(registry: Registry) {
    this.#signs = new Counter({
      name: "exchange_graph_neighbour_signs_total",
      help: "Signs that somebody else spends the same rate limits: counted by the exchange, or refused for it",
      labelNames: ["sign"],
      registers: [registry],
    });
    for (const sign of SIGNS) this.#signs.inc({ sign }, 0);
  }

  noticed(sign: Sign): void {
    this.#signs.inc({ sign });
  }
}
