import { Counter, Gauge, type Registry } from "prom-client";
import type { BucketState } from "../../datasources/calls/index.js";
import type { DataSource } from "../../datasources/index.js";

/** State of the connection to the exchange, collected at each scrape. Accounts are not labels. */
export function exchangeState(registry: Registry, exchange: DataSource): void {
  const { scheduler, reader, cache, clock, writes, keys } = exchange;
  const registers = [registry];
  new Gauge({
    name: "exchange_graph_budget_used_ratio",
    help: "Share of a rate limit that is in use; the maximum over accounts; (all): the limit of all calls",
    labelNames: ["endpoint"],
    registers,
    collect() {
      setAll(
        this,
        byEndpoint(scheduler, ({ limit, left }) => (limit - left) / limit, Math.max),
      );
    },
  });
  new Gauge({
    name: "exchange_graph_budget_share",
    help: "Share of the rate limits that this gateway uses; below 1 if another client uses the same; the minimum over accounts",
    registers,
    collect() {
      this.set(Math.min(1, ...scheduler.neighbours.shared().map(({ share }) => share)));
    },
  });
  new Gauge({
    name: "exchange_graph_queue_length",
    help: "Calls that wait for rate budget, over all accounts; (all): those that wait for the limit per address",
    labelNames: ["endpoint"],
    registers,
    collect() {
      setAll(
        this,
        byEndpoint(scheduler, ({ waiting }) => waiting, sum),
      );
    },
  });
  new Gauge({
    name: "exchange_graph_breaker",
    help: "Circuit breakers that are OPEN or HALF_OPEN, per endpoint: one for all of a public endpoint, one per account of a private one",
    labelNames: ["endpoint", "state"],
    registers,
    collect() {
      this.reset();
      for (const { endpoint, state } of reader.breakers()) this.inc({ endpoint, state });
    },
  });
  new Counter({
    name: "exchange_graph_cache_reads_total",
    help: "Reads of cacheable answers by result: hit or miss",
    labelNames: ["result"],
    registers,
    collect() {
      const { hits, misses } = cache.counts;
      this.reset();
      this.inc({ result: "hit" }, hits);
      this.inc({ result: "miss" }, misses);
    },
  });
  new Gauge({
    name: "exchange_graph_halted_accounts",
    help: "Accounts whose trading is halted, by name or by a halt of all accounts",
    registers,
    collect() {
      this.set(exchange.accounts.filter((account) => writes.halts.of(account) !== undefined).length);
    },
  });
  new Counter({
    name: "exchange_graph_limit_refusals_total",
    help: "Trading limits that writes would have exceeded, by limit: category, symbol, price, rate, order, open or day",
    labelNames: ["limit"],
    registers,
    collect() {
      this.reset();
      for (const [limit, refusals] of writes.limits.breaches) this.inc({ limit }, refusals);
    },
  });
  new Gauge({
    name: "exchange_graph_unlimited_accounts",
    help: "Accounts that had trading limits and have none any more",
    registers,
    collect() {
      this.set(writes.limits.inForce.unlimited.length);
    },
  });
  new Gauge({
    name: "exchange_graph_journal_writable",
    help: "1 while the journal of writes can be written, 0 while it is full, locked, replaced or not reachable and writes that may add risk are refused",
    registers,
    collect() {
      this.set(writes.journal.state.unavailable === undefined ? 1 : 0);
    },
  });
  new Gauge({
    name: "exchange_graph_journal_kept_ends",
    help: "Outcomes of writes that are kept in memory until the journal can be written again",
    registers,
    collect() {
      this.set(writes.journal.state.kept);
    },
  });
  new Gauge({
    name: "exchange_graph_clock_offset_seconds",
    help: "The exchange's clock minus the gateway's; 0 before its first answer",
    registers,
    collect() {
      this.set(clock.offsetMs / 1_000);
    },
  });
  new Gauge({
    name: "exchange_graph_clock_contradiction_seconds",
    help: "By how much the exchange's answers contradict its time, or by how much it has jumped ahead within the last day; 0 if neither",
    registers,
    collect() {
      this.set((clock.contradictionMs ?? clock.aheadMs) / 1_000);
    },
  });
  new Gauge({
    name: "exchange_graph_refused_keys",
    help: "Accounts whose key the exchange refuses",
    registers,
    collect() {
      this.set(keys.refused.length);
    },
  });
}

const sum = (a: number, b: number): number => a + b;

function byEndpoint(
  scheduler: DataSource["scheduler"],
  value: (bucket: BucketState) => number,
  join: (a: number, b: number) => number,
): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const bucket of [scheduler.overall(), ...scheduler.buckets()])
    values.set(bucket.endpoint, join(values.get(bucket.endpoint) ?? 0, value(bucket)));
  return values;
}

function setAll(gauge: Gauge<"endpoint">, values: ReadonlyMap<string, number>): void {
  gauge.reset();
  for (const [endpoint, value] of values) gauge.set({ endpoint }, value);
}
