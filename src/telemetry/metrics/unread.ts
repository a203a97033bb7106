import { Counter, type Registry } from "prom-client";

/** More places than the contract has: what came after that many is counted together. */
const MAX_PLACES = 2_000;
const OTHER = "(other)";

/** What the exchange sent and could not be read, or belonged to nobody. The labels are the contract's names. */
export class UnreadMetrics {
  readonly #places = new Set<string>();
  readonly #unread: Counter<"source" | "field">;
  readonly #unplaced: Counter<"channel">;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#unread = new Counter({
      name: "exchange_graph_unread_total",
      help: "Rows and answers of the exchange that could not be read, by endpoint or channel and field",
      labelNames: ["source", "field"],
      registers,
    });
    this.#unplaced = new Counter({
      name: "exchange_graph_unplaced_pushes_total",
      help: "Pushes of the exchange that belong to no subscription, by channel",
      labelNames: ["channel"],
      registers,
    });
  }

  unread(source: string, field: string): void {
    this.#unread.inc(this.#isPlace(`${source} ${field}`) ? { source, field } : { source: OTHER, field: OTHER });
  }

  unplaced(channel: string): void {
    this.#unplaced.inc({ channel });
  }

  #isPlace(place: string): boolean {
    if (this.#places.size < MAX_PLACES) this.#places.add(place);
    return this.#places.has(place);
  }
}
