import { Counter, Histogram, type Registry } from "prom-client";
import { OUTCOMES, type Outcome, type TrafficObserver } from "../../datasources/reads/traffic.js";

/** The limits' windows are a second long, mostly, and a call waits ten of them at most by default. */
const WAIT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const CALL_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What the exchange was asked. Endpoints are those of the contract, so there is an end to them. */
export class TrafficMetrics implements TrafficObserver {
  readonly #begun = new Set<string>();
  readonly #calls: Counter<"endpoint" | "outcome">;
  readonly #wait: Histogram<"endpoint">;
  readonly #duration: Histogram<"endpoint">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#calls = new Counter({
      name: "exchange_graph_upstream_calls_total",
      help: "Calls to the exchange by endpoint and outcome; limited and withheld ones never left",
      labelNames: ["endpoint", "outcome"],
      registers,
    });
    this.#wait = new Histogram({
      name: "exchange_graph_upstream_wait_seconds",
      help: "Time that calls to the exchange waited for rate budget before they left",
      labelNames: ["endpoint"],
      buckets: WAIT_SECONDS,
      registers,
    });
    this.#duration = new Histogram({
      name: "exchange_graph_upstream_duration_seconds",
      help: "Time from a call's departure to the end of its answer",
      labelNames: ["endpoint"],
      buckets: CALL_SECONDS,
      registers,
    });
  }

  upstream(endpoint: string, outcome: Outcome, timing?: { readonly waitMs: number; readonly tookMs: number }): void {
    if (!this.#begun.has(endpoint)) this.#begin(endpoint);
    this.#calls.inc({ endpoint, outcome });
    if (timing === undefined) return;
    this.#wait.observe({ endpoint }, timing.waitMs / 1_000);
    this.#duration.observe({ endpoint }, timing.tookMs / 1_000);
  }

  /** Prometheus sees no increase where a series begins, so the outcomes that are yet to come begin at 0. */
  #begin(endpoint: string): void {
    this.#begun.add(endpoint);
    for (const outcome of OUTCOMES) this.#calls.inc({ endpoint, outcome }, 0);
  }
}
