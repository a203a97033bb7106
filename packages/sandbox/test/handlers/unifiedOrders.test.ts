import { ManualClock } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { fileSandbox } from "../support/fileSandbox.js";
import { belowMarket } from "../support/prices.js";
import { credentialOf, type Reply, signedCall } from "../support/signedCall.js";

/** Trading on a unified account, as a client sees it: what is sent, what is answered, what is read back. */

const clock = new ManualClock(1_767_225_600_000);
const sandbox = await fileSandbox({ clock, hasPast: false });

const post = (path: string, body: object): Promise<Reply> =>
  signedCall(sandbox, credentialOf("main"), `/api/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
const get = async (target: string): Promise<unknown> => {
  const { code, data } = await signedCall(sandbox, credentialOf("main"), `/api/v3/${target}`);
  expect(code).toBe("00000");
  return data;
};
const price = (percent: number): string => plain(exact(belowMarket(sandbox, "USDT-FUTURES", "BTCUSDT", percent)));
const resting = (clientOid: string) => ({
  category: "USDT-FUTURES",
  symbol: "BTCUSDT",
  side: "buy",
  orderType: "limit",
  price: price(3),
  qty: "0.0100",
  timeInForce: "gtc",
  clientOid,
});
const info = (clientOid: string): Promise<unknown> => get(`trade/order-info?clientOid=${clientOid}`);

describe("an order that rests", () => {
  it("accepts take-profit and stop-loss, changes and removes them, and keeps its place in the book", async () => {
    const order = { ...resting("tpsl"), qty: "0.01" };
    await post("trade/place-order", order);
    const change = (tpsl: object) => post("trade/modify-order", { clientOid: "tpsl", ...tpsl });
    const tpsl = { takeProfit: "90000", stopLoss: "1000", slOrderType: "limit", slLimitPrice: "990" };
    expect((await change(tpsl)).code).toBe("00000");
    expect(await info("tpsl")).toMatchObject({ ...tpsl, tpOrderType: "market", price: order.price, qty: "0.01" });
    expect((await change(tpsl)).code).toBe("25571");
    expect((await change({ takeProfit: "95000", tpTriggerBy: "mark" })).code).toBe("00000");
    expect(await info("tpsl")).toMatchObject({ takeProfit: "95000", tpTriggerBy: "mark", stopLoss: "1000" });
    expect((await change({ takeProfit: "0", stopLoss: "0" })).code).toBe("00000");
    expect(await info("tpsl")).toMatchObject({ takeProfit: null, stopLoss: null, slLimitPrice: null });
    await post("trade/cancel-order", { clientOid: "tpsl" });
    const closing = { ...resting("closing"), side: "sell", reduceOnly: "yes", stopLoss: "1000" };
    expect((await post("trade/place-order", closing)).code).toBe("25612");

    const spot = { ...resting("no-tpsl"), category: "SPOT", price: belowMarket(sandbox, "SPOT", "BTCUSDT", 3) };
    await post("trade/place-order", spot);
    expect((await post("trade/modify-order", { clientOid: "no-tpsl", takeProfit: "90000" })).code).toBe("40017");
    await post("trade/cancel-order", { clientOid: "no-tpsl" });
  });

  it("is acknowledged, read back in every list, changed in place and cancelled", async () => {
    const ack = await post("trade/place-order", resting("rest-1"));
    expect(ack.data).toEqual({ orderId: expect.stringMatching(/^\d{19}$/), clientOid: "rest-1" });
    const order = {
      clientOid: "rest-1",
      category: "USDT-FUTURES",
      symbol: "BTCUSDT",
      price: price(3),
      qty: "0.01",
      cumExecQty: "0",
      avgPrice: "0",
      orderStatus: "new",
      reduceOnly: "NO",
      feeDetail: [{ feeCoin: "", fee: "" }],
      takeProfit: null,
    };
    expect(await info("rest-1")).toMatchObject(order);
    expect(await get("trade/unfilled-orders?symbol=btcusdt")).toMatchObject({ list: [order] });

    clock.advance(1_000);
    const lower = price(4);
    expect((await post("trade/modify-order", { clientOid: "rest-1", price: lower, qty: "0.02" })).data).toEqual(ack.data);
    expect(await info("rest-1")).toMatchObject({ price: lower, qty: "0.02", updatedTime: String(clock.now()) });

    expect((await post("trade/cancel-order", { clientOid: "rest-1" })).data).toEqual(ack.data);
    expect(await info("rest-1")).toMatchObject({ orderStatus: "cancelled", cancelReason: "normal_cancel", execType: "normal" });
    expect(await get("trade/unfilled-orders")).toEqual({ list: [], cursor: null });
    expect(await get("trade/history-orders?category=USDT-FUTURES&limit=1")).toMatchObject({ list: [{ clientOid: "rest-1" }] });
    const again = await post("trade/cancel-order", { clientOid: "rest-1" });
    expect([again.status, again.code]).toEqual([400, "25204"]);
  });

  it("keeps its clientOid to itself while it is open", async () => {
    await post("trade/place-order", resting("twice"));
    expect((await post("trade/place-order", resting("twice"))).code).toBe("25212");
    await post("trade/cancel-order", { clientOid: "twice" });
    expect((await post("trade/place-order", resting("twice"))).code).toBe("00000");
    await post("trade/cancel-order", { clientOid: "twice" });
  });

  it("is cancelled after a failed change if the request says so, and stays otherwise", async () => {
    await post("trade/place-order", resting("stays"));
    expect((await post("trade/modify-order", { clientOid: "stays", price: "999999" })).code).toBe("25206");
    expect(await info("stays")).toMatchObject({ orderStatus: "new" });
    expect((await post("trade/modify-order", { clientOid: "stays", price: "999999", autoCancel: "yes" })).code).toBe("25206");
    expect(await info("stays")).toMatchObject({ orderStatus: "cancelled" });
  });

  it("that arrives after its receive window is accepted and ends at once", async () => {
    const late = { ...resting("late"), requestTime: String(clock.now() - 101), receiveWindow: "100" };
    expect((await post("trade/place-order", late)).code).toBe("00000");
    expect(await info("late")).toMatchObject({ orderStatus: "cancelled", cancelReason: "cancel_receiveWindow" });
    const inTime = { ...late, clientOid: "in-time", requestTime: String(clock.now() - 100) };
    await post("trade/place-order", inTime);
    expect(await info("in-time")).toMatchObject({ orderStatus: "new" });
    expect((await post("trade/place-order", { ...late, clientOid: "in-time" })).code).toBe("25212");
    expect((await post("trade/place-order", { ...late, qty: "0.00000001" })).code).toBe("25610");
    await post("trade/cancel-order", { clientOid: "in-time" });
  });

  it("stays worth what an order has to be worth, and is changed under its own symbol alone", async () => {
    await post("trade/place-order", resting("worth"));
    const change = (values: object) => post("trade/modify-order", { clientOid: "worth", ...values });
    expect((await change({ qty: "0.0001", price: "100" })).code).toBe("25611");
    expect((await change({ qty: "0.02", symbol: "ETHUSDT" })).code).toBe("25204");
    expect((await change({ qty: "0.02", category: "USDC-FUTURES" })).code).toBe("25204");
    expect(await info("worth")).toMatchObject({ qty: "0.01", price: price(3) });
    expect((await change({ qty: "0.02", symbol: "btcusdt" })).code).toBe("00000");
    await post("trade/cancel-order", { clientOid: "worth" });
  });
});

describe("an order that is filled", () => {
  it("leaves fills, a position that equals them, and a closed position when it is closed", async () => {
    const symbol = "SOLUSDT";
    const open = { category: "USDT-FUTURES", symbol, side: "buy", orderType: "market", qty: "3", clientOid: "open-sol" };
    expect((await post("trade/place-order", open)).code).toBe("00000");
    const order = await info("open-sol");
    expect(order).toMatchObject({ orderStatus: "filled", cumExecQty: "3", price: "0" });
    const { orderId } = order as { readonly orderId: string };
    const { list: fills } = (await get(`trade/fills?orderId=${orderId}`)) as {
      readonly list: readonly { readonly tradeScope: string }[];
    };
    expect(new Set(fills.map(({ tradeScope }) => tradeScope))).toEqual(new Set(["taker"]));
    const position = await get(`position/current-position?category=USDT-FUTURES&symbol=${symbol}`);
    expect(position).toMatchObject({ list: [{ symbol, posSide: "long", total: "3", available: "3", frozen: "0" }] });

    const close = { ...open, side: "sell", reduceOnly: "yes", clientOid: "close-sol" };
    expect((await post("trade/place-order", close)).code).toBe("00000");
    expect(await get(`position/current-position?category=USDT-FUTURES&symbol=${symbol}`)).toEqual({ list: null });
    const history = await get(`position/history-position?category=USDT-FUTURES&symbol=${symbol}&limit=1`);
    expect(history).toMatchObject({ list: [{ symbol, openTotalPos: "3", closeTotalPos: "3", posSide: "long" }] });
  });

  it("may come to close all that others leave of a position, and no more", async () => {
    const sol = { category: "USDT-FUTURES", symbol: "SOLUSDT" };
    const far = belowMarket(sandbox, "USDT-FUTURES", "SOLUSDT", -3);
    await post("trade/place-order", { ...sol, side: "buy", orderType: "market", qty: "5" });
    const closing = { ...sol, side: "sell", orderType: "limit", price: far, reduceOnly: "yes" };
    await post("trade/place-order", { ...closing, qty: "2", clientOid: "other" });
    await post("trade/place-order", { ...closing, qty: "1", clientOid: "grows" });
    const grow = async (qty: string) => (await post("trade/modify-order", { clientOid: "grows", qty })).code;
    expect([await grow("3.1"), await grow("3"), await grow("3.1"), await grow("1")]).toEqual([
      "25574",
      "00000",
      "25574",
      "00000",
    ]);
    expect(await info("grows")).toMatchObject({ qty: "1", orderStatus: "new" });
    await post("trade/place-order", { ...sol, side: "sell", orderType: "market", qty: "5", reduceOnly: "yes" });
  });

  it("on margin is crossed: an isolated pair has no account", async () => {
    const order = { category: "MARGIN", symbol: "ETHUSDT", side: "buy", orderType: "market", qty: "25" };
    expect((await post("trade/place-order", { ...order, marginMode: "isolated" })).code).toBe("40020");
    expect((await post("trade/place-order", { ...order, marginMode: "crossed" })).code).toBe("00000");
  });

  it("spends a spot market buy's quantity as quote coin", async () => {
    const buy = { category: "SPOT", symbol: "ETHUSDT", side: "buy", orderType: "market", qty: "250", clientOid: "spend" };
    expect((await post("trade/place-order", buy)).code).toBe("00000");
    const order = await info("spend");
    expect(order).toMatchObject({ orderStatus: "filled", qty: "0", amount: "250", posSide: "", holdMode: "" });
  });
});

describe("a position's take-profit, stop-loss and settings", () => {
  it("wait as one plan, are listed, and are cancelled", async () => {
    await post("trade/place-order", { category: "USDT-FUTURES", symbol: "XRPUSDT", side: "buy", orderType: "market", qty: "50" });
    const tpsl = {
      category: "USDT-FUTURES",
      symbol: "XRPUSDT",
      posSide: "long",
      takeProfit: "2",
      stopLoss: "0.1",
      clientOid: "tpsl-1",
    };
    const ack = await post("trade/place-strategy-order", tpsl);
    expect([ack.code, ack.msg]).toEqual(["00000", "success"]);
    const plan = { clientOid: "tpsl-1", takeProfit: "2", stopLoss: "0.1", tpOrderType: "market", slTriggerBy: "market" };
    expect(await get("trade/unfilled-strategy-orders?category=USDT-FUTURES")).toMatchObject([plan]);
    expect((await post("trade/cancel-strategy-order", { clientOid: "tpsl-1" })).data).toBeNull();
    expect(await get("trade/unfilled-strategy-orders?category=USDT-FUTURES")).toEqual([]);
    const history = await signedCall(
      sandbox,
      credentialOf("main"),
      "/api/v3/trade/history-strategy-orders?category=USDT-FUTURES",
    );
    expect(history.text).toMatch(/"cursor":\d{19}[,}]/);
  });

  it("take a leverage within the symbol's bounds, and no position mode while there is a position", async () => {
    const leverage = { category: "USDT-FUTURES", symbol: "BTCUSDT" };
    expect((await post("account/set-leverage", { ...leverage, leverage: "25" })).data).toBe("success");
    expect(await get("account/settings")).toMatchObject({
      symbolConfigList: expect.arrayContaining([{ ...leverage, marginMode: "crossed", leverage: "25" }]),
    });
    expect((await post("account/set-leverage", { ...leverage, leverage: "151" })).code).toBe("25223");
    expect((await post("account/set-leverage", { ...leverage, leverage: "2.5" })).code).toBe("40020");
    expect((await post("account/set-hold-mode", { holdMode: "one_way_mode" })).code).toBe("00000");
    expect((await post("account/set-hold-mode", { holdMode: "hedge_mode" })).code).toBe("25107");
  });
});
