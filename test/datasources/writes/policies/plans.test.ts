import { classicOpenPlanOrders, openPlanOrders } from "@exchange-graph/contract/planReads";
import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../../../src/datasources/writes/journal/journalEntry.js";
import { cancelStrategyOrderPolicy, classicCancelPlanOrdersPolicy } from "../../../../src/datasources/writes/policies/plans.js";
import type { LookUp } from "../../../../src/datasources/writes/policies/policy.js";

const plan = { orderId: "7", clientOid: "mine", status: null, triggeredExit: null, createdTime: 1 };

/** An exchange that has these plans, as far as its first page of each list goes. */
const showing = (waiting: readonly object[], past: readonly object[]): LookUp => ({
  read: async (endpoint) => {
    const waits = endpoint.name === openPlanOrders.name || endpoint.name === classicOpenPlanOrders.name;
    return { list: waits ? waiting : past } as never;
  },
});

const traces = { entry: {} as JournalEntry, refusedAt: undefined, others: async () => [], since: async () => [] };
const CANCELS: readonly (readonly [string, (lookUp: LookUp) => unknown])[] = [
  ["unified", (lookUp) => cancelStrategyOrderPolicy.proof?.look(lookUp, { values: { orderId: "7" }, ...traces })],
  [
    "Classic",
    (lookUp) => {
      const values = { productType: "USDT-FUTURES", planType: "profit_loss", orderIdList: [{ orderId: "7" }] } as const;
      return classicCancelPlanOrdersPolicy.proof?.look(lookUp, { values, ...traces });
    },
  ],
];

describe.each(CANCELS)("a lost cancel of a %s plan", (_, look) => {
  it("has had no effect as long as the plan waits", async () => {
    expect(await look(showing([plan], []))).toBe("no trace");
  });

  it("has taken effect when the trigger order is in the history, but not when that was triggered", async () => {
    expect(await look(showing([], [plan]))).toEqual({ accepted: { orderId: "7", clientOid: "mine" } });
    expect(await look(showing([], [{ ...plan, triggeredExit: "takeProfit" }]))).toMatchObject({ rejected: "EXCHANGE_REJECTED" });
  });

  it("is not concluded to be without effect when the trigger order is not found: the history has more than its first page", async () => {
    expect(await look(showing([], [{ ...plan, orderId: "8" }]))).toBe("undecidable");
  });
});
