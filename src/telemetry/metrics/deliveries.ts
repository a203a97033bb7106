import { Counter, Gauge, type Registry } from "prom-client";
import type { Subscriptions } from "../../transports/subscriptions.js";

/** What leaves for the listeners of subscriptions. */
function deliveries(registry: Registry, { counts }: Subscriptions["fanOut"]): void {
  new Counter({
    name: "exchange_graph_stream_messages_total",
    help: "Events for listeners by result: delivered, missed (merged into a newer one), or cut (the socket of a slow reader was closed)",
    labelNames: ["result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [result, count] of Object.entries(counts)) this.inc({ result }, count);
    },
  });
}

/** How many listen here, and what they are sent. */
export function listenerState(registry: Registry, subscriptions: Pick<Subscriptions, "fanOut" | "connections">): void {
  deliveries(registry, subscriptions.fanOut);
  new Gauge({
    name: "exchange_graph_subscriptions",
    help: "What is open for listeners: sockets, listeners, and groups of listeners that share one execution",
    labelNames: ["what"],
    registers: [registry],
    collect() {
      this.set({ what: "sockets" }, subscriptions.connections);
      this.set({ what: "listeners" }, subscriptions.fanOut.listeners);
      this.set({ what: "groups" }, subscriptions.fanOut.groups);
    },
  });
}
