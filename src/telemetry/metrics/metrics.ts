import { collectDefaultMetrics, type OpenMetricsContentType, Registry } from "prom-client";
import type { DataSource } from "../../datasources/index.js";
import type { Streams } from "../../datasources/streams/index.js";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { collectedIn, labelled } from "./collected.js";
import { exchangeState } from "./exchangeState.js";
import { buildInfo } from "./gatewayState.js";
import { historyMetrics } from "./history.js";
import { answerMetrics, neighbourMetrics, trafficMetrics, unreadMetrics } from "./traffic.js";

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

/** Metrics of streams to the exchange. */
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
