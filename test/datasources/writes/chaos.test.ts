import type { FaultRule } from "@exchange-graph/sandbox/control/faults";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Neighbours } from "../../../src/datasources/calls/scheduler/neighbours.js";
import { Fault } from "../../../src/datasources/index.js";
import type { JournalEntry } from "../../../src/datasources/writes/journal/entry.js";
import { ordersNamed, place, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

/** Orders of the longer run; the shorter one has two fifths of them. */
const ORDERS = Number.parseInt(process.env.CHAOS_ORDERS ?? "200", 10);
/** Some requests arrive after we have given them up; each keeps its slot for half a minute, so that fewer orders can leave. */
const LATE = { orders: ORDERS, everyMs: 300, delaysMs: [700, 12_000, 28_000], delayed: 0.03 };
const IN_TIME = { orders: Math.floor((ORDERS * 2) / 5), everyMs: 100, delaysMs: [700, 1_500, 2_000], delayed: 0.07 };
/** Two accounts on both API versions, each with its own rate budget. */
const MARKETS = [
  { account: "main", category: "SPOT", endpoint: "placeOrder" },
  { account: "classic", category: "SPOT", endpoint: "classicPlaceSpotOrder" },
  { account: "classic", category: "USDT-FUTURES", endpoint: "classicPlaceFuturesOrder" },
] as const;
const LOOK_UPS = ["orderInfo", "classicSpotOrderInfo", "classicFuturesOrderDetail"];

/** Besides delays everything that can happen to an answer, before the effect and after it. Together they strike more than half. */
const FAULTS: readonly FaultRule["fault"][] = [
  { kind: "reset" },
  { kind: "lost-reply" },
  { kind: "truncated-body" },
  { kind: "empty-body" },
  { kind: "answer", status: 500 },
  { kind: "answer", status: 502, body: "<html>Bad gateway</html>" },
  { kind: "answer", status: 503, body: "", when: "after" },
  { kind: "answer", status: 400, code: "40010", when: "after" },
];

/** Rare, because it counts as another process at the same limit, which leaves less of it for the orders after it. */
const TOO_MANY: FaultRule["fault"] = { kind: "answer", status: 429, body: "<html>Too many requests</html>", when: "after" };

let live: LiveExchange;
beforeEach(async () => {
  // The injected 429s look like other processes at the same limits; there are none, so nothing is left for them.
  vi.spyOn(Neighbours.prototype, "share").mockReturnValue(1);
  live = await startLiveExchange({ deadlineMs: 10_000 }, { seed: "chaos" });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await live.close();
});

describe("orders while the exchange loses, delays, resets, truncates and fails", () => {
  it.each([
    ["delayed past their deadlines", LATE],
    ["answered late but in time", IN_TIME],
  ])(
    "each end accepted or rejected in agreement with the ledger within a minute, none twice, none lost, none wrong: %s",
    async (_, { orders: total, everyMs, delaysMs, delayed }) => {
      const random = randomOf("chaos orders");
      const outcomes = new Map<string, string>();
      let unsent = 0;
      for (const { endpoint } of MARKETS) {
        for (const fault of FAULTS) live.sandbox.faults.add({ endpoint, fault, probability: 0.07 });
        live.sandbox.faults.add({ endpoint, fault: TOO_MANY, probability: 0.004 });
        for (const delayMs of delaysMs)
          live.sandbox.faults.add({ endpoint, fault: { kind: "latency", delayMs }, probability: delayed });
      }
      for (const endpoint of LOOK_UPS) live.sandbox.faults.add({ endpoint, fault: { kind: "lost-reply" }, probability: 0.1 });

      const one = async (at: number) => {
        const { account, category } = MARKETS[at % MARKETS.length] ?? MARKETS[0];
        const clientOid = `chaos-${at}`;
        const qty = `0.00${1 + Math.floor((random.next() / 0x1_0000_0000) * 8)}`;
        try {
          const { outcome } = await place(live, resting(clientOid, { category, qty, price: "62000" }), account);
          outcomes.set(clientOid, outcome ?? "none");
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          unsent++;
          outcomes.set(clientOid, "UNSENT");
        }
      };
      const running: Promise<void>[] = [];
      for (let at = 0; at < total; at++) {
        running.push(one(at));
        await live.pass(everyMs);
      }
      await live.during(Promise.all(running));
      const lastEnd = live.clock.now();
      const { journal } = live.exchange.writes;
      while ((await journal.open()).length > 0 && live.clock.now() - lastEnd < 60_000) await live.pass(250);

      const wrong: string[] = [];
      const count = { ACCEPTED: 0, REJECTED: 0 };
      let slowest = 0;
      for (let at = 0; at < total; at++) {
        const clientOid = `chaos-${at}`;
        const { account } = MARKETS[at % MARKETS.length] ?? MARKETS[0];
        const orders = ordersNamed(live, clientOid, account);
        const entry: JournalEntry | undefined = await journal.find(UID[account], clientOid);
        if (entry === undefined) {
          if (outcomes.get(clientOid) !== "UNSENT" || orders.length > 0) wrong.push(`${clientOid} has no entry`);
          continue;
        }
        slowest = Math.max(slowest, (entry.settledAt ?? Number.POSITIVE_INFINITY) - entry.sentAt);
        if (entry.state !== "ACCEPTED" && entry.state !== "REJECTED") wrong.push(`${clientOid} is ${entry.state}`);
        else count[entry.state]++;
        if (orders.length !== (entry.state === "ACCEPTED" ? 1 : 0)) wrong.push(`${clientOid} ${entry.state}: ${orders.length}`);
        const reported = outcomes.get(clientOid);
        if (reported !== "UNKNOWN" && reported !== entry.state)
          wrong.push(`${clientOid} was reported as ${reported}, is ${entry.state}`);
      }
      expect(wrong).toEqual([]);
      expect(slowest).toBeLessThan(60_000);
      expect(unsent).toBe(0);
      const calls = MARKETS.map(({ endpoint }) => live.sandbox.calls.of(endpoint).total);
      expect(calls.reduce((sum, count) => sum + count)).toBe(total);
      expect(live.sandbox.limits.violations).toBe(0);
      expect(Math.min(count.ACCEPTED, count.REJECTED)).toBeGreaterThan(total / 10);
    },
    120_000,
  );
});
