import { Counter, type Registry } from "prom-client";
import { FAULTS } from "../../datasources/index.js";
import { OUTCOMES, type Outcome, type RequestAnswered, type Sign, type UpstreamCall } from "../../instrumentation/events.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";
import { SeenUnknown } from "../seenUnknown/seenUnknown.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { collectedIn, labelled } from "./collected.js";
import { type HistogramSeries, PlainHistogram } from "./plainHistogram.js";

/** Most limits have windows of a second, and by default a call waits ten seconds at most. */
const WAIT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const CALL_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The label of what has no series of its own. */
const OTHER = "(other)";

interface EndpointCounts {
  readonly outcomes: Record<Outcome, number>;
  readonly wait: HistogramSeries<"endpoint">;
  readonly duration: HistogramSeries<"endpoint">;
}

/** Metrics of calls to the exchange. The endpoints of the contract bound the number of series. */
export function trafficMetrics(registry: Registry, events: Instrumentation, traceIds?: TraceIds): void {
  const endpoints = new Map<string, EndpointCounts>();
  collectedIn(registry).counters(
    "exchange_graph_upstream_calls_total",
    "Calls to the exchange by endpoint and outcome; limited and withheld ones were not sent",
    ["endpoint", "outcome"],
    () =>
      // Prometheus sees no increase when a series first appears, so all outcomes start at 0.
      [...endpoints].flatMap(([endpoint, { outcomes }]) =>
        OUTCOMES.map((outcome) => [{ endpoint, outcome }, outcomes[outcome]] as const),
      ),
  );
  const wait = new PlainHistogram(registry, "exchange_graph_upstream_wait_seconds", {
    help: "Time that calls to the exchange waited for rate budget",
    labelNames: ["endpoint"],
    bounds: WAIT_SECONDS,
  });
  const duration = new PlainHistogram(registry, "exchange_graph_upstream_duration_seconds", {
    help: "Time from sending a call to the end of its answer",
    labelNames: ["endpoint"],
    bounds: CALL_SECONDS,
  });
  const countsOf = (endpoint: string): EndpointCounts => {
    const existing = endpoints.get(endpoint);
    if (existing !== undefined) return existing;
    const outcomes = { ok: 0, refused: 0, throttled: 0, failed: 0, limited: 0, withheld: 0, abandoned: 0 };
    const counts = { outcomes, wait: wait.newSeries({ endpoint }), duration: duration.newSeries({ endpoint }) };
    endpoints.set(endpoint, counts);
    return counts;
  };
  listen(events, events.upstreamCall, ({ endpoint, outcome, timing, operation }: UpstreamCall) => {
    const counts = countsOf(endpoint);
    counts.outcomes[outcome]++;
    if (timing === undefined) return;
    const traceId = operation?.recording?.traceId;
    const [wait, took] = [timing.waitMs / 1_000, timing.tookMs / 1_000];
    counts.wait.observe(wait, traceIds?.exemplar(traceId, wait));
    counts.duration.observe(took, traceIds?.exemplar(traceId, took));
  });
}

const SIGNS: readonly Sign[] = ["counted", "refused"];

/** Metrics of other clients on the same rate limits. */
export function neighbourMetrics(registry: Registry, events: Instrumentation): void {
  const signs = new Counter({
    name: "exchange_graph_neighbour_signs_total",
    help: "Signs that another client uses the same rate limits: counted by the exchange, or refused for it",
    labelNames: ["sign"],
    registers: [registry],
  });
  for (const sign of SIGNS) signs.inc({ sign }, 0);
  listen(events, events.neighbourSign, ({ sign }) => signs.inc({ sign }));
}

/** More than the contract has fields; further ones are counted together. */
const MAX_PLACES = 2_000;

/** Metrics of data that could not be decoded, is not in the contract, or has no subscription. The labels are names of the contract. */
export function unreadMetrics(registry: Registry, events: Instrumentation): void {
  const registers = [registry];
  const places = new Set<string>();
  const unread = new Counter({
    name: "exchange_graph_unread_total",
    help: "Answers, rows and fields of the exchange that could not be read, by endpoint or channel and field",
    labelNames: ["source", "field"],
    registers,
  });
  const unplaced = new Counter({
    name: "exchange_graph_unplaced_pushes_total",
    help: "Pushes of the exchange without a subscription, by channel",
    labelNames: ["channel"],
    registers,
  });
  const seen = new SeenUnknown();
  const unknown = new Counter({
    name: "exchange_graph_unknown_total",
    help: "Different fields of the exchange, and different values of its enums, that the contract does not have, by endpoint or channel",
    labelNames: ["source", "kind"],
    registers,
  });
  listen(events, events.unknown, (event) => {
    if (seen.isNew(event)) unknown.inc({ source: event.source, kind: event.kind });
  });
  listen(events, events.unread, ({ source, error: { field } }) => {
    if (places.size < MAX_PLACES) places.add(`${source} ${field}`);
    unread.inc(places.has(`${source} ${field}`) ? { source, field } : { source: OTHER, field: OTHER });
  });
  listen(events, events.unplacedPush, ({ channel = "(none)" }) => unplaced.inc({ channel }));
}

type Kind = "query" | "mutation" | "subscription" | "none";
const STATUS_CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/** From cached answers to those at the operation's deadline. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Requests of one kind: number by class of status, and a histogram of their durations after the first. */
interface KindCounts {
  readonly statuses: Map<string, number>;
  duration?: HistogramSeries<"kind">;
}

/** Metrics of answers to clients. An answer that several requests share counts for each of them. */
export function answerMetrics(registry: Registry, events: Instrumentation, traceIds?: TraceIds): void {
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
  const { counters } = collectedIn(registry);
  counters(
    "exchange_graph_requests_total",
    "Requests to /graphql by kind of operation (none: it never became one) and class of HTTP status",
    ["kind", "status"],
    () =>
      Object.entries(kinds).flatMap(([kind, { statuses }]) =>
        Array.from(statuses, ([status, count]) => [{ kind, status }, count] as const),
      ),
  );
  counters(
    "exchange_graph_operations_total",
    "Operations by name: (anonymous) without one, (other) past the first hundred names",
    ["operation"],
    () => labelled("operation", operations),
  );
  counters("exchange_graph_errors_total", "GraphQL errors in answers, by code", ["code"], () => labelled("code", errors));
  const duration = new PlainHistogram(registry, "exchange_graph_request_duration_seconds", {
    help: "Time from a request's arrival to the end of its answer, by kind of operation",
    labelNames: ["kind"],
    bounds: SECONDS,
  });
  listen(events, events.answer, ({ operation, status, tookMs }: RequestAnswered) => {
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

/** Not a possible name of an operation, as `OTHER`. */
const ANONYMOUS = "(anonymous)";

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
