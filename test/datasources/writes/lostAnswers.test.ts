import { plain } from "@exchange-graph/contract/decimal";
import type { FaultRule } from "@exchange-graph/sandbox/control/faults";
import { afterEach, describe, expect, it } from "vitest";
import { placeTpslOrder } from "../../../src/datasources/writes/mutations/placeTpslOrder.js";
import { startedOnce } from "../../support/started.js";
import { ordersNamed, place, resting } from "./support/limitOrder.js";
import { startLiveExchange, UID } from "./support/liveExchange.js";

const live = startedOnce(() => startLiveExchange());
afterEach(async () => {
  live.sandbox.faults.clear();
  await live.pass(1_000);
  live.sandbox.calls.clear();
});

const strike = (fault: FaultRule["fault"]) => live.sandbox.faults.add({ endpoint: "placeOrder", fault, times: 1 });
/** Until the rule is removed no look-up is answered. */
const silenceLookUps = () => live.sandbox.faults.add({ endpoint: "orderInfo", fault: { kind: "reset" } });

const sent = () => live.sandbox.calls.of("placeOrder").total;

const BEFORE: readonly (readonly [string, FaultRule["fault"]])[] = [
  ["the connection breaks", { kind: "reset" }],
  ["the request times out inside the exchange", { kind: "answer", status: 400, code: "40010" }],
  ["a service fails", { kind: "answer", status: 500, code: "40725" }],
  ["the error is unknown", { kind: "answer", status: 400, code: "45001" }],
  ["a proxy says too many requests", { kind: "answer", status: 429, body: "<html>Too many requests</html>" }],
  ["a firewall says so in JSON", { kind: "answer", status: 429, body: '{"code":"429","message":"slow down"}' }],
  ["a proxy answers in HTML", { kind: "answer", status: 502, body: "<html>Bad gateway</html>" }],
  ["a failure has a code that no table lists", { kind: "answer", status: 500, code: "99999" }],
];

const AFTER: readonly (readonly [string, FaultRule["fault"]])[] = [
  ["the connection breaks", { kind: "lost-reply" }],
  ["the answer is cut off", { kind: "truncated-body" }],
  ["the answer is empty", { kind: "empty-body" }],
  ...BEFORE.flatMap(([words, fault]) => (fault.kind === "answer" ? [[words, { ...fault, when: "after" }] as const] : [])),
];

describe("an order whose answer is lost after its effect", () => {
  it.each(AFTER)("is accepted: %s", async (words, fault) => {
    strike(fault);
    const clientOid = `after-${words.replaceAll(/\W/g, "").slice(0, 20)}`;
    const result = await live.during(place(live, resting(clientOid)));
    const orders = ordersNamed(live, clientOid);
    expect(orders).toHaveLength(1);
    expect(result).toMatchObject({ outcome: "ACCEPTED", reply: { orderId: orders[0]?.orderId, clientOid }, problems: [] });
    expect(sent()).toBe(1);
  });
});

describe("a lost close of more than the position", () => {
  it.each([
    ["main", "placeOrder"],
    ["classic", "classicPlaceFuturesOrder"],
  ] as const)(
    "is found as the close of the position that the exchange made of it, on the account %s",
    async (account, endpoint) => {
      const terms = { category: "USDT-FUTURES", symbol: "BTCUSDT", orderType: "market", price: undefined } as const;
      const opened = await live.during(place(live, resting(`open-${account}`, { ...terms, qty: "0.01" }), account));
      expect(opened.outcome).toBe("ACCEPTED");
      live.sandbox.faults.add({ endpoint, fault: { kind: "lost-reply" }, times: 1 });
      const close = { ...terms, side: "sell", qty: "0.03", reduceOnly: true, orderType: "limit", price: "200000" } as const;
      const closed = await live.during(place(live, resting(`close-${account}`, close), account));
      const [order] = ordersNamed(live, `close-${account}`, account);
      expect(order && plain(order.quantity)).toBe("0.01");
      expect(closed).toMatchObject({ outcome: "ACCEPTED", reply: { orderId: order?.orderId }, problems: [] });
    },
  );
});

describe("a lost order whose clientOid has to be percent-encoded in a query", () => {
  it.each([
    ["main", "a:b/c"],
    ["classic", "a:b/c#d&e=f%20+g"],
  ] as const)("is looked up and settles, on the account %s", async (account, clientOid) => {
    const endpoint = account === "main" ? "placeOrder" : "classicPlaceSpotOrder";
    live.sandbox.faults.add({ endpoint, fault: { kind: "lost-reply" }, times: 1 });
    const result = await live.during(place(live, resting(clientOid), account));
    const [order] = ordersNamed(live, clientOid, account);
    expect(result).toMatchObject({ outcome: "ACCEPTED", reply: { orderId: order?.orderId, clientOid }, problems: [] });
    expect(live.sandbox.calls.latest().filter(({ code }) => code === "40009")).toEqual([]);
  });

  it("settles at an exchange that verifies the encoded query, too", async () => {
    live.sandbox.gate.signedQuery = "encoded";
    strike({ kind: "lost-reply" });
    const result = await live.during(place(live, resting("e:1")));
    expect(result).toMatchObject({ outcome: "ACCEPTED", reply: { clientOid: "e:1" }, problems: [] });
    expect(sent()).toBe(1);
    live.sandbox.gate.signedQuery = "decoded";
  });
});

describe("an order whose request is lost before its effect", () => {
  it.each(BEFORE)("is unknown as long as it may still arrive, then rejected, and never sent again: %s", async (words, fault) => {
    strike(fault);
    const clientOid = `before-${words.replaceAll(/\W/g, "").slice(0, 20)}`;
    const began = live.clock.now();
    const result = await live.during(place(live, resting(clientOid)));
    expect(result.outcome).toBe("UNKNOWN");
    expect(result.problems).toHaveLength(1);
    expect(result.reply).toBeNull();
    expect(live.clock.now() - began).toBeLessThan(15_000);
    await live.pass(began + 34_000 - live.clock.now());
    expect((await live.exchange.writes.journal.find(UID.main, clientOid))?.state).toBe("UNKNOWN");
    await live.pass(began + 37_000 - live.clock.now());
    const settled = await live.during(place(live, resting(clientOid)));
    expect(settled).toMatchObject({ outcome: "REJECTED", reply: null, problems: [{ code: "EXCHANGE_TIMEOUT" }] });
    expect(ordersNamed(live, clientOid)).toEqual([]);
    expect(live.sandbox.calls.latest().filter(({ endpoint }) => endpoint === "placeOrder")).toHaveLength(1);
  });
});

describe("an order that the exchange refuses at its rate limit", () => {
  it.each([
    ["main", "placeOrder"],
    ["classic", "classicPlaceSpotOrder"],
  ] as const)("is rejected at once, retryable, without a look-up, on the account %s", async (account, endpoint) => {
    const fault = { kind: "answer", status: 429, code: "429", msg: "Too Many Requests" } as const;
    live.sandbox.faults.add({ endpoint, fault, times: 1 });
    const began = live.clock.now();
    const result = await live.during(place(live, resting(`limited-${account}`), account));
    expect(result).toMatchObject({
      outcome: "REJECTED",
      problems: [{ code: "RATE_LIMITED", retryable: true, exchange: { code: "429", msg: "Too Many Requests" } }],
      entry: { state: "REJECTED" },
    });
    expect(live.clock.now() - began).toBeLessThan(2_000);
    const lookUps = ["orderInfo", "classicSpotOrderInfo"].map((name) => live.sandbox.calls.of(name).total);
    expect(lookUps).toEqual([0, 0]);
    await live.pass(2_000);
    expect((await live.during(place(live, resting(`again-${account}`), account))).outcome).toBe("ACCEPTED");
  });
});

describe("a lost order", () => {
  it("that takes effect late is found, and was never called rejected before", async () => {
    strike({ kind: "latency", delayMs: 25_000 });
    const result = await live.during(place(live, resting("late")));
    expect(result).toMatchObject({ outcome: "UNKNOWN", problems: [{ code: "EXCHANGE_TIMEOUT" }] });
    const state = async () => (await live.exchange.writes.journal.find(UID.main, "late"))?.state;
    for (let second = 0; second < 15 && ordersNamed(live, "late").length === 0; second++) {
      expect(await state()).toBe("UNKNOWN");
      await live.pass(1_000);
    }
    await live.pass(25_000);
    expect(await state()).toBe("ACCEPTED");
    expect(ordersNamed(live, "late")).toHaveLength(1);
  });

  it("stays unknown while the exchange does not answer look-ups, and is settled when it does", async () => {
    strike({ kind: "lost-reply" });
    const silence = silenceLookUps();
    expect((await live.during(place(live, resting("silent")))).outcome).toBe("UNKNOWN");
    await live.pass(60_000);
    expect((await live.exchange.writes.journal.find(UID.main, "silent"))?.state).toBe("UNKNOWN");
    live.sandbox.faults.remove(silence);
    await live.pass(65_000);
    expect((await live.exchange.writes.journal.find(UID.main, "silent"))?.state).toBe("ACCEPTED");
  });

  it("gives a repetition the outcome that was found in the background", async () => {
    strike({ kind: "lost-reply" });
    const silence = silenceLookUps();
    await live.during(place(live, resting("again")));
    live.sandbox.faults.remove(silence);
    const repeated = await live.during(place(live, resting("again")));
    if (repeated.outcome === "UNKNOWN") await live.pass(30_000);
    const result = await live.during(place(live, resting("again")));
    expect(result).toMatchObject({ outcome: "ACCEPTED", reply: { orderId: ordersNamed(live, "again")[0]?.orderId } });
    expect(sent()).toBe(1);
  });

  it("is not taken for an older order of the same name", async () => {
    const first = await live.during(place(live, resting("twice", { idempotencyKey: "first" })));
    expect(first.outcome).toBe("ACCEPTED");
    live.sandbox.world.orders.cancel("8800112233", "SPOT", { clientOid: "twice" });
    strike({ kind: "reset" });
    const second = await live.during(place(live, resting("twice", { idempotencyKey: "second" })));
    expect(second.outcome).toBe("UNKNOWN");
    await live.pass(45_000);
    expect((await live.exchange.writes.journal.find(UID.main, "second"))?.state).toBe("REJECTED");
  });
});

describe("a lost plan that a list does not show", () => {
  const stop = { category: "USDT-FUTURES", symbol: "BTCUSDT", planType: "pos_loss", posSide: "long" } as const;
  const answerWith = (...list: readonly object[]): FaultRule["fault"] => ({
    kind: "answer",
    status: 200,
    body: JSON.stringify({ code: "00000", msg: "success", requestTime: live.clock.now(), data: list }),
  });
  const foreign = { orderId: "7", clientOid: "foreign", category: "USDT-FUTURES", symbol: "ETHUSDT", qty: "1" };

  it.each([
    ["has had no effect when every row can be read", foreign, "REJECTED"],
    ["stays unknown when a row cannot: it may be this one", { ...foreign, orderId: "" }, "UNKNOWN"],
  ] as const)("%s", async (words, row, outcome) => {
    const clientOid = words.replaceAll(/\W/g, "").slice(0, 20);
    live.sandbox.faults.add({ endpoint: "placeStrategyOrder", fault: { kind: "reset" }, times: 1 });
    live.sandbox.faults.add({ endpoint: "openPlanOrders", fault: answerWith(row) });
    const sent = placeTpslOrder(live.writes(), live.account("main"), { ...stop, triggerPrice: "50000", clientOid });
    expect((await live.during(sent)).outcome).toBe("UNKNOWN");
    await live.pass(180_000);
    expect((await live.exchange.writes.journal.find(UID.main, clientOid))?.state).toBe(outcome);
    expect(live.sandbox.calls.of("placeStrategyOrder").total).toBe(1);
  });
});

describe("two orders of one name at the same time", () => {
  it("are not confused when both their answers need a look-up", async () => {
    strike({ kind: "lost-reply" });
    const silence = silenceLookUps();
    const first = place(live, resting("namesake", { idempotencyKey: "one" }));
    await live.pass(100);
    live.sandbox.faults.remove(silence);
    const second = place(live, resting("namesake", { idempotencyKey: "other", qty: "0.002" }));
    const [one, other] = await live.during(Promise.all([first, second]));
    const [order] = ordersNamed(live, "namesake");
    expect(one).toMatchObject({ outcome: "ACCEPTED", reply: { orderId: order?.orderId } });
    expect(other).toMatchObject({ outcome: "REJECTED", problems: [{ code: "DUPLICATE_CLIENT_OID" }] });
  });
});

describe("a refusal", () => {
  it("is certain at once, and keeps the exchange's words", async () => {
    const result = await live.during(place(live, resting("poor", { qty: "9000", price: "60000" })));
    expect(result).toMatchObject({
      outcome: "REJECTED",
      reply: null,
      problems: [{ code: "INSUFFICIENT_BALANCE", exchange: { code: "25202", msg: "Insufficient balance" }, field: null }],
    });
    expect((await live.exchange.writes.journal.find(UID.main, "poor"))?.state).toBe("REJECTED");
    expect(live.sandbox.calls.of("orderInfo").total).toBe(0);
  });

  it("of a name that is taken is looked up, and final if the order is another client's", async () => {
    await live.during(place(live, resting("taken", { idempotencyKey: "owner" })));
    const result = await live.during(place(live, resting("taken", { idempotencyKey: "intruder", qty: "0.002" })));
    expect(result).toMatchObject({ outcome: "REJECTED", problems: [{ code: "DUPLICATE_CLIENT_OID" }] });
    expect(live.sandbox.calls.of("orderInfo").total).toBe(1);
  });
});
