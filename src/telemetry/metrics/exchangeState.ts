import type { Registry } from "prom-client";
import type { BucketState } from "../../datasources/calls/index.js";
import type { DataSource } from "../../datasources/index.js";
import { collectedIn, labelled } from "./collected.js";

/** State of the connection to the exchange, collected at each scrape. Accounts are not labels. */
export function exchangeState(registry: Registry, exchange: DataSource): void {
  const { scheduler, reader, cache, clock, writes, keys } = exchange;
  const { gauge, gauges, counters } = collectedIn(registry);
  gauges(
    "exchange_graph_budget_used_ratio",
    "Share of a rate limit that is in use; the maximum over accounts; (all): the limit of all calls",
    ["endpoint"],
    () => byEndpoint(scheduler, ({ limit, left }) => (limit - left) / limit, Math.max),
  );
  gauge(
    "exchange_graph_budget_share",
    "Share of the rate limits that this gateway uses; below 1 if another client uses the same; the minimum over accounts",
    () => Math.min(1, ...scheduler.neighbours.shared().map(({ share }) => share)),
  );
  gauges(
    "exchange_graph_queue_length",
    "Calls that wait for rate budget, over all accounts; (all): those that wait for the limit per address",
    ["endpoint"],
    () => byEndpoint(scheduler, ({ waiting }) => waiting, sum),
  );
  gauges(
    "exchange_graph_breaker",
    "Circuit breakers that are OPEN or HALF_OPEN, per endpoint: one for all of a public endpoint, one per account of a private one",
    ["endpoint", "state"],
    () => reader.breakers().map(({ endpoint, state }) => [{ endpoint, state }, 1]),
  );
  counters("exchange_graph_cache_reads_total", "Reads of cacheable answers by result: hit or miss", ["result"], () => {
    const { hits, misses } = cache.counts;
    return labelled("result", Object.entries({ hit: hits, miss: misses }));
  });
  gauge(
    "exchange_graph_halted_accounts",
    "Accounts whose trading is halted, by name or by a halt of all accounts",
    () => exchange.accounts.filter((account) => writes.halts.of(account) !== undefined).length,
  );
  counters(
    "exchange_graph_limit_refusals_total",
    "Trading limits that writes would have exceeded, by limit: category, symbol, price, rate, order, open or day",
    ["limit"],
    () => labelled("limit", writes.limits.breaches),
  );
  gauge(
    "exchange_graph_unlimited_accounts",
    "Accounts that had trading limits and have none any more",
    () => writes.limits.inForce.unlimited.length,
  );
  gauge(
    "exchange_graph_journal_writable",
    "1 while the journal of writes can be written, 0 while it is full, locked, replaced or not reachable and writes that may add risk are refused",
    () => (writes.journal.state.unavailable === undefined ? 1 : 0),
  );
  gauge(
    "exchange_graph_journal_kept_ends",
    "Outcomes of writes that are kept in memory until the journal can be written again",
    () => writes.journal.state.kept,
  );
  gauge(
    "exchange_graph_clock_offset_seconds",
    "The exchange's clock minus the gateway's; 0 before its first answer",
    () => clock.offsetMs / 1_000,
  );
  gauge(
    "exchange_graph_clock_contradiction_seconds",
    "By how much the exchange's answers contradict its time, or by how much it has jumped ahead within the last day; 0 if neither",
    () => (clock.contradictionMs ?? clock.aheadMs) / 1_000,
  );
  gauge("exchange_graph_refused_keys", "Accounts whose key the exchange refuses", () => keys.refused.length);
}

const sum = (a: number, b: number): number => a + b;

function byEndpoint(
  scheduler: DataSource["scheduler"],
  value: (bucket: BucketState) => number,
  join: (a: number, b: number) => number,
) {
  const values = new Map<string, number>();
  for (const bucket of [scheduler.overall(), ...scheduler.buckets()])
    values.set(bucket.endpoint, join(values.get(bucket.endpoint) ?? 0, value(bucket)));
  return labelled("endpoint", values);
}
