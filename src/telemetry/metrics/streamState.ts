import { Gauge, type Registry } from "prom-client";
import type { Streams } from "../../datasources/streams/index.js";

/** What is open at the exchange. */
export function streamState(registry: Registry, streams: Streams): void {
  new Gauge({
    name: "exchange_graph_streams",
    help: "What is open at the exchange: topics, those of them that tell the truth of this moment, and the connections that carry them",
    labelNames: ["what"],
    registers: [registry],
    collect() {
      const { topics, connections } = streams.gauges();
      this.set({ what: "topics" }, topics.length);
      this.set({ what: "live_topics" }, topics.filter(({ isLive }) => isLive).length);
      this.set({ what: "connections" }, connections.length);
    },
  });
}
