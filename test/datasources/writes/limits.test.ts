import { exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { afterEach, describe, expect, it } from "vitest";
import type { LimitBook, TradingLimits } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { modifyOrder } from "../../../src/datasources/writes/mutations/modifyOrder.js";
import { type PlaceOrderInput, placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { writesOn } from "../../support/writesOn.js";
import { place, resting } from "./support/limitOrder.js";
import { type AccountName, type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

let live: LiveExchange;
afterEach(() => live.close());

const start = async (limits: Partial<LimitBook>) => {
  live = await startLiveExchange({ limits: { accounts: new Map(), clients: new Map(), ...limits } });
  await live.identified();
};
const forMain = (limits: TradingLimits) => start({ accounts: new Map([["main", limits]]) });
const btc = (most: string) => ({ coins: new Map([["BTC", most]]) });
const money = (value: string) => ({ value, coins: new Map<string, string>() });

/** What is said of an order, or its outcome. */
const said = async (input: PlaceOrderInput, account: AccountName = "main", who?: string) => {
  const reads = writesOn(live.exchange, who === undefined ? undefined : { who, leaving: () => undefined });
  const { outcome, problems } = await live.during(placeOrder(reads, live.account(account), input));
  return problems.map(({ code, field, message }) => `${code} ${field}: ${message}`)[0] ?? outcome;
};
const open = () => [...live.sandbox.world.state.orders.open(UID.main)].length;

describe("a limit per order", () => {
  it("in coin holds, in dry runs too, and for its account alone", async () => {
    await start({ accounts: new Map([["main", { order: btc("0.5") }]]) });
    const broken =
      "LIMIT_EXCEEDED qty: qty must keep within 0.5 BTC in one order (accounts.main.order.coins.BTC): this is 0.50001";
    expect(await said(resting("large", { qty: "0.50001" }))).toBe(broken);
    expect(await said(resting("large", { qty: "0.50001", dryRun: true }))).toBe(broken);
    expect(await said(resting("exact", { qty: "0.5" }))).toBe("ACCEPTED");
    expect(await said(resting("elsewhere", { qty: "0.50001" }), "classic")).toBe("ACCEPTED");
  });

  it("in money counts a limit order at its price, a sell at the market if that is more, and quote coin as it is", async () => {
    await forMain({ order: money("1000") });
    expect(await said(resting("a", { qty: "0.02", price: "50000" }))).toBe("ACCEPTED");
    expect(await said(resting("b", { qty: "0.02", price: "50001" }))).toContain(
      "within 1000 USDT in one order (accounts.main.order.value): this is 1000.02",
    );
    const spent = { orderType: "market", qty: null, price: null } as const;
    expect(await said(resting("c", { ...spent, quoteQty: "1001" }))).toContain("quoteQty must keep within 1000 USDT");
    expect(await said(resting("d", { ...spent, quoteQty: "999" }))).toBe("ACCEPTED");
    expect(await said(resting("e", { side: "sell", qty: "0.05", price: "19000" }))).toMatch(/LIMIT_EXCEEDED|BAD_USER_INPUT/);
  });

  it("applies in every category, and refuses 99,999,999 BTC in a dry run", async () => {
    await forMain({ order: btc("1") });
    for (const category of ["SPOT", "MARGIN", "USDT-FUTURES"] as const)
      expect(await said(resting("x", { category, qty: "2", dryRun: true }))).toMatch(/^LIMIT_EXCEEDED qty|^BAD_USER_INPUT qty/);
  });
});

describe("a limit per day", () => {
  it("cannot be passed by fifty orders at once, and what was rejected is free again", async () => {
    await forMain({ day: btc("0.010") });
    const names = Array.from({ length: 50 }, (_, at) => `race-${at}`);
    const results = await live.during(Promise.all(names.map((name) => place(live, resting(name)))));
    const accepted = results.filter(({ outcome }) => outcome === "ACCEPTED");
    expect([accepted.length, open()]).toEqual([10, 10]);
    expect(new Set(results.flatMap(({ problems }) => problems.map(({ code }) => code)))).toEqual(new Set(["LIMIT_EXCEEDED"]));
  });

  it("gives back what the exchange has refused, and keeps what is in doubt", async () => {
    await forMain({ day: btc("0.001") });
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "answer", status: 400, code: "25202" }, times: 1 });
    expect(await said(resting("refused"))).toContain("INSUFFICIENT_BALANCE");
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "reset" }, times: 1 });
    expect(await said(resting("in-doubt"))).toContain("EXCHANGE_UNAVAILABLE");
    expect(await said(resting("third"))).toContain("0.001 are used, and this adds 0.001");
    await live.pass(60_000);
    expect(await said(resting("third"))).toBe("ACCEPTED");
  });

  it("starts again at midnight, UTC", async () => {
    await forMain({ day: btc("0.001") });
    expect(await said(resting("today"))).toBe("ACCEPTED");
    expect(await said(resting("more"))).toContain("on one day (UTC) (accounts.main.day.coins.BTC)");
    live.clock.advance(12 * 3_600_000);
    expect(await said(resting("tomorrow"))).toBe("ACCEPTED");
  });

  it("counts of a change what it adds", async () => {
    await forMain({ day: btc("0.003") });
    await said(resting("changed", { qty: "0.002" }));
    const change = (qty: string, price?: string) =>
      live.during(
        modifyOrder(live.writes(), live.account("main"), {
          category: "SPOT",
          symbol: "BTCUSDT",
          clientOid: "changed",
          qty,
          price,
        }),
      );
    expect((await change("0.004")).problems[0]?.message).toContain("0.002 are used, and this adds 0.002");
    expect((await change("0.003")).outcome).toBe("ACCEPTED");
    expect((await change("0.003", "59999")).outcome).toBe("ACCEPTED");
    expect(await said(resting("another"))).toContain("0.003 are used, and this adds 0.001");
  });
});

describe("a limit on what is open", () => {
  it("cannot be passed at once either, and is free again when orders have gone", async () => {
    await forMain({ open: btc("0.005") });
    const names = Array.from({ length: 50 }, (_, at) => `open-${at}`);
    const results = await live.during(Promise.all(names.map((name) => place(live, resting(name)))));
    expect([results.filter(({ outcome }) => outcome === "ACCEPTED").length, open()]).toEqual([5, 5]);
    await live.pass(6_000);
    expect(await said(resting("still"))).toContain("within 0.005 BTC open (accounts.main.open.coins.BTC): 0.005 are used");
    for (const order of [...live.sandbox.world.state.orders.open(UID.main)]) await cancel(order.orderId);
    expect(await said(resting("again"))).toBe("ACCEPTED");
  });

  it("counts positions, and never prevents closing them", async () => {
    const long = { category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market", price: null } as const;
    await forMain({ open: btc("0.01") });
    expect(await said(resting("long", { ...long, qty: "0.01" }))).toBe("ACCEPTED");
    await live.pass(6_000);
    expect(await said(resting("longer", { ...long, qty: "0.001" }))).toContain("0.01 are used, and this adds 0.001");
    expect(await said(resting("close", { ...long, side: "sell", qty: "0.01", reduceOnly: true }))).toBe("ACCEPTED");
  });

  it("of a client counts that client's orders alone", async () => {
    await start({ clients: new Map([["*", { open: btc("0.001") }]]) });
    expect(await said(resting("alices"), "main", "token:alice")).toBe("ACCEPTED");
    expect(await said(resting("bobs"), "main", "token:bob")).toBe("ACCEPTED");
    await live.pass(6_000);
    expect(await said(resting("more"), "main", "token:alice")).toContain("(clients.*.open.coins.BTC): 0.001 are used");
  });
});

describe("what else is limited", () => {
  it("symbols and categories", async () => {
    await forMain({ symbols: new Set(["ETHUSDT"]), categories: new Set(["USDT-FUTURES"]) });
    expect(await said(resting("x"))).toBe(
      "LIMIT_EXCEEDED category: category must be one of USDT_FUTURES (accounts.main.categories)",
    );
    const futures = { category: "USDT-FUTURES", qty: "0.01" } as const;
    expect(await said(resting("x", futures))).toBe(
      "LIMIT_EXCEEDED symbol: symbol must be one of ETHUSDT (accounts.main.symbols)",
    );
  });

  it("prices on both sides of the market, of orders and of changes", async () => {
    await forMain({ priceBand: "0.01" });
    const lastPrice = (await live.during(live.reads().loaders.ticker("SPOT", "BTCUSDT")))?.lastPrice ?? "0";
    const at = (factor: string) => plain(truncated(exact(lastPrice).times(factor), 0));
    const bounds = ["0.99", "1.01"].map((factor) => plain(exact(lastPrice).times(factor))).join(" to ");
    const refused = `LIMIT_EXCEEDED price: price must be within 1 % of the last price ${lastPrice}, from ${bounds} (accounts.main.priceBand)`;
    for (const side of ["buy", "sell"] as const)
      for (const factor of ["0.98", "1.02"])
        expect(await said(resting("far", { side, qty: "0.0001", price: at(factor) }))).toBe(refused);
    expect(await said(resting("near", { qty: "0.001", price: at("0.995") }))).toBe("ACCEPTED");
    const change = async (more: { readonly price?: string; readonly qty?: string }) => {
      const input = { category: "SPOT", symbol: "BTCUSDT", clientOid: "near", ...more } as const;
      const { outcome, problems } = await live.during(modifyOrder(live.writes(), live.account("main"), input));
      return problems.map(({ code, field, message }) => `${code} ${field}: ${message}`)[0] ?? outcome;
    };
    expect(await change({ price: at("0.98"), qty: "0.001" })).toBe(refused);
    expect(await change({ price: at("0.996"), qty: "0.001" })).toBe("ACCEPTED");
    await live.during(cancelOrder(live.writes(), live.account("main"), { category: "SPOT", clientOid: "near" }));
  });

  it("prices of what waits for a trigger by that trigger", async () => {
    await start({ accounts: new Map([["classic", { priceBand: "0.01" }]]) });
    const waits = { clientOid: null, triggerPrice: "30000" };
    expect(await said(resting("", { ...waits, price: "30300" }), "classic")).toBe("ACCEPTED");
    expect(await said(resting("", { ...waits, price: "30301" }), "classic")).toContain("within 1 % of the trigger price 30000");
  });

  it("orders per second, retryable", async () => {
    await start({ clients: new Map([["token:fast", { ordersPerSecond: 2 }]]) });
    const reads = () => writesOn(live.exchange, { who: "token:fast", leaving: () => undefined });
    const many = await live.during(
      Promise.all([1, 2, 3, 4].map((at) => placeOrder(reads(), live.account("main"), resting(`fast-${at}`)))),
    );
    expect(many.map(({ outcome }) => outcome).sort()).toEqual(["ACCEPTED", "ACCEPTED", "REJECTED", "REJECTED"]);
    expect(many.find(({ outcome }) => outcome === "REJECTED")?.problems[0]).toMatchObject({
      code: "LIMIT_EXCEEDED",
      retryable: true,
    });
    await live.pass(1_100);
    expect(await said(resting("later"), "main", "token:fast")).toBe("ACCEPTED");
  });
});

async function cancel(orderId: string): Promise<void> {
  await live.during(cancelOrder(live.writes(), live.account("main"), { category: "SPOT", orderId }));
}

describe("after a restart", () => {
  const newFile = temporaryFiles();
  const restarting = async (limits: TradingLimits) => {
    const book = { accounts: new Map([["main", limits]]), clients: new Map([["token:alice", limits]]) };
    live = await startLiveExchange({ limits: book, journalPath: newFile() });
  };

  it("a day goes on with what it has used, and what is in doubt is used", async () => {
    await restarting({ day: btc("0.003") });
    expect(await said(resting("before"), "main", "token:alice")).toBe("ACCEPTED");
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "reset" }, times: 1 });
    live.sandbox.faults.add({ endpoint: "orderInfo", fault: { kind: "reset" } });
    expect(await said(resting("in-doubt"), "main", "token:alice")).toContain("EXCHANGE_");
    await live.restart();
    expect(await said(resting("two", { qty: "0.002", dryRun: true }))).toContain("0.002 are used, and this adds 0.002");
    expect(await said(resting("one", { dryRun: true }))).toBe(null);
    expect(await said(resting("alices", { qty: "0.002", dryRun: true }), "classic", "token:alice")).toContain(
      "(clients.token:alice.day.coins.BTC): 0.002 are used",
    );
    live.sandbox.faults.clear();
    await live.pass(60_000);
    expect(await said(resting("two", { qty: "0.002" }))).toBe("ACCEPTED");
  });
});
