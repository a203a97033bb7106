import { Counter, type Registry } from "prom-client";
import { FAULTS } from "../../datasources/index.js";
import type { Answered } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { PlainHistogram, type Series } from "./plainHistogram.js";

type Kind = "query" | "mutation" | "subscription" | "none";
const STATUS_CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/** From cached answers to those at the operation's deadline. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Requests of one kind: number by class of status, and a histogram of their durations after the first. */
interface KindCounts {
  readonly statuses: Map<string, number>;
  duration?: Series<"kind">;
}

/** Metrics of answers to clients. An answer that several requests share counts for each of them. */
export function answerMetrics(registry: Registry, events: Instrumentation, traceIds?: TraceIds): void {
  const registers = [registry];
  const names = new OperationNames();
  const operations = new Map<string, number>();
  const errors = new Map<string, number>(Object.keys(FAULTS).map((code) => [code, 0]));
  // Prometheus sees no increase when a series first appears, so series that alerts use start at 0.
  const countsOf = (): KindCounts => ({ statuses: new Map(["2xx", "4xx", "5xx"].map((status) => [status, 0])) });
  const kinds: Readonly<Record<Kind, KindCounts>> = {
    query: countsOf(),
    mutation: countsOf(),
    subscription: countsOf(),
    none: countsOf(),
  };
  new Counter({
    name: "exchange_graph_requests_total",
    help: "Requests to /graphql by kind of operation (none: it never became one) and class of HTTP status",
    labelNames: ["kind", "status"],
    registers,
    collect() {
      this.reset();
      for (const [kind, { statuses }] of Object.entries(kinds))
        for (const [status, count] of statuses) this.inc({ kind, status }, count);
    },
  });
  new Counter({
    name: "exchange_graph_operations_total",
    help: "Operations by name: (anonymous) without one, (other) past the first hundred names",
    labelNames: ["operation"],
    registers,
    collect() {
      this.reset();
      for (const [operation, count] of operations) this.inc({ operation }, count);
    },
  });
  new Counter({
    name: "exchange_graph_errors_total",
    help: "GraphQL errors in answers, by code",
    labelNames: ["code"],
    registers,
    collect() {
      this.reset();
      for (const [code, count] of errors) this.inc({ code }, count);
    },
  });
  const duration = new PlainHistogram(registry, "exchange_graph_request_duration_seconds", {
    help: "Time from a request's arrival to the end of its answer, by kind of operation",
    labelNames: ["kind"],
    bounds: SECONDS,
  });
  listen(events, events.answer, ({ operation, status, tookMs }: Answered) => {
    const { kind = "none", name, errorCodes = [], traceId } = operation ?? {};
    const counts = kinds[kind];
    add(counts.statuses, STATUS_CLASSES[Math.floor(status / 100) - 1] ?? "other");
    counts.duration ??= duration.newSeries({ kind });
    const seconds = tookMs / 1_000;
    counts.duration.observe(seconds, traceIds?.exemplar(traceId, seconds));
    if (kind !== "none") add(operations, names.label(name));
    for (const code of errorCodes) add(errors, code);
  });
}

const add = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** Labels that cannot be operation names. */
const ANONYMOUS = "(anonymous)";
const OTHER = "(other)";

const MAX_NAMES = 100;
const MAX_LENGTH = 100;

/** Operation names as a label. Clients choose them, so only the first hundred become series. */
class OperationNames {
  readonly #names = new Set<string>();

  label(name: string | undefined): string {
    if (name === undefined) return ANONYMOUS;
    if (this.#names.has(name)) return name;
    if (this.#names.size >= MAX_NAMES || name.length > MAX_LENGTH) return OTHER;
    this.#names.add(name);
    return name;
  }
}
