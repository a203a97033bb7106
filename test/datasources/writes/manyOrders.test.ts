import { exact } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { cancelAllOrders, closePositions } from "../../../src/datasources/writes/mutations/manyOrders.js";
import { startedForEach } from "../../support/started.js";
import { place, resting } from "./support/limitOrder.js";
import { type AccountName, startLiveExchange, UID } from "./support/liveExchange.js";

const live = startedForEach(() => startLiveExchange());
beforeEach(async () => {
  await live.identified();
});

const ACCOUNTS = ["main", "classic"] as const;
const FUTURES = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
const open = (account: AccountName) =>
  [...live.sandbox.world.state.orders.open(UID[account])].map(({ clientOid }) => clientOid).sort();
const held = (account: AccountName) =>
  [...live.sandbox.world.state.positions.open(UID[account])].map(({ symbol, side }) => `${symbol} ${side}`).sort();
const halted = (account: AccountName) =>
  live.exchange.writes.halts.halt({ account: live.account(account), since: 1, by: null, reason: null });
/** Opens a position at the exchange. */
const opened = (account: AccountName, symbol: string, side: "buy" | "sell", posSide?: "long" | "short") =>
  live.sandbox.world.orders.place({
    ...{ uid: UID[account], category: "USDT-FUTURES", symbol, side, posSide, orderType: "market" },
    quantity: exact(symbol === "BTCUSDT" ? "0.02" : "0.2"),
  });
const cancel = (account: AccountName, input: Parameters<typeof cancelAllOrders>[2]) =>
  live.during(cancelAllOrders(live.writes(), live.account(account), input));
const close = (account: AccountName, input: Parameters<typeof closePositions>[2]) =>
  live.during(closePositions(live.writes(), live.account(account), input));

describe.each(ACCOUNTS)("cancelAllOrders on %s", (account) => {
  beforeEach(async () => {
    for (const order of [
      resting("spot"),
      resting("other", { symbol: "ETHUSDT", price: "1800", qty: "0.01" }),
      resting("futures", { ...FUTURES, qty: "0.01" }),
    ])
      expect((await live.during(place(live, order, account))).outcome).toBe("ACCEPTED");
  });

  it("cancels the orders of one symbol with one call, during a halt too, and no other order", async () => {
    await halted(account);
    const spot = await cancel(account, { category: "SPOT", symbol: "btcusdt" });
    expect([spot.outcome, open(account)]).toEqual(["ACCEPTED", ["futures", "other"]]);
    const futures = await cancel(account, { category: "USDT-FUTURES" });
    expect(futures.reply?.orders).toEqual([{ orderId: expect.any(String), clientOid: "futures", code: null, message: null }]);
    expect(open(account)).toEqual(["other"]);
  });

  it.each([
    ["has taken effect, when the answer is lost", { kind: "lost-reply" }, "ACCEPTED"],
    ["is unknown at first, when the request is lost", { kind: "reset" }, "UNKNOWN"],
  ] as const)("%s, and is sent once", async (_, fault, outcome) => {
    const endpoint = account === "main" ? "cancelSymbolOrders" : "classicCancelAllFuturesOrders";
    live.sandbox.faults.add({ endpoint, fault, times: 1 });
    const input = { category: "USDT-FUTURES", symbol: "BTCUSDT", idempotencyKey: "all" } as const;
    expect((await cancel(account, input)).outcome).toBe(outcome);
    await live.pass(40_000);
    expect((await cancel(account, input)).outcome).toBe(outcome === "UNKNOWN" ? "REJECTED" : outcome);
    expect([live.sandbox.calls.of(endpoint).total, open(account).includes("futures")]).toEqual([1, outcome === "UNKNOWN"]);
  });

  it("names the field of a symbol that does not exist, and sends nothing", async () => {
    const { problems } = await cancel(account, { category: "SPOT", symbol: "NOSUCH" });
    expect(problems).toMatchObject([{ code: "BAD_USER_INPUT", field: "symbol" }]);
  });
});

it("cancelAllOrders on Classic spot needs a symbol, and there are no Classic margin orders", async () => {
  expect((await cancel("classic", { category: "SPOT" })).problems).toMatchObject([{ code: "BAD_USER_INPUT", field: "symbol" }]);
  expect((await cancel("classic", { category: "MARGIN" })).problems).toMatchObject([{ code: "ACCOUNT_MODE_MISMATCH" }]);
});

describe.each(ACCOUNTS)("closePositions on %s", (account) => {
  beforeEach(() => {
    opened(account, "BTCUSDT", "buy");
    opened(account, "ETHUSDT", "sell");
  });

  it("closes one symbol, or all, with one call, during a halt too", async () => {
    await halted(account);
    const one = await close(account, { category: "USDT-FUTURES", symbol: "BTCUSDT" });
    expect(one).toMatchObject({ outcome: "ACCEPTED", reply: { orders: [{ code: null }] } });
    expect(held(account)).toEqual(["ETHUSDT short"]);
    await live.pass(2_000);
    expect((await close(account, { category: "USDT-FUTURES" })).outcome).toBe("ACCEPTED");
    expect(held(account)).toEqual([]);
  });

  it("is found to have taken effect after a lost answer, and stays unknown while a position is left", async () => {
    const endpoint = account === "main" ? "closePositions" : "classicClosePositions";
    live.sandbox.faults.add({ endpoint, fault: { kind: "lost-reply" }, times: 1 });
    expect((await close(account, { category: "USDT-FUTURES", symbol: "ETHUSDT" })).outcome).toBe("ACCEPTED");
    await live.pass(2_000);
    live.sandbox.faults.add({ endpoint, fault: { kind: "reset" }, times: 1 });
    const input = { category: "USDT-FUTURES", idempotencyKey: "close" } as const;
    expect((await close(account, input)).outcome).toBe("UNKNOWN");
    await live.pass(60_000);
    expect((await close(account, input)).outcome).toBe("UNKNOWN");
    expect([live.sandbox.calls.of(endpoint).total, held(account)]).toEqual([2, ["BTCUSDT long"]]);
  });

  it("takes a side in hedge mode alone, and then closes that one", async () => {
    const input = { category: "USDT-FUTURES", symbol: "BTCUSDT", posSide: "short" } as const;
    expect((await close(account, input)).problems).toMatchObject([{ code: "BAD_USER_INPUT", field: "posSide" }]);
    expect(held(account)).toEqual(["BTCUSDT long", "ETHUSDT short"]);
    expect((await close(account, { ...input, symbol: undefined })).problems).toMatchObject([{ field: "symbol" }]);
  });
});

it("closePositions closes one side of a hedged symbol, and says of each order what has become of it", async () => {
  for (const [side, posSide] of [
    ["buy", "long"],
    ["sell", "short"],
  ] as const)
    opened("broker", "BTCUSDT", side, posSide);
  const before = held("broker");
  expect(before).toEqual(expect.arrayContaining(["BTCUSDT long", "BTCUSDT short"]));
  const { outcome, reply } = await close("broker", { category: "USDT-FUTURES", symbol: "BTCUSDT", posSide: "short" });
  expect([outcome, reply?.orders.length]).toEqual(["ACCEPTED", 1]);
  expect(held("broker")).toEqual(before.filter((one) => one !== "BTCUSDT short"));
});
