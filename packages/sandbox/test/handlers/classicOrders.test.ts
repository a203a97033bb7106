import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import type { PromisedCredential } from "../../src/credentials.js";
import { fileSandbox } from "../support/fileSandbox.js";
import { belowMarket } from "../support/prices.js";
import { credentialOf, type Reply, signedCall } from "../support/signedCall.js";

/** Trading on Classic accounts, spot and futures, one-way (`classic`) and hedged (`broker`). */

const clock = new ManualClock(1_767_225_600_000);
const sandbox = await fileSandbox({ clock, hasPast: false });

type Account = PromisedCredential["name"];
const post = (path: string, body: object, account: Account = "classic"): Promise<Reply> =>
  signedCall(sandbox, credentialOf(account), `/api/v2/${path}`, { method: "POST", body: JSON.stringify(body) });
const get = async (target: string, account: Account = "classic"): Promise<unknown> => {
  const { code, data } = await signedCall(sandbox, credentialOf(account), `/api/v2/${target}`);
  expect(code).toBe("00000");
  return data;
};

describe("a Classic spot order", () => {
  const order = (clientOid: string) => ({
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "limit",
    force: "gtc",
    price: belowMarket(sandbox, "SPOT", "BTCUSDT"),
    size: "0.01",
    clientOid,
  });
  const info = (clientOid: string): Promise<unknown> => get(`spot/trade/orderInfo?clientOid=${clientOid}`);

  it("rests with its coins frozen, and its limit price is under another key in the open list", async () => {
    const { price } = order("");
    await post("spot/trade/place-order", order("spot-1"));
    expect(await info("spot-1")).toMatchObject([{ status: "live", price: `${price}00000000000000`, size: "0.0100000000000000" }]);
    const [open] = (await get("spot/trade/unfilled-orders")) as readonly Record<string, unknown>[];
    expect(open).toMatchObject({ clientOid: "spot-1", priceAvg: `${price}00000000000000`, basePrice: "0.0000000000000000" });
    expect(open).not.toHaveProperty("price");
    const [usdt] = (await get("spot/account/assets?coin=usdt")) as readonly { readonly frozen: string }[];
    expect(usdt?.frozen).not.toBe("0");
    expect((await post("spot/trade/cancel-order", { symbol: "BTCUSDT", clientOid: "spot-1" })).code).toBe("00000");
    expect(await info("spot-1")).toMatchObject([{ status: "cancelled", cancelReason: "normal_cancel" }]);
    expect(await get("spot/account/assets?coin=usdt")).toMatchObject([{ frozen: "0" }]);
    expect((await post("spot/trade/cancel-order", { symbol: "BTCUSDT", clientOid: "spot-1" })).code).toBe("43001");
  });

  it("spends a market buy's size as quote coin and says its fee as JSON text with bare, negative numbers", async () => {
    const buy = { symbol: "ETHUSDT", side: "buy", orderType: "market", force: "gtc", size: "200", clientOid: "spot-2" };
    expect((await post("spot/trade/place-order", buy)).code).toBe("00000");
    const [order] = (await info("spot-2")) as readonly { readonly feeDetail: string }[];
    expect(order).toMatchObject({ status: "filled", size: "200.0000000000000000" });
    expect(order?.feeDetail).toMatch(/"totalFee":-0\.\d+[,}]/);
    expect(JSON.parse(order?.feeDetail ?? "")).toMatchObject({ ETH: { feeCoinCode: "ETH" }, newFees: { c: 0 } });
    expect(await get("spot/trade/fills?symbol=ETHUSDT&limit=1")).toMatchObject([
      { feeDetail: { feeCoin: "ETH", deduction: "no" } },
    ]);
  });

  it("is replaced by another, or says inside a success why not", async () => {
    await post("spot/trade/place-order", order("spot-3"));
    const { price } = order("");
    const replaced = await post("spot/trade/cancel-replace-order", {
      symbol: "BTCUSDT",
      clientOid: "spot-3",
      price,
      size: "0.02",
      newClientOid: "spot-4",
    });
    expect(replaced.data).toMatchObject({ success: "success", orderId: expect.stringMatching(/^\d{19}$/) });
    expect(await info("spot-3")).toMatchObject([{ status: "cancelled" }]);
    expect(await info("spot-4")).toMatchObject([{ status: "live", size: "0.0200000000000000" }]);
    const failed = await post("spot/trade/cancel-replace-order", { symbol: "BTCUSDT", clientOid: "nobody", price, size: "0.02" });
    expect([failed.code, failed.data]).toEqual([
      "00000",
      { orderId: null, clientOid: null, success: "failure", msg: expect.any(String) },
    ]);
    await post("spot/trade/cancel-order", { symbol: "BTCUSDT", clientOid: "spot-4" });
  });

  it("that arrives after its receive window is refused", async () => {
    const sent = { requestTime: String(clock.now() - 100), receiveWindow: "100" };
    expect((await post("spot/trade/place-order", { ...order("spot-5"), ...sent })).code).toBe("00000");
    expect((await post("spot/trade/place-order", { ...order("spot-6"), ...sent, receiveWindow: "99" })).code).toBe("40078");
    expect((await post("spot/trade/place-order", { ...order("spot-6"), ...sent, receiveWindow: "60000" })).code).toBe("40079");
    const read = async (path: string, receiveWindow: string) => {
      const query = `clientOid=spot-5&requestTime=${sent.requestTime}&receiveWindow=${receiveWindow}`;
      return (await signedCall(sandbox, credentialOf("classic"), `/api/v2/spot/trade/${path}?${query}`)).code;
    };
    for (const path of ["orderInfo", "unfilled-orders", "history-orders"])
      expect([await read(path, "100"), await read(path, "99"), await read(path, "60000")]).toEqual(["00000", "40078", "40079"]);
    await post("spot/trade/cancel-order", { symbol: "BTCUSDT", clientOid: "spot-5" });
  });

  it("that waits for a trigger is in a separate list", async () => {
    const { clientOid: _, ...plain } = order("");
    const waiting = { ...plain, tpslType: "tpsl", triggerPrice: belowMarket(sandbox, "SPOT", "BTCUSDT", 2) };
    const { data } = await post("spot/trade/place-order", waiting);
    const { orderId } = data as { readonly orderId: string };
    expect(await get("spot/trade/unfilled-orders?tpslType=tpsl")).toMatchObject([{ orderId, tpslType: "tpsl", status: "live" }]);
    expect(await get("spot/trade/unfilled-orders")).toEqual([]);
    const codeOf = async (change: object) => (await post("spot/trade/place-order", { ...waiting, ...change })).code;
    const wrong = [
      { size: "0.0000001" },
      { size: "0.0000000" },
      { price: "1.001" },
      { triggerPrice: "1.001" },
      { symbol: "NOPE" },
    ];
    expect(await Promise.all(wrong.map(codeOf))).toEqual(["40808", "40020", "41103", "41103", "42016"]);
    expect((await post("spot/trade/cancel-order", { orderId, tpslType: "tpsl" })).code).toBe("00000");
    expect(await get("spot/trade/unfilled-orders?tpslType=tpsl")).toEqual([]);
  });
});

describe("a Classic futures order", () => {
  const base = {
    symbol: "ETHUSDT",
    productType: "usdt-futures",
    marginMode: "crossed",
    marginCoin: "USDT",
    orderType: "market",
    size: "0.5",
  };
  const position = (account: Account): Promise<unknown> =>
    get("mix/position/single-position?symbol=ETHUSDT&productType=USDT-FUTURES&marginCoin=USDT", account);

  it("in one-way mode opens and reduces by its side, and has no trade side", async () => {
    expect((await post("mix/order/place-order", { ...base, side: "buy", tradeSide: "open" })).code).toBe("40774");
    const { data } = await post("mix/order/place-order", { ...base, side: "buy", clientOid: "one-1" });
    const { orderId } = data as { readonly orderId: string };
    const detail = await get(`mix/order/detail?symbol=ETHUSDT&productType=usdt-futures&orderId=${orderId}`);
    expect(detail).toMatchObject({
      state: "filled",
      side: "buy",
      tradeSide: "buy_single",
      posSide: "net",
      posMode: "one_way_mode",
    });
    expect(detail).not.toHaveProperty("status");
    expect(await position("classic")).toMatchObject([{ holdSide: "long", total: "0.5", totalFee: "", autoMargin: "off" }]);
    expect((await post("mix/order/place-order", { ...base, side: "sell", reduceOnly: "YES" })).code).toBe("00000");
    expect(await position("classic")).toEqual([]);
    expect((await post("mix/order/place-order", { ...base, side: "sell", reduceOnly: "YES" })).code).toBe("22002");
  });

  it("in hedge mode names the position by its side: closing a long is buy and close", async () => {
    const open = { ...base, side: "buy", tradeSide: "open" };
    expect((await post("mix/order/place-order", open, "broker")).code).toBe("00000");
    expect(await position("broker")).toMatchObject([{ holdSide: "long", posMode: "hedge_mode", total: "0.5" }]);
    const close = { ...open, tradeSide: "close", size: "0.2", clientOid: "hedge-close" };
    expect((await post("mix/order/place-order", close, "broker")).code).toBe("00000");
    expect(await position("broker")).toMatchObject([{ holdSide: "long", total: "0.3" }]);
    const history = await get("mix/order/orders-history?productType=usdt-futures&clientOid=hedge-close", "broker");
    expect(history).toMatchObject({ entrustedList: [{ side: "buy", tradeSide: "close", posSide: "long", status: "filled" }] });
    const fills = await get("mix/order/fills?productType=usdt-futures&symbol=ETHUSDT&limit=1", "broker");
    expect(fills).toMatchObject({
      fillList: [{ side: "buy", tradeSide: "close", feeDetail: [{ totalFee: expect.stringMatching(/^-/) }] }],
    });
    expect((await post("mix/order/place-order", { ...base, side: "buy" }, "broker")).code).toBe("400172");
  });

  it("is changed by a new order that is found by its own client id", async () => {
    const resting = {
      ...base,
      orderType: "limit",
      price: belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT"),
      side: "buy",
      clientOid: "old",
    };
    await post("mix/order/place-order", resting);
    const change = { symbol: "ETHUSDT", productType: "usdt-futures", clientOid: "old", newClientOid: "new" };
    const lower = belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT", 4);
    const codeOf = async (body: object) => (await post("mix/order/modify-order", { ...change, ...body })).code;
    expect([await codeOf({ newPrice: lower }), await codeOf({ newSize: "0.4" })]).toEqual(["40925", "40925"]);
    const both = { newPrice: lower, newSize: "0.4" };
    expect([await codeOf({ ...both, newClientOid: undefined }), await codeOf({ newClientOid: "x".repeat(65) })]).toEqual([
      "22003",
      "40305",
    ]);
    expect([await codeOf({}), await codeOf({ newPrice: resting.price, newSize: "0.50" })]).toEqual(["40923", "40923"]);
    expect(await codeOf({ newPresetStopLossPrice: "1" })).toBe("00000");
    expect(await get("mix/order/orders-pending?productType=usdt-futures")).toMatchObject({
      entrustedList: [{ clientOid: "old", presetStopLossPrice: "1" }],
    });
    expect((await post("mix/order/modify-order", { ...change, newPrice: lower, newSize: "0.4" })).code).toBe("00000");
    const pending = await get("mix/order/orders-pending?productType=usdt-futures");
    expect(pending).toMatchObject({
      entrustedList: [{ clientOid: "new", size: "0.4", fee: "", priceAvg: "", status: "live", presetStopLossPrice: "1" }],
    });
    await post("mix/order/cancel-order", { symbol: "ETHUSDT", productType: "usdt-futures", clientOid: "new" });
    expect(await get("mix/order/orders-pending?productType=usdt-futures")).toEqual({ entrustedList: null, endId: null });
  });

  it("is one of its category under a demo product type", async () => {
    const price = belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT");
    const demo = { ...base, productType: "susdt-futures", side: "buy", orderType: "limit", price, clientOid: "demo" };
    expect((await post("mix/order/place-order", demo)).code).toBe("00000");
    expect(await get("mix/order/orders-pending?productType=SUSDT-FUTURES")).toMatchObject({
      entrustedList: [{ clientOid: "demo" }],
    });
    expect(await get("mix/account/accounts?productType=SUSDT-FUTURES")).toMatchObject([{ marginCoin: "USDT" }]);
    await post("mix/order/cancel-order", { symbol: "ETHUSDT", productType: "usdt-futures", clientOid: "demo" });
  });
});

describe("plans, margin and modes of a Classic account", () => {
  const of = { symbol: "SOLUSDT", productType: "usdt-futures", marginCoin: "USDT" };
  const stopLoss = { ...of, holdSide: "buy", triggerPrice: "1" };

  it("take a stop-loss of a part and of the whole position, and show the latter with the position", async () => {
    await post("mix/order/place-order", { ...of, marginMode: "crossed", orderType: "market", side: "buy", size: "4" });
    const part = await post("mix/order/place-tpsl-order", { ...stopLoss, planType: "loss_plan", size: "2", clientOid: "loss-1" });
    const whole = await post("mix/order/place-tpsl-order", { ...stopLoss, planType: "pos_loss", triggerType: "mark_price" });
    expect([part.code, whole.code]).toEqual(["00000", "00000"]);
    const pending = await get("mix/order/orders-plan-pending?productType=usdt-futures&planType=profit_loss&symbol=SOLUSDT");
    const rows = (pending as { readonly entrustedList: readonly { readonly planType: string }[] }).entrustedList;
    expect(new Set(rows.map(({ planType }) => planType))).toEqual(new Set(["loss_plan", "pos_loss"]));
    const positions = (await get("mix/position/all-position?productType=usdt-futures")) as readonly { readonly symbol: string }[];
    expect(positions.find(({ symbol }) => symbol === "SOLUSDT")).toMatchObject({ stopLoss: "1", takeProfit: "" });
    const cancel = { ...of, planType: "profit_loss", orderIdList: [{ clientOid: "loss-1" }, { orderId: "1" }] };
    const { data } = await post("mix/order/cancel-plan-order", cancel);
    expect(data).toMatchObject({
      successList: [{ clientOid: "loss-1" }],
      failureList: [{ orderId: "1", errorMsg: expect.any(String) }],
    });
  });

  it("name a one-way position by the side that opened it, and a hedged one by its own", async () => {
    const plan = { ...stopLoss, planType: "loss_plan", size: "1" };
    expect((await post("mix/order/place-tpsl-order", { ...plan, holdSide: "long" })).code).toBe("40774");
    expect((await post("mix/order/place-tpsl-order", plan, "broker")).code).toBe("40774");
    expect((await post("mix/order/place-tpsl-order", { ...plan, holdSide: "long" }, "broker")).code).toBe("43023");
  });

  it("move margin of an isolated position, and refuse it for a crossed one", async () => {
    const margin = { ...of, holdSide: "long", amount: "10" };
    expect((await post("mix/account/set-margin", margin)).code).toBe("40875");
    const isolated = { ...of, symbol: "LTCUSDT" };
    expect((await post("mix/account/set-margin-mode", { ...isolated, marginMode: "isolated" })).data).toMatchObject({
      marginMode: "isolated",
    });
    await post("mix/order/place-order", { ...isolated, marginMode: "isolated", orderType: "market", side: "buy", size: "5" });
    const added = await post("mix/account/set-margin", { ...margin, symbol: "LTCUSDT" });
    expect([added.code, added.data]).toEqual(["00000", ""]);
    expect((await post("mix/account/set-margin", { ...margin, symbol: "LTCUSDT", amount: "-100000" })).code).toBe("40801");
    expect((await post("mix/account/set-margin-mode", { ...isolated, marginMode: "crossed" })).code).toBe("45117");
  });

  it("are those of the category under its demo product type", async () => {
    const demo = { ...of, symbol: "AVAXUSDT", productType: "susdt-futures" };
    expect((await post("mix/account/set-margin-mode", { ...demo, marginMode: "isolated" })).code).toBe("00000");
    await post("mix/order/place-order", { ...demo, marginMode: "isolated", orderType: "market", side: "buy", size: "4" });
    const added = await post("mix/account/set-margin", { ...demo, productType: "SUSDT-FUTURES", holdSide: "long", amount: "5" });
    expect([added.code, added.data]).toEqual(["00000", ""]);
    const plan = await post("mix/order/place-tpsl-order", { ...stopLoss, ...demo, planType: "pos_loss", clientOid: "demo-loss" });
    expect(plan).toMatchObject({ code: "00000", data: { clientOid: "demo-loss" } });
    for (const productType of ["susdt-futures", "usdt-futures"]) {
      const plans = await get(`mix/order/orders-plan-pending?productType=${productType}&planType=profit_loss&symbol=AVAXUSDT`);
      expect(plans).toMatchObject({ entrustedList: [{ clientOid: "demo-loss" }] });
    }
    const others = { ...stopLoss, productType: "scoin-futures", planType: "pos_loss" };
    expect((await post("mix/order/place-tpsl-order", others)).code).toBe("40034");
  });

  it("set leverage and position mode", async () => {
    const set = await post("mix/account/set-leverage", { ...of, symbol: "BTCUSDT", leverage: "30" });
    expect(set.data).toMatchObject({ symbol: "BTCUSDT", crossMarginLeverage: "30", longLeverage: "30", marginMode: "crossed" });
    const codeFor = async (leverage: string) =>
      (await post("mix/account/set-leverage", { ...of, symbol: "BTCUSDT", leverage })).code;
    expect(await Promise.all(["30.00", "30.5", "0", "151"].map(codeFor))).toEqual(["00000", "40020", "40020", "45044"]);
    const mode = { productType: "coin-futures", posMode: "hedge_mode" };
    expect((await post("mix/account/set-position-mode", mode)).data).toEqual({ posMode: "hedge_mode" });
    expect((await post("mix/account/set-position-mode", { ...mode, productType: "usdt-futures" })).code).toBe("40920");
  });
});

describe("the upgrade to a unified account", () => {
  it("takes a minute, in which neither API version serves the account", async () => {
    expect(await get("spot/account/upgrade-status", "broker")).toMatchObject({ status: "fail" });
    const { code, data } = await post("spot/account/upgrade", {}, "broker");
    expect([code, data]).toEqual(["00000", null]);
    expect(await get("spot/account/upgrade-status", "broker")).toEqual({ status: "process" });
    expect((await post("spot/account/upgrade", {}, "broker")).code).toBe("00000");
    expect(await get("spot/account/upgrade-status", "broker")).toEqual({ status: "process" });
    const meanwhile = await signedCall(sandbox, credentialOf("broker"), "/api/v2/spot/account/assets");
    expect(meanwhile.code).toBe("40115");
    const settings = await signedCall(sandbox, credentialOf("broker"), "/api/v3/account/settings");
    expect(settings.data).toMatchObject({ accountMode: "upgrading" });
    clock.advance(60_200);
    expect(await get("spot/account/upgrade-status", "broker")).toEqual({ status: "success" });
    const { data: back } = await signedCall(sandbox, credentialOf("broker"), "/api/v3/account/switch-status");
    expect(back).toEqual({ status: "fail", reason: "not_requested" });
    expect((await signedCall(sandbox, credentialOf("broker"), "/api/v3/account/assets")).code).toBe("00000");
    expect((await signedCall(sandbox, credentialOf("broker"), "/api/v2/spot/account/assets")).code).toBe("40085");
  });
});
