import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { historyMetrics } from "../../../src/telemetry/metrics/history.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";

it("counts reconciled days and differences by kind, and shows the gaps of the last interval only", async () => {
  const [registry, events] = [new Registry(), ownInstrumentation()];
  historyMetrics(registry, events);
  const day = { kind: "reconciled", account: "main", day: "2026-01-02", differences: [], unchecked: [] } as const;
  events.history.publish(day);
  events.history.publish({ ...day, unchecked: ["fills: UNREADABLE"] });
  events.history.publish({ ...day, unchecked: ["fills: UNREADABLE"], differences: [{ kind: "ORDER_MISSING" }] });
  events.history.publish({ kind: "recorded", points: 1, gaps: 2 });
  events.history.publish({ kind: "recorded", points: 2, gaps: 1 });
  const lines = (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines).toEqual(
    expect.arrayContaining([
      'exchange_graph_reconciled_days_total{result="equal"} 1',
      'exchange_graph_reconciled_days_total{result="unchecked"} 1',
      'exchange_graph_reconciled_days_total{result="different"} 1',
      'exchange_graph_reconciliation_differences_total{kind="ORDER_MISSING"} 1',
      'exchange_graph_reconciliation_differences_total{kind="BALANCE_UNEXPLAINED"} 0',
      'exchange_graph_history_points_total{result="gap"} 3',
      "exchange_graph_history_gaps 1",
    ]),
  );
});
