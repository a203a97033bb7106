import type { Registry } from "prom-client";
import type { Streams } from "../../datasources/streams/index.js";
import { collectedIn, labelled } from "./collected.js";

const PARTS = ["LEADING", "FOLLOWING", "ALONE", "JOINING"] as const;

/** Metrics of streams to the exchange. */
export function streamState(registry: Registry, streams: Streams): void {
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
