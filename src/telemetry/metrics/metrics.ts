import { collectDefaultMetrics, Registry } from "prom-client";
import type { DataSource } from "../../datasources/index.js";
import type { Streams } from "../../datasources/streams/index.js";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { exchangeState } from "./exchangeState.js";
import { buildInfo } from "./gatewayState.js";
import { historyMetrics } from "./history.js";
import { openMetricsText, wantsOpenMetrics } from "./openMetrics.js";
import { streamState } from "./streamState.js";
import { answerMetrics, neighbourMetrics, trafficMetrics, unreadMetrics } from "./traffic.js";

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
