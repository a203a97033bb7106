import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { fileSandbox } from "../support/fileSandbox.js";
import { belowMarket } from "../support/prices.js";
import { credentialOf, type Reply, signedCall } from "../support/signedCall.js";

/** Classic names an order by its id together with its market: an id alone opens no other market's door. */

const clock = new ManualClock(1_767_225_600_000);
const sandbox = await fileSandbox({ clock, hasPast: false });

const post = (path: string, body: object): Promise<Reply> =>
  signedCall(sandbox, credentialOf("classic"), `/api/v2/${path}`, { method: "POST", body: JSON.stringify(body) });
const get = (target: string): Promise<Reply> => signedCall(sandbox, credentialOf("classic"), `/api/v2/${target}`);
const codeOf = async (path: string, body: object) => (await post(path, body)).code;
const futures = (clientOid: string, symbol = "BTCUSDT") => ({
  ...{ symbol, productType: "usdt-futures", marginMode: "crossed", marginCoin: "USDT", side: "buy", orderType: "limit" },
  ...{ price: belowMarket(sandbox, "USDT-FUTURES", symbol), size: "0.5", clientOid },
});
const spot = (clientOid: string) => ({
  ...{ symbol: "BTCUSDT", side: "buy", orderType: "limit", force: "gtc" },
  ...{ price: belowMarket(sandbox, "SPOT", "BTCUSDT"), size: "0.01", clientOid },
});
const idOf = ({ data }: Reply): string => (data as { readonly orderId: string }).orderId;

describe("a Classic order is found in its own market alone", () => {
  it("by spot no futures order, and by futures none of another symbol or product type", async () => {
    const orderId = idOf(await post("mix/order/place-order", futures("a")));
    const { price } = spot("");
    expect(await codeOf("spot/trade/cancel-order", { symbol: "BTCUSDT", orderId })).toBe("43001");
    const replaced = await post("spot/trade/cancel-replace-order", { symbol: "BTCUSDT", orderId, price, size: "0.01" });
    expect(replaced.data).toMatchObject({ success: "failure" });
    const cancel = { symbol: "BTCUSDT", productType: "USDT-FUTURES", orderId };
    expect(await codeOf("mix/order/cancel-order", { ...cancel, symbol: "ETHUSDT" })).toBe("40768");
    expect(await codeOf("mix/order/cancel-order", { ...cancel, productType: "USDC-FUTURES" })).toBe("40768");
    const change = { ...cancel, symbol: "ETHUSDT", newClientOid: "b", newPrice: price, newSize: "0.4" };
    expect(await codeOf("mix/order/modify-order", change)).toBe("40768");
    expect((await get(`mix/order/detail?symbol=BTCUSDT&productType=USDC-FUTURES&orderId=${orderId}`)).code).toBe("40109");
    expect(await codeOf("mix/order/cancel-order", { ...cancel, symbol: "btcusdt" })).toBe("00000");
  });

  it("by the client's id, which spot and futures keep apart", async () => {
    expect(await codeOf("mix/order/place-order", futures("same"))).toBe("00000");
    expect(await codeOf("spot/trade/place-order", spot("same"))).toBe("00000");
    expect(await codeOf("mix/order/place-order", futures("same", "ETHUSDT"))).toBe("40786");
    expect(await codeOf("spot/trade/place-order", spot("same"))).toBe("43118");
    const detail = await get("mix/order/detail?symbol=BTCUSDT&productType=USDT-FUTURES&clientOid=same");
    expect(detail.data).toMatchObject({ marginCoin: "USDT", state: "live" });
    expect((await get("spot/trade/orderInfo?clientOid=same")).data).toMatchObject([{ size: "0.0100000000000000" }]);
    expect(await codeOf("mix/order/cancel-order", { ...futures("same") })).toBe("00000");
    expect((await get("spot/trade/orderInfo?clientOid=same")).data).toMatchObject([{ status: "live" }]);
    expect(await codeOf("spot/trade/cancel-order", { symbol: "BTCUSDT", clientOid: "same" })).toBe("00000");
  });

  it("and so is a plan", async () => {
    await post("mix/order/place-order", { ...futures("held", "SOLUSDT"), orderType: "market", size: "4" });
    const of = { symbol: "SOLUSDT", productType: "usdt-futures", marginCoin: "USDT" };
    const tpsl = { ...of, planType: "loss_plan", holdSide: "buy", triggerPrice: "1", size: "1", clientOid: "stop" };
    expect(await codeOf("mix/order/place-tpsl-order", tpsl)).toBe("00000");
    const { clientOid: _, ...plain } = spot("");
    const triggerPrice = belowMarket(sandbox, "SPOT", "BTCUSDT", 2);
    const orderId = idOf(await post("spot/trade/place-order", { ...plain, tpslType: "tpsl", triggerPrice }));
    expect(await codeOf("spot/trade/cancel-order", { tpslType: "tpsl", clientOid: "stop" })).toBe("43025");
    expect(await codeOf("spot/trade/cancel-order", { tpslType: "tpsl", symbol: "ETHUSDT", orderId })).toBe("43025");
    const cancelled = async (asked: object) => (await post("mix/order/cancel-plan-order", { ...of, ...asked })).data;
    expect(await cancelled({ symbol: "ETHUSDT", orderIdList: [{ clientOid: "stop" }] })).toMatchObject({ successList: [] });
    expect(await cancelled({ symbol: undefined, orderIdList: [{ orderId }] })).toMatchObject({ successList: [] });
    expect(await cancelled({ orderIdList: [{ clientOid: "stop" }] })).toMatchObject({ successList: [{ clientOid: "stop" }] });
    expect(await codeOf("spot/trade/cancel-order", { tpslType: "tpsl", orderId })).toBe("00000");
  });
});

describe("a Classic futures call names the coin that the contract is settled in", () => {
  const of = { symbol: "ETHUSDT", productType: "USDT-FUTURES", marginCoin: "BTC" };

  it.each([
    ["mix/account/set-margin", { holdSide: "long", amount: "1" }],
    ["mix/account/set-leverage", { leverage: "7" }],
    ["mix/account/set-margin-mode", { marginMode: "isolated" }],
    ["mix/order/place-tpsl-order", { planType: "pos_loss", triggerPrice: "1", holdSide: "buy" }],
    ["mix/order/place-order", { marginMode: "crossed", side: "buy", orderType: "market", size: "1" }],
  ])("%s", async (path, body) => {
    const { code, msg } = await post(path, { ...of, ...body });
    expect([code, msg]).toEqual(["40034", "Parameter marginCoin does not exist"]);
  });

  it("mix/account/account, which refuses an unlisted coin", async () => {
    const target = "mix/account/account?symbol=ETHUSDT&productType=USDT-FUTURES&marginCoin=";
    expect((await get(`${target}XYZ`)).code).toBe("40034");
    expect((await get(`${target}usdt`)).data).toMatchObject({ marginCoin: "USDT" });
  });
});

describe("the margin mode that an order states", () => {
  const order = (marginMode: string) => ({
    ...futures("", "LINKUSDT"),
    orderType: "market",
    size: "10",
    marginMode,
    clientOid: "",
  });
  const modes = async () => {
    const { data } = await get("mix/position/single-position?symbol=LINKUSDT&productType=USDT-FUTURES&marginCoin=USDT");
    return (data as readonly { readonly marginMode: string; readonly total: string }[]).map((row) => [row.marginMode, row.total]);
  };

  it("is the symbol's as long as something is open, for every order after it", async () => {
    expect(await codeOf("mix/order/place-order", order("isolated"))).toBe("00000");
    expect(await codeOf("mix/order/place-order", order("isolated"))).toBe("00000");
    expect(await codeOf("mix/order/place-order", order("crossed"))).toBe("45117");
    expect(await modes()).toEqual([["isolated", "20"]]);
    expect(await codeOf("mix/order/place-order", { ...order("isolated"), side: "sell", size: "20" })).toBe("00000");
    expect(await codeOf("mix/order/place-order", order("crossed"))).toBe("00000");
    expect(await modes()).toEqual([["crossed", "10"]]);
  });
});
