import { Counter, Histogram, type Registry } from "prom-client";
import { FAULTS } from "../../datasources/index.js";
import type { AnswerObserver, Operation } from "../../engine/answers/operation.js";
import { OperationNames } from "./operationNames.js";

const KINDS = ["query", "mutation", "subscription", "none"] as const;
const STATUS_CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/** From an answer out of memory to one that waited for the exchange until its deadline. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What clients got. An answer that several requests share counts for each of them. */
export class AnswerMetrics implements AnswerObserver {
  readonly #names = new OperationNames();
  readonly #known = new Map<string, { readonly count: (seconds: number) => void }>();
  readonly #requests: Counter<"kind" | "status">;
  readonly #operations: Counter<"operation">;
  readonly #errors: Counter<"code">;
  readonly #duration: Histogram<"kind">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: "exchange_graph_requests_total",
      help: "Requests to /graphql by kind of operation (none: it never became one) and class of HTTP status",
      labelNames: ["kind", "status"],
      registers,
    });
    this.#operations = new Counter({
      name: "exchange_graph_operations_total",
      help: "Operations by name: (anonymous) without one, (other) past the first hundred names",
      labelNames: ["operation"],
      registers,
    });
    this.#errors = new Counter({
      name: "exchange_graph_errors_total",
      help: "GraphQL errors in answers, by code",
      labelNames: ["code"],
      registers,
    });
    this.#duration = new Histogram({
      name: "exchange_graph_request_duration_seconds",
      help: "Time from a request's arrival to the end of its answer, by kind of operation",
      labelNames: ["kind"],
      buckets: SECONDS,
      registers,
    });
    // Prometheus sees no increase where a series begins, so what one wants to be told of begins at 0.
    for (const kind of KINDS) for (const status of ["2xx", "4xx", "5xx"]) this.#requests.inc({ kind, status }, 0);
    for (const code of Object.keys(FAULTS)) this.#errors.inc({ code }, 0);
  }

  answered(operation: Operation | undefined, status: number, tookMs: number): void {
    const { kind = "none", name, errorCodes = [] } = operation ?? {};
    this.#series(kind, STATUS_CLASSES[Math.floor(status / 100) - 1] ?? "other").count(tookMs / 1_000);
    if (kind !== "none") this.#operations.inc({ operation: this.#names.label(name) });
    for (const code of errorCodes) this.#errors.inc({ code });
  }

  /** Finding a series by its labels takes longer than counting in it; there are few. */
  #series(kind: string, status: string): { readonly count: (seconds: number) => void } {
    const key = `${kind} ${status}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const requests = this.#requests.labels({ kind, status });
    const duration = this.#duration.labels({ kind });
    const series = {
      count(seconds: number): void {
        requests.inc();
        duration.observe(seconds);
      },
    };
    this.#known.set(key, series);
    return series;
  }
}
