import { Counter, Gauge, type Registry } from "prom-client";
import type { DeliveryCounts } from "../../engine/subscriptions/member.js";
import type { Subscriptions } from "../../transports/subscriptions.js";

/** What leaves for the listeners of subscriptions. Counted hundreds of thousands of times a second, and read now and then. */
export class DeliveryMetrics implements DeliveryCounts {
  readonly #counts = { delivered: 0, missed: 0, cut: 0 };

  constructor(registry: Registry) {
    const counts = this.#counts;
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

  delivered(messages: number): void {
    this.#counts.delivered += messages;
  }
  missed(events: number): void {
    this.#counts.missed += events;
  }
  closedSlow(): void {
    this.#counts.cut++;
  }
}

/** How many listen here. */
export function listenerState(registry: Registry, subscriptions: Pick<Subscriptions, "fanOut" | "connections">): void {
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
