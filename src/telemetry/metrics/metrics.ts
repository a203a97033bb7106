import { collectDefaultMetrics, Registry } from "prom-client";
import type { Exchange } from "../../datasources/index.js";
import type { Streams } from "../../datasources/streams/index.js";
import type { WatchedFiles } from "../../files/watchedFiles.js";
import type { Subscriptions } from "../../transports/subscriptions.js";
import { AnswerMetrics } from "./answers.js";
import { DeliveryMetrics, listenerState } from "./deliveries.js";
import { exchangeState } from "./exchangeState.js";
import { fileState } from "./fileState.js";
import { lostLines } from "./lostLines.js";
import { NeighbourMetrics } from "./neighbours.js";
import { streamState } from "./streamState.js";
import { TrafficMetrics } from "./traffic.js";
import { UnreadMetrics } from "./unread.js";

/** Everything that `/metrics` shows, in a registry of its own. Labels hold no key, no account and no client. */
export class Metrics {
  readonly registry = new Registry();
  readonly answers = new AnswerMetrics(this.registry);
  readonly traffic = new TrafficMetrics(this.registry);
  readonly neighbours = new NeighbourMetrics(this.registry);
  readonly unread = new UnreadMetrics(this.registry);
  readonly deliveries = new DeliveryMetrics(this.registry);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Shows this exchange's state too. */
  watch(exchange: Exchange, streams?: Streams): void {
    exchangeState(this.registry, exchange);
    if (streams !== undefined) streamState(this.registry, streams);
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
