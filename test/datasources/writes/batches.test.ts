import { exact } from "@exchange-graph/contract/decimal";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DataSource } from "../../../src/datasources/index.js";
import { DayLimitBroken, journalUnavailable } from "../../../src/datasources/writes/journal/writeJournal.js";
import type { TradingLimits } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { cancelOpenOrders } from "../../../src/datasources/writes/mutations/cancelOpen.js";
import { type CancelOrderInput, cancelOrders } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { type PlaceOrderInput, placeOrders } from "../../../src/datasources/writes/mutations/placeOrder.js";
import type { WriteResult } from "../../../src/datasources/writes/writePlan.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { writesOn } from "../../support/writesOn.js";
import { ordersNamed, place, resting } from "./support/limitOrder.js";
import { type AccountName, type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

const newFile = temporaryFiles();

let live: LiveExchange;
let journalPath: string;
const start = async (limits?: TradingLimits, path = ":memory:") => {
  journalPath = path;
  const accounts = new Map(limits === undefined ? [] : [["main", limits] as const, ["classic", limits] as const]);
  live = await startLiveExchange({ journalPath, limits: { accounts, clients: new Map() } });
  await live.identified();
};
afterEach(() => live.close());
/** A journal that another process can open. */
const restartOnDisk = async () => {
  await live.close();
  await start(undefined, newFile());
};

const ACCOUNTS = ["main", "classic"] as const;
const SPOT_BATCH = { main: "placeOrderBatch", classic: "classicPlaceSpotOrderBatch" } as const;
const FUTURES = { category: "USDT-FUTURES", symbol: "BTCUSDT", qty: "0.01" } as const;
const three = () => [resting("a"), resting("b", { symbol: "ETHUSDT", price: "1800", qty: "0.01" }), resting("c")];

const placing = (account: AccountName, orders: readonly PlaceOrderInput[]) =>
  placeOrders(live.writes(), live.account(account), orders);
const placed = (account: AccountName, orders: readonly PlaceOrderInput[]) => live.during(placing(account, orders));
const cancelled = (account: AccountName, orders: readonly CancelOrderInput[]) =>
  live.during(cancelOrders(live.writes(), live.account(account), orders));
const outcomes = (results: readonly WriteResult<unknown>[]) =>
  results.map(({ outcome, problems }) => problems[0]?.code ?? outcome);
const open = (account: AccountName) =>
  [...live.sandbox.world.state.orders.open(UID[account])].map(({ clientOid }) => clientOid).sort();
/** The calls of these endpoints, by name. */
const calls = () =>
  Object.fromEntries(
    Object.entries(live.sandbox.calls.counts())
      .filter(([name]) => /(place|cancel)/i.test(name))
      .map(([name, { total }]) => [name, total]),
  );

describe.each(ACCOUNTS)("placeOrders on %s", (account) => {
  beforeEach(() => start());

  it("sends orders of all kinds with a call for each kind, and makes an entry of each", async () => {
    const orders = [resting("spot"), resting("futures", FUTURES), ...three(), resting("more", FUTURES)];
    const results = await placed(account, orders);
    expect(outcomes(results)).toEqual(new Array(6).fill("ACCEPTED"));
    expect(results.map(({ reply, entry }) => [reply?.clientOid, entry?.key, entry?.state])).toEqual(
      orders.map(({ clientOid }) => [clientOid, clientOid, "ACCEPTED"]),
    );
    expect(open(account)).toEqual(["a", "b", "c", "futures", "more", "spot"]);
    expect(calls()).toEqual(
      account === "main" ? { placeOrderBatch: 2 } : { classicPlaceSpotOrderBatch: 1, classicPlaceFuturesOrderBatch: 1 },
    );
  });

  it("sends more orders than one call takes with several, and one order as the single mutation does", async () => {
    const many = Array.from({ length: 45 }, (_, at) => resting(`m${at}`, FUTURES));
    expect(new Set(outcomes(await placed(account, many)))).toEqual(new Set(["ACCEPTED"]));
    expect(await placed(account, [resting("one")])).toMatchObject([{ outcome: "ACCEPTED", entry: { mutation: "placeOrder" } }]);
    expect(calls()).toEqual(
      account === "main" ? { placeOrderBatch: 3, placeOrder: 1 } : { classicPlaceFuturesOrderBatch: 3, classicPlaceSpotOrder: 1 },
    );
  });

  it("gives each order the outcome that the exchange gives it", async () => {
    const results = await placed(account, [resting("a"), resting("dear", { qty: "900" }), resting("c")]);
    expect(outcomes(results)).toEqual(["ACCEPTED", "INSUFFICIENT_BALANCE", "ACCEPTED"]);
    expect(results.map(({ entry }) => entry?.state)).toEqual(["ACCEPTED", "REJECTED", "ACCEPTED"]);
    expect(open(account)).toEqual(["a", "c"]);
  });

  it("sends none if one of them breaks a rule, and says which", async () => {
    const results = await placed(account, [resting("a"), resting("b", { qty: "-1" }), resting("c", { symbol: "NOSUCH" })]);
    expect(outcomes(results)).toEqual(["BATCH_REFUSED", "BAD_USER_INPUT", "BAD_USER_INPUT"]);
    expect(results[0]?.problems[0]?.message).toBe("nothing of the batch was sent: refused were orders.1, orders.2");
    expect([calls(), results.map(({ entry }) => entry)]).toEqual([{}, [null, null, null]]);
    expect(outcomes(await placed(account, three()))).toEqual(["ACCEPTED", "ACCEPTED", "ACCEPTED"]);
  });

  it("sends none of two orders with one key, and none beside a key that another order has used", async () => {
    const twice = await placed(account, [resting("a"), resting("b"), resting("a")]);
    expect(outcomes(twice)).toEqual(["BATCH_REFUSED", "BATCH_REFUSED", "BAD_USER_INPUT"]);
    await live.during(place(live, resting("used"), account));
    const other = await placed(account, [resting("a"), resting("used", { qty: "0.002" })]);
    expect(outcomes(other)).toEqual(["BATCH_REFUSED", "IDEMPOTENCY_KEY_REUSED"]);
    expect(open(account)).toEqual(["used"]);
  });

  it("sends none of two orders with one clientOid, by which the answer names both, whatever their keys", async () => {
    const orders = [resting("a", { idempotencyKey: "one" }), resting("a", { idempotencyKey: "other", price: "59000" })];
    const twice = await placed(account, orders);
    expect(outcomes(twice)).toEqual(["BATCH_REFUSED", "BAD_USER_INPUT"]);
    expect(twice[1]?.problems).toMatchObject([{ field: "clientOid", message: "clientOid must differ from that of orders.0" }]);
    expect([calls(), open(account)]).toEqual([{}, []]);
  });

  it("repeated sends what is new alone, and returns the first outcome of the others", async () => {
    await placed(account, three());
    const again = await placed(account, [...three(), resting("new")]);
    expect(again.map(({ outcome, isReplay }) => [outcome, isReplay])).toEqual([
      ...Array.from({ length: 3 }, () => ["ACCEPTED", true]),
      ["ACCEPTED", false],
    ]);
    expect(open(account)).toEqual(["a", "b", "c", "new"]);
    // An order is the same write, in a batch or by itself.
    expect((await live.during(place(live, resting("a"), account))).isReplay).toBe(true);
  });

  it("at the same time sends each key once, in whatever batches and order they come", async () => {
    const [one, other] = await live.during(
      Promise.all([placing(account, [resting("a"), resting("b")]), placing(account, [resting("b"), resting("a")])]),
    );
    expect([outcomes(one), outcomes(other)]).toEqual([
      ["ACCEPTED", "ACCEPTED"],
      ["ACCEPTED", "ACCEPTED"],
    ]);
    expect(["a", "b"].map((name) => ordersNamed(live, name, account).length)).toEqual([1, 1]);
  });

  it("settles each order by itself after a lost answer", async () => {
    live.sandbox.faults.add({ endpoint: SPOT_BATCH[account], fault: { kind: "lost-reply" }, times: 1 });
    const orders = [resting("a"), resting("dear", { qty: "900" }), resting("c")];
    expect((await placed(account, orders)).map(({ outcome }) => outcome)).toEqual(["ACCEPTED", "UNKNOWN", "ACCEPTED"]);
    await live.pass(60_000);
    expect((await placed(account, orders)).map(({ outcome }) => outcome)).toEqual(["ACCEPTED", "REJECTED", "ACCEPTED"]);
    expect(live.sandbox.calls.of(SPOT_BATCH[account]).total).toBe(1);
  });

  it("looks up an order that the answer does not name, and one of which the exchange does not know what has become", async () => {
    const data =
      account === "main"
        ? [{ orderId: "", clientOid: "c", code: "40725", msg: "service error" }]
        : { successList: [], failureList: [{ orderId: "", clientOid: "c", errorCode: "40725", errorMsg: "service error" }] };
    const body = JSON.stringify({ code: "00000", msg: "success", requestTime: live.clock.now(), data });
    const fault = { kind: "answer", status: 200, body, when: "after" } as const;
    live.sandbox.faults.add({ endpoint: SPOT_BATCH[account], fault, times: 1 });
    const results = await placed(account, [resting("a"), resting("c")]);
    expect(results.map(({ outcome, reply }) => [outcome, reply?.clientOid])).toEqual([
      ["ACCEPTED", "a"],
      ["ACCEPTED", "c"],
    ]);
    expect(live.sandbox.calls.of(SPOT_BATCH[account]).total).toBe(1);
  });

  it("sends none if one cannot be recorded: a limit of all processes, or a journal that cannot be written", async () => {
    const { journal } = live.exchange.writes;
    const limit = { kind: "account", unit: "BTC", most: "1", since: 0, path: "accounts.x.day", argument: "qty" } as const;
    const record = journal.record.bind(journal);
    const failing = (error: Error) =>
      vi.spyOn(journal, "record").mockImplementation((entry) => (entry.key === "c" ? Promise.reject(error) : record(entry)));
    const spy = failing(new DayLimitBroken(limit, "1", "0.001"));
    expect(outcomes(await placed(account, three()))).toEqual(["BATCH_REFUSED", "BATCH_REFUSED", "LIMIT_EXCEEDED"]);
    spy.mockRestore();
    const other = failing(journalUnavailable("full"));
    await expect(placed(account, three())).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
    other.mockRestore();
    expect(calls()).toEqual({});
    expect(outcomes(await placed(account, three()))).toEqual(["ACCEPTED", "ACCEPTED", "ACCEPTED"]);
  });

  it("is looked up by the next process after the first has ended between sending and answer", async () => {
    await restartOnDisk();
    live.sandbox.faults.add({ endpoint: SPOT_BATCH[account], fault: { kind: "lost-reply" }, times: 1 });
    const first = Promise.allSettled([placing(account, three())]);
    while (live.sandbox.calls.of(SPOT_BATCH[account]).total === 0) await live.pass(2);
    await live.restart();
    await live.identified();
    const again = await placed(account, three());
    expect(again.map(({ outcome, isReplay }) => [outcome, isReplay])).toEqual(new Array(3).fill(["ACCEPTED", true]));
    expect(live.sandbox.calls.of(SPOT_BATCH[account]).total).toBe(1);
    await live.during(Promise.race([first, live.pass(20_000)]));
  });

  it("does not leave during a halt that begins while it waits for its slot, and its keys are free then", async () => {
    // The budget of a second.
    await live.during(Promise.all([0, 1, 2, 3, 4].map((at) => placing(account, [resting(`x${at}`), resting(`y${at}`)]))));
    const waiting = placing(account, three());
    await live.during(live.exchange.writes.halts.halt({ account: live.account(account), since: 1, by: null, reason: null }));
    expect(outcomes(await live.during(waiting))).toEqual(new Array(3).fill("TRADING_HALTED"));
    await live.exchange.writes.halts.resume(live.account(account));
    expect(outcomes(await placed(account, three()))).toEqual(new Array(3).fill("ACCEPTED"));
  });

  it("is sent once by two processes that share a journal, whichever batch an order is in", async () => {
    await restartOnDisk();
    const other = live.another();
    const there = placeOrders(writesOn(other), live.account(account), [resting("b"), resting("c")]);
    const [here, elsewhere] = await live.during(Promise.all([placing(account, [resting("a"), resting("b")]), there]));
    expect([outcomes(here), outcomes(elsewhere)]).toEqual([new Array(2).fill("ACCEPTED"), new Array(2).fill("ACCEPTED")]);
    expect(["a", "b", "c"].map((name) => ordersNamed(live, name, account).length)).toEqual([1, 1, 1]);
    await other.close();
  });

  it("shows the calls of a dry run, and sends nothing", async () => {
    const results = await placed(
      account,
      three().map((order) => ({ ...order, dryRun: true })),
    );
    expect(results.map(({ outcome, estimate }) => [outcome, estimate?.costCoin])).toEqual(new Array(3).fill([null, "USDT"]));
    const orders = three().map(({ symbol, clientOid }) => expect.objectContaining({ symbol, clientOid }));
    const body = account === "main" ? orders : expect.objectContaining({ batchMode: "multiple", orderList: orders });
    expect(results.map(({ request }) => request?.body)).toEqual(Array.from(orders, () => body));
    expect(calls()).toEqual({});
  });
});

describe.each(ACCOUNTS)("the limits of a batch on %s", (account) => {
  const btc = (most: string) => ({ coins: new Map([["BTC", most]]) });
  const orders = () => [resting("a"), resting("b"), resting("c")];

  it.each([
    ["of a day", { day: btc("0.002") }],
    ["of what is open", { open: btc("0.002") }],
    ["of orders in a second", { ordersPerSecond: 2 }],
  ] as const)("%s count for all of them before the first leaves", async (_, limits) => {
    await start(limits);
    const rehearsed = await placed(
      account,
      orders().map((order) => ({ ...order, dryRun: true })),
    );
    expect(outcomes(rehearsed)).toEqual(["BATCH_REFUSED", "BATCH_REFUSED", "LIMIT_EXCEEDED"]);
    expect(outcomes(await placed(account, orders()))).toEqual(["BATCH_REFUSED", "BATCH_REFUSED", "LIMIT_EXCEEDED"]);
    expect(calls()).toEqual({});
    // The refused ones count for nothing.
    expect(outcomes(await placed(account, orders().slice(0, 2)))).toEqual(["ACCEPTED", "ACCEPTED"]);
  });

  it("of orders in a second say whether waiting helps", async () => {
    await start({ ordersPerSecond: 2 });
    const tooMany = await placed(account, orders());
    const limit = `at most 2 orders a second are allowed (accounts.${account}.ordersPerSecond)`;
    expect(tooMany[2]?.problems).toMatchObject([
      { retryable: false, message: `account must not place more than 2 orders at once: ${limit}` },
    ]);
    await live.during(place(live, resting("first"), account));
    const tooSoon = await placed(account, orders().slice(0, 2));
    expect(tooSoon[1]?.problems).toMatchObject([{ retryable: true, message: `account must wait: ${limit}` }]);
  });
});

describe("orders that no batch of the exchange takes", () => {
  beforeEach(() => start());

  it("leave with a call of their own, with the others of the mutation", async () => {
    const reduce = { ...FUTURES, side: "sell", price: "70000", reduceOnly: true } as const;
    const bought = { ...FUTURES, orderType: "market", price: null } as const;
    await live.during(place(live, resting("held", bought)));
    const mixed = await placed("main", [resting("a", FUTURES), resting("b", FUTURES), resting("exit", reduce)]);
    expect(outcomes(mixed)).toEqual(["ACCEPTED", "ACCEPTED", "ACCEPTED"]);
    expect(calls()).toEqual({ placeOrder: 2, placeOrderBatch: 1 });
    const waiting = resting("", { triggerPrice: "59000", clientOid: null });
    expect(outcomes(await placed("classic", [waiting, ...three()]))).toEqual(new Array(4).fill("ACCEPTED"));
    expect(calls()).toMatchObject({ classicPlaceSpotOrder: 1, classicPlaceSpotOrderBatch: 1 });
  });

  it("leave as the rate limit takes them, however many they are, with the outcome of each", async () => {
    const orders = Array.from({ length: 24 }, (_, at) => resting(`w${at}`, { receiveWindow: 30_000 }));
    orders[22] = resting("dear", { receiveWindow: 30_000, qty: "900" });
    expect(outcomes(await placed("main", orders))).toEqual(
      orders.map((_, at) => (at === 22 ? "INSUFFICIENT_BALANCE" : "ACCEPTED")),
    );
    const plans = Array.from({ length: 12 }, () => {
      const order = { uid: UID.main, category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market" } as const;
      const trigger = { kind: "normal_plan", triggerPrice: exact("50000"), triggerBy: "market" } as const;
      return live.sandbox.world.plans.placeEntry({ ...trigger, order: { ...order, quantity: exact("0.01") } }).planId;
    });
    const cancels = plans.map(
      (orderId) => ({ category: "USDT-FUTURES", symbol: "BTCUSDT", kind: "PLAN_ORDER", orderId }) as const,
    );
    expect(new Set(outcomes(await cancelled("main", cancels)))).toEqual(new Set(["ACCEPTED"]));
    expect([calls(), live.sandbox.world.planStore.waiting(UID.main)]).toEqual([{ placeOrder: 24, cancelStrategyOrder: 12 }, []]);
    expect(Object.values(live.sandbox.calls.counts()).filter(({ limited }) => limited > 0)).toEqual([]);
  });

  it("leave although a call whose answer was lost still holds its slot", async () => {
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 60_000 }, times: 1 });
    expect((await live.during(place(live, resting("lost")))).outcome).toBe("UNKNOWN");
    const orders = Array.from({ length: 12 }, (_, at) => resting(`w${at}`, { receiveWindow: 30_000 }));
    expect(new Set(outcomes(await placed("main", orders)))).toEqual(new Set(["ACCEPTED"]));
  });

  it("are not sent if trading is halted before their turn, and a repetition sends them", async () => {
    const orders = Array.from({ length: 12 }, (_, at) => resting(`w${at}`, { receiveWindow: 30_000 }));
    const first = placing("main", orders);
    while (live.sandbox.calls.of("placeOrder").total < 10) await live.pass(2);
    await live.exchange.writes.halts.halt({ account: null, since: 1, by: null, reason: null });
    const halted = outcomes(await live.during(first));
    expect(halted).toEqual([...new Array(10).fill("ACCEPTED"), "TRADING_HALTED", "TRADING_HALTED"]);
    await live.exchange.writes.halts.resume(null);
    const again = await placed("main", orders);
    expect([outcomes(again), again.filter(({ isReplay }) => isReplay).length]).toEqual([new Array(12).fill("ACCEPTED"), 10]);
    expect(live.sandbox.calls.of("placeOrder").total).toBe(12);
  });

  it("are checked against limits that were replaced before their turn, each once", async () => {
    const limits = (most: string) => ({ day: { coins: new Map([["BTC", most]]) } });
    await live.close();
    await start(limits("0.012"));
    const orders = Array.from({ length: 12 }, (_, at) => resting(`w${at}`, { receiveWindow: 30_000 }));
    const first = placing("main", orders);
    while (live.sandbox.calls.of("placeOrder").total < 10) await live.pass(2);
    live.exchange.writes.limits.inForce.replace({ accounts: new Map([["main", limits("0.011")]]), clients: new Map() });
    const replaced = outcomes(await live.during(first));
    expect(replaced).toEqual([...new Array(10).fill("ACCEPTED"), ...["ACCEPTED", "LIMIT_EXCEEDED"]]);
    expect(outcomes(await placed("main", orders))).toEqual(replaced);
  });

  it("are closes too, which leave during a halt", async () => {
    await live.during(place(live, resting("held", { ...FUTURES, orderType: "market", price: null })));
    await live.exchange.writes.halts.halt({ account: live.account("main"), since: 1, by: null, reason: null });
    const close = { ...FUTURES, side: "sell", price: "70000", reduceOnly: true } as const;
    expect(outcomes(await placed("main", [resting("x", close)]))).toEqual(["ACCEPTED"]);
    expect(outcomes(await placed("main", [resting("y", close), resting("z")]))).toEqual(["BATCH_REFUSED", "TRADING_HALTED"]);
  });
});

it("cancelOrders cancels trigger orders of one kind on Classic futures with one call, and says which were gone", async () => {
  await start();
  const [one, other] = [0, 1].map(
    () =>
      live.sandbox.world.plans.placeEntry({
        ...{ kind: "normal_plan", triggerPrice: exact("50000"), triggerBy: "market" },
        order: {
          ...{ uid: UID.classic, category: "USDT-FUTURES", symbol: "BTCUSDT", side: "buy", orderType: "market" },
          quantity: exact("0.01"),
        },
      }).planId,
  );
  const plan = { category: "USDT-FUTURES", symbol: "BTCUSDT", kind: "PLAN_ORDER", planType: "normal_plan" } as const;
  const results = await cancelled(
    "classic",
    [one, "999", other].map((orderId) => ({ ...plan, orderId })),
  );
  expect(outcomes(results)).toEqual(["ACCEPTED", "ORDER_NOT_FOUND", "ACCEPTED"]);
  expect(results.map(({ reply }) => reply?.orderId)).toEqual([one, undefined, other]);
  expect([calls(), live.sandbox.world.planStore.waiting(UID.classic)]).toEqual([{ classicCancelPlanOrders: 1 }, []]);
});

describe.each(ACCOUNTS)("cancelOrders on %s", (account) => {
  beforeEach(async () => {
    await start(undefined, newFile());
    await placed(account, [...three(), resting("futures", FUTURES), resting("more", FUTURES)]);
  });
  const of = (clientOid: string): CancelOrderInput => {
    const futures = clientOid === "futures" || clientOid === "more";
    return {
      ...(futures
        ? { category: "USDT-FUTURES", symbol: "BTCUSDT" }
        : { category: "SPOT", symbol: clientOid === "b" ? "ETHUSDT" : "BTCUSDT" }),
      clientOid,
    } as const;
  };

  it("cancels orders with a call for each kind, during a halt too, and says which were gone", async () => {
    await live.exchange.writes.halts.halt({ account: live.account(account), since: 1, by: null, reason: null });
    const results = await cancelled(account, ["a", "gone", "b", "futures", "more"].map(of));
    expect(outcomes(results)).toEqual(["ACCEPTED", "ORDER_NOT_FOUND", "ACCEPTED", "ACCEPTED", "ACCEPTED"]);
    expect(open(account)).toEqual(["c"]);
    const { cancelOrderBatch, classicCancelSpotOrderBatch, classicCancelFuturesOrderBatch } = calls();
    expect([cancelOrderBatch, classicCancelSpotOrderBatch, classicCancelFuturesOrderBatch]).toEqual(
      account === "main" ? [1, undefined, undefined] : [undefined, 1, 1],
    );
  });

  const SPOT_CANCELS = account === "main" ? "cancelOrderBatch" : "classicCancelSpotOrderBatch";
  const ended = (exchange: DataSource) => cancelOpenOrders(writesOn(exchange), live.account(account));

  it("in a halt are looked up by the next process after the first has ended between sending and answer", async () => {
    live.sandbox.faults.add({ endpoint: SPOT_CANCELS, fault: { kind: "lost-reply" }, times: 1 });
    const first = Promise.allSettled([ended(live.exchange)]);
    while (live.sandbox.calls.of(SPOT_CANCELS).total === 0) await live.pass(2);
    const next = await live.restart();
    await live.during(next.writes.writer.resume());
    expect(await live.during(ended(next))).toMatchObject({ kept: [], failures: [] });
    expect(open(account)).toEqual([]);
    await live.pass(60_000);
    const entries = await next.writes.journal.page(UID[account], undefined, 100);
    expect(entries.filter(({ mutation, state }) => mutation === "cancelOrder" && state !== "ACCEPTED")).toEqual([]);
    await live.during(Promise.race([first, live.pass(20_000)]));
  });

  it("in a halt at two processes at once leave no order, and each reports none", async () => {
    const other = live.another();
    const both = await live.during(Promise.all([ended(live.exchange), ended(other)]));
    expect(both).toMatchObject([{ failures: [] }, { failures: [] }]);
    expect(open(account)).toEqual([]);
    await other.close();
  });

  it("finds out order by order what a lost answer has done", async () => {
    live.sandbox.faults.add({ endpoint: SPOT_CANCELS, fault: { kind: "lost-reply" }, times: 1 });
    expect(outcomes(await cancelled(account, ["a", "b"].map(of)))).toEqual(["ACCEPTED", "ACCEPTED"]);
    live.sandbox.faults.add({ endpoint: SPOT_CANCELS, fault: { kind: "reset" }, times: 1 });
    await live.during(place(live, resting("d"), account));
    const input = ["c", "d"].map((name) => ({ ...of(name), idempotencyKey: `end ${name}` }));
    expect((await cancelled(account, input)).map(({ outcome }) => outcome)).toEqual(["UNKNOWN", "UNKNOWN"]);
    await live.pass(60_000);
    expect((await cancelled(account, input)).map(({ outcome }) => outcome)).toEqual(["REJECTED", "REJECTED"]);
    expect(open(account)).toEqual(["c", "d", "futures", "more"]);
  });
});

describe("other replicas that do not take over what was dropped", () => {
  beforeEach(() => start());
  afterEach(() => vi.restoreAllMocks());

  it("do not delay a refusal of what was not sent, and delay the outcome of what was", async () => {
    const isSettled = (writing: Promise<unknown>) => Promise.race([writing.then(() => true), live.pass(1_000).then(() => false)]);
    vi.spyOn(live.exchange.reader, "dropped").mockReturnValue(new Promise(() => {}));
    const ends = [resting("misfit", { qty: "0" }), resting("fits")].flatMap((order) => [
      place(live, order),
      placing("main", [order, { ...order, clientOid: `${order.clientOid}-too` }]),
    ]);
    expect(await Promise.all(ends.map(isSettled))).toEqual([true, true, false, false]);
    expect(open("main")).toEqual(["fits", "fits-too"]);
  });
});
