import { collectDefaultMetrics, Registry } from "prom-client";
import type { Exchange } from "../../datasources/index.js";
import type { Streams } from "../../datasources/streams/index.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";
import { INSTRUMENTATION, type Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Subscriptions } from "../../transports/subscriptions.js";
import type { TraceIds } from "../traceIds/traceIds.js";
import { answerMetrics } from "./answers.js";
import { exchangeState } from "./exchangeState.js";
import { engineState, fileState, listenerState, lostLines } from "./gatewayState.js";
import { openMetricsText, wantsOpenMetrics } from "./openMetrics.js";
import { streamState } from "./streamState.js";
import { neighbourMetrics, trafficMetrics, unreadMetrics } from "./traffic.js";

/**
 * Everything that `/metrics` shows, in a registry of its own. Labels hold no key, no account and no client. What happens is
 * counted in plain numbers, and becomes series when it is read.
 */
export class Metrics {
  readonly registry = new Registry();

  /** Counts what is published on these channels. With `traceIds`, times name a trace as an example. */
  constructor(events: Instrumentation = INSTRUMENTATION, traceIds?: TraceIds) {
    answerMetrics(this.registry, events, traceIds);
    trafficMetrics(this.registry, events, traceIds);
    neighbourMetrics(this.registry, events);
    unreadMetrics(this.registry, events);
    collectDefaultMetrics({ register: this.registry });
  }

  /** All of it as text: in the format of Prometheus, or with exemplars in that of OpenMetrics where the scraper takes it. */
  async show(accept: string | undefined): Promise<{ readonly type: string; readonly body: string }> {
    if (wantsOpenMetrics(accept)) return openMetricsText(this.registry);
    return { type: this.registry.contentType, body: await this.registry.metrics() };
  }

  /** Shows this exchange's state too. */
  watch(exchange: Exchange, streams?: Streams): void {
    exchangeState(this.registry, exchange);
    if (streams !== undefined) streamState(this.registry, streams);
  }

  /** Shows how what replicas share stands. */
  watchEngine(engine: Parameters<typeof engineState>[1]): void {
    engineState(this.registry, engine);
  }

  /** Shows which files cannot be used. */
  watchFiles(files: WatchedFiles): void {
    fileState(this.registry, files);
  }

  /** Shows what could not be logged. */
  watchLogs(logs: Readonly<Record<"log" | "audit", { readonly lost: number }>>): void {
    lostLines(this.registry, logs);
  }

  /** Shows who listens. */
  watchSubscriptions(subscriptions: Subscriptions): void {
    listenerState(this.registry, subscriptions);
  }
}
