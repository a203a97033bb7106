import { collectDefaultMetrics, type OpenMetricsContentType, Registry } from "prom-client";
import type { BucketState } from "../../datasources/calls/index.js";
import type { DataSource } from "../../datasources/index.js";
import type { Streams } from "../../datasources/streams/index.js";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { collectedIn, labelled } from "./collected.js";
import { buildInfo } from "./gatewayState.js";
import { historyMetrics } from "./history.js";
import { answerMetrics, neighbourMetrics, trafficMetrics, unreadMetrics } from "./traffic.js";

/** State of the connection to the exchange, collected at each scrape. Accounts are not labels. */
function exchangeState(registry: Registry, exchange: DataSource): void {
  const { scheduler, reader, cache, clock, writes, keys } = exchange;
  const { gauge, gauges, counters } = collectedIn(registry);
  gauges(
    "exchange_graph_budget_used_ratio",
    "Share of a rate limit that is in use; the maximum over accounts; (all): the limit of all calls",
    ["endpoint"],
    () => byEndpoint(scheduler, ({ limit, left }) => (limit - left) / limit, Math.max),
  );
  gauge(
    "exchange_graph_budget_share",
    "Share of the rate limits that this gateway uses; below 1 if another client uses the same; the minimum over accounts",
    () => Math.min(1, ...scheduler.neighbours.shared().map(({ share }) => share)),
  );
  gauges(
    "exchange_graph_queue_length",
    "Calls that wait for rate budget, over all accounts; (all): those that wait for the limit per address",
    ["endpoint"],
    () => byEndpoint(scheduler, ({ waiting }) => waiting, sum),
  );
  gauges(
    "exchange_graph_breaker",
    "Circuit breakers that are OPEN or HALF_OPEN, per endpoint: one for all of a public endpoint, one per account of a private one",
    ["endpoint", "state"],
    () => reader.breakers().map(({ endpoint, state }) => [{ endpoint, state }, 1]),
  );
  counters("exchange_graph_cache_reads_total", "Reads of cacheable answers by result: hit or miss", ["result"], () => {
    const { hits, misses } = cache.counts;
    return labelled("result", Object.entries({ hit: hits, miss: misses }));
  });
  gauge(
    "exchange_graph_halted_accounts",
    "Accounts whose trading is halted, by name or by a halt of all accounts",
    () => exchange.accounts.filter((account) => writes.halts.of(account) !== undefined).length,
  );
  counters(
    "exchange_graph_limit_refusals_total",
    "Trading limits that writes would have exceeded, by limit: category, symbol, price, rate, order, open or day",
    ["limit"],
    () => labelled("limit", writes.limits.breaches),
  );
  gauge(
    "exchange_graph_unlimited_accounts",
    "Accounts that had trading limits and have none any more",
    () => writes.limits.inForce.unlimited.length,
  );
  gauge(
    "exchange_graph_journal_writable",
    "1 while the journal of writes can be written, 0 while it is full, locked, replaced or not reachable and writes that may add risk are refused",
    () => (writes.journal.state.unavailable === undefined ? 1 : 0),
  );
  gauge(
    "exchange_graph_journal_kept_ends",
    "Outcomes of writes that are kept in memory until the journal can be written again",
    () => writes.journal.state.kept,
  );
  gauge(
    "exchange_graph_clock_offset_seconds",
    "The exchange's clock minus the gateway's; 0 before its first answer",
    () => clock.offsetMs / 1_000,
  );
  gauge(
    "exchange_graph_clock_contradiction_seconds",
    "By how much the exchange's answers contradict its time, or by how much it has jumped ahead within the last day; 0 if neither",
    () => (clock.contradictionMs ?? clock.aheadMs) / 1_000,
  );
  gauge("exchange_graph_refused_keys", "Accounts whose key the exchange refuses", () => keys.refused.length);
}

const sum = (a: number, b: number): number => a + b;

function byEndpoint(
  scheduler: DataSource["scheduler"],
  value: (bucket: BucketState) => number,
  join: (a: number, b: number) => number,
) {
  const values = new Map<string, number>();
  for (const bucket of [scheduler.overall(), ...scheduler.buckets()])
    values.set(bucket.endpoint, join(values.get(bucket.endpoint) ?? 0, value(bucket)));
  return labelled("endpoint", values);
}

/** Whether the client accepts OpenMetrics. Prometheus does if it stores exemplars. */
const wantsOpenMetrics = (accept: string | undefined): boolean => accept?.includes("application/openmetrics-text") ?? false;

/**
 * The metrics of a registry in OpenMetrics, which supports exemplars. Its counters have no suffix `_total` in their metadata;
 * prom-client renames them permanently when it writes this format, so the lines are corrected here instead.
 */
async function openMetricsText(registry: Registry): Promise<{ readonly type: string; readonly body: string }> {
  const open = new Registry<OpenMetricsContentType>();
  open.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const families: string[] = [];
  for (const metric of registry.getMetricsAsArray()) {
    open.registerMetric(registry.getSingleMetric(metric.name) ?? fail(metric.name));
    const text = await open.getSingleMetricAsString(metric.name);
    families.push(/^# TYPE \S+ counter$/m.test(text) ? counterFamily(text) : text);
  }
  return { type: Registry.OPENMETRICS_CONTENT_TYPE, body: `${families.join("\n")}\n# EOF\n` };
}

const counterFamily = (text: string): string =>
  text.replaceAll(/^(# (?:HELP|TYPE) \S+?)_total /gm, "$1 ").replaceAll(/^(\w+?)_total_total(?=[{ ])/gm, "$1_total");

function fail(name: string): never {
  throw new Error(`no metric ${name}`);
}

const PARTS = ["LEADING", "FOLLOWING", "ALONE", "JOINING"] as const;

function streamState(registry: Registry, streams: Streams): void {
  const { gauges, counters } = collectedIn(registry);
  gauges(
    "exchange_graph_streams",
    "Streams at the exchange: open topics, up-to-date topics, their connections, and the accounts and market data that are kept live for queries",
    ["what"],
    () => {
      const { topics, connections, live } = streams.gauges();
      const open = {
        topics: topics.length,
        live_topics: topics.filter(({ isLive }) => isLive).length,
        connections: connections.length,
        live_accounts: new Set(live.kept.map(({ account }) => account)).size,
        live_symbols: live.symbols.length,
      };
      return labelled("what", Object.entries(open));
    },
  );
  gauges(
    "exchange_graph_shared_streams",
    "Accounts and symbols whose streams are shared with other replicas, by the role of this one: LEADING subscribes at the exchange for all, FOLLOWING reads from the leader, ALONE subscribes for itself, JOINING has no role yet",
    ["part"],
    () => {
      const { shared } = streams.gauges();
      return PARTS.map((part) => [{ part }, shared.get(part) ?? 0]);
    },
  );
  counters(
    "exchange_graph_live_reads_total",
    "Reads of streamed data: answered from live state without a call, or missed because it was not live",
    ["stream", "outcome"],
    () =>
      streams
        .gauges()
        .live.counts.flatMap(({ kind: stream, answered, missed }) => [
          [{ stream, outcome: "answered" }, answered] as const,
          [{ stream, outcome: "missed" }, missed] as const,
        ]),
  );
}

/**
 * All metrics of `/metrics`, in a registry of their own. Labels contain no key, account or client. Events are counted in plain
 * numbers, which become series at each scrape.
 */
export class Metrics {
  readonly registry = new Registry();

  /** Counts the events of these channels. With `traceIds`, histograms have exemplars. */
  constructor(events: Instrumentation = INSTRUMENTATION, traceIds?: TraceIds) {
    answerMetrics(this.registry, events, traceIds);
    trafficMetrics(this.registry, events, traceIds);
    neighbourMetrics(this.registry, events);
    unreadMetrics(this.registry, events);
    historyMetrics(this.registry, events);
    buildInfo(this.registry);
    collectDefaultMetrics({ register: this.registry });
  }

  /** The metrics as text: in the format of Prometheus, or in OpenMetrics with exemplars if the scraper accepts it. */
  async show(accept: string | undefined): Promise<{ readonly type: string; readonly body: string }> {
    if (wantsOpenMetrics(accept)) return openMetricsText(this.registry);
    return { type: this.registry.contentType, body: await this.registry.metrics() };
  }

  /** Adds the state of this exchange. */
  watch(exchange: DataSource, streams?: Streams): void {
    exchangeState(this.registry, exchange);
    if (streams !== undefined) streamState(this.registry, streams);
  }
}
