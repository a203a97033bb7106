import { Counter, Gauge, type Registry } from "prom-client";
import type { Streams } from "../../datasources/streams/index.js";

const PARTS = ["LEADING", "FOLLOWING", "ALONE", "JOINING"] as const;

/** Metrics of streams to the exchange. */
export function streamState(registry: Registry, streams: Streams): void {
  new Gauge({
    name: "exchange_graph_streams",
    help: "Streams at the exchange: open topics, up-to-date topics, their connections, and the accounts and market data that are kept live for queries",
    labelNames: ["what"],
    registers: [registry],
    collect() {
      const { topics, connections, live } = streams.gauges();
      this.set({ what: "topics" }, topics.length);
      this.set({ what: "live_topics" }, topics.filter(({ isLive }) => isLive).length);
      this.set({ what: "connections" }, connections.length);
      this.set({ what: "live_accounts" }, new Set(live.kept.map(({ account }) => account)).size);
      this.set({ what: "live_symbols" }, live.symbols.length);
    },
  });
  new Gauge({
    name: "exchange_graph_shared_streams",
    help: "Accounts and symbols whose streams are shared with other replicas, by the role of this one: LEADING subscribes at the exchange for all, FOLLOWING reads from the leader, ALONE subscribes for itself, JOINING has no role yet",
    labelNames: ["part"],
    registers: [registry],
    collect() {
      const { shared } = streams.gauges();
      for (const part of PARTS) this.set({ part }, shared.get(part) ?? 0);
    },
  });
  new Counter({
    name: "exchange_graph_live_reads_total",
    help: "Reads of streamed data: answered from live state without a call, or missed because it was not live",
    labelNames: ["stream", "outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { kind, answered, missed } of streams.gauges().live.counts) {
        this.inc({ stream: kind, outcome: "answered" }, answered);
        this.inc({ stream: kind, outcome: "missed" }, missed);
      }
    },
  });
}
