import { Counter, Gauge, type Registry } from "prom-client";
import { DIFFERENCE_KINDS } from "../../datasources/history/index.js";
import { type Instrumentation, listen } from "../../instrumentation/instrumentation.js";

export function historyMetrics(registry: Registry, events: Instrumentation): void {
  const points = new Counter({
    name: "exchange_graph_history_points_total",
    help: "Intervals of accounts by result: recorded, gap (the account's state was not proven), or rebuilt from before the first record",
    labelNames: ["result"],
    registers: [registry],
  });
  for (const result of ["recorded", "gap", "rebuilt"]) points.inc({ result }, 0);
  const failures = new Counter({
    name: "exchange_graph_history_failures_total",
    help: "Attempts to record accounts, or to read changes of their balances, that failed; they are repeated",
    registers: [registry],
  });
  const gaps = new Gauge({
    name: "exchange_graph_history_gaps",
    help: "Accounts of which this replica could not record the last interval",
    registers: [registry],
  });
  const days = new Counter({
    name: "exchange_graph_reconciled_days_total",
    help: "Days of accounts that were compared with the exchange, by result: equal, different, or unchecked (in part)",
    labelNames: ["result"],
    registers: [registry],
  });
  for (const result of ["equal", "different", "unchecked"]) days.inc({ result }, 0);
  const differences = new Counter({
    name: "exchange_graph_reconciliation_differences_total",
    help: "Differences between journal, executions, records and balances of a day, by kind",
    labelNames: ["kind"],
    registers: [registry],
  });
  for (const kind of DIFFERENCE_KINDS) differences.inc({ kind }, 0);
  listen(events, events.history, (event) => {
    if (event.kind === "failed") failures.inc();
    if (event.kind === "rebuilt") points.inc({ result: "rebuilt" }, event.points);
    if (event.kind === "reconciled") {
      days.inc({ result: event.differences.length > 0 ? "different" : event.unchecked.length > 0 ? "unchecked" : "equal" });
      for (const { kind } of event.differences) differences.inc({ kind });
    }
    if (event.kind !== "recorded") return;
    gaps.set(event.gaps);
    points.inc({ result: "recorded" }, event.points);
    points.inc({ result: "gap" }, event.gaps);
  });
}
