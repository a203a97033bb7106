import { Counter, type Registry } from "prom-client";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";

/** More places than the contract has: what came after that many is counted together. */
const MAX_PLACES = 2_000;
const OTHER = "(other)";

/** What the exchange sent and could not be read, or belonged to nobody. The labels are the contract's names. */
export function unreadMetrics(registry: Registry, events: Instrumentation): void {
  const registers = [registry];
  const places = new Set<string>();
  const unread = new Counter({
    name: "exchange_graph_unread_total",
    help: "Rows and answers of the exchange that could not be read, by endpoint or channel and field",
    labelNames: ["source", "field"],
    registers,
  });
  const unplaced = new Counter({
    name: "exchange_graph_unplaced_pushes_total",
    help: "Pushes of the exchange that belong to no subscription, by channel",
    labelNames: ["channel"],
    registers,
  });
  listen(events, events.unread, ({ source, error: { field } }) => {
    if (places.size < MAX_PLACES) places.add(`${source} ${field}`);
    unread.inc(places.has(`${source} ${field}`) ? { source, field } : { source: OTHER, field: OTHER });
  });
  listen(events, events.unplacedPush, ({ channel = "(none)" }) => unplaced.inc({ channel }));
}
