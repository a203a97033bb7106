import { ManualClock } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { belowMarket } from "../support/prices.js";
import { credentialOf, type Reply, signedCall } from "../support/signedCall.js";

type Row = Readonly<Record<string, string>>;

const clock = new ManualClock(1_767_225_600_000);
let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ clock, hasPast: false, enforceLimits: false });
});
afterEach(() => sandbox.close());

const post = (path: string, body: object): Promise<Reply> =>
  signedCall(sandbox, credentialOf("main"), `/api/v3/${path}`, { method: "POST", body: JSON.stringify(body) });
const get = async (target: string): Promise<unknown> => {
  const { code, data, msg } = await signedCall(sandbox, credentialOf("main"), `/api/v3/${target}`);
  expect([code, msg]).toEqual(["00000", "success"]);
  return data;
};
const waiting = async (category: string) =>
  (await get(`trade/unfilled-strategy-orders?category=${category}&type=trigger`)) as Row[];
/** Lets time pass until no trigger order of a category waits. */
const triggered = async (category: string): Promise<void> => {
  for (let minute = 0; minute < 3_000 && (await waiting(category)).length > 0; minute++) clock.advance(60_000);
  expect(await waiting(category)).toEqual([]);
};
const held = async (coin: string): Promise<string> => {
  const { assets } = (await get("account/assets")) as { readonly assets: readonly Row[] };
  return assets.find((asset) => asset.coin === coin)?.balance ?? "0";
};

describe("a trigger order of a unified account", () => {
  it("on futures waits, places its order at its price, and opens a position that the account pays for", async () => {
    const trigger = { category: "USDT-FUTURES", symbol: "ETHUSDT", type: "trigger", side: "buy", qty: "0.5" };
    const triggerPrice = belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT", 0.1);
    const before = await held("USDT");
    const { code, data } = await post("trade/place-strategy-order", { ...trigger, triggerPrice, clientOid: "wait-1" });
    expect(code).toBe("00000");
    expect(await waiting("USDT-FUTURES")).toMatchObject([
      { type: "trigger", clientOid: "wait-1", triggerPrice, triggerOrderType: "market" },
    ]);
    expect(await held("USDT")).toBe(before);
    await triggered("USDT-FUTURES");
    const { list: ended } = (await get("trade/history-strategy-orders?category=USDT-FUTURES&type=trigger")) as { list: Row[] };
    expect(ended).toMatchObject([{ orderId: (data as Row).orderId, status: "success" }]);
    const { list: positions } = (await get("position/current-position?category=USDT-FUTURES&symbol=ETHUSDT")) as { list: Row[] };
    expect(positions).toMatchObject([{ posSide: "long", total: "0.5" }]);
    expect(exact(await held("USDT")).lt(exact(before))).toBe(true);
  });

  it("on spot spends what its quantity costs at its price", async () => {
    const triggerPrice = belowMarket(sandbox, "SPOT", "ETHUSDT", 0.1);
    const before = { ETH: await held("ETH"), USDT: await held("USDT") };
    const order = { category: "SPOT", symbol: "ETHUSDT", type: "trigger", side: "buy", qty: "0.5", triggerPrice };
    expect((await post("trade/place-strategy-order", order)).code).toBe("00000");
    expect(await waiting("SPOT")).toMatchObject([{ category: "SPOT", symbol: "ETHUSDT", qty: "0.5" }]);
    await triggered("SPOT");
    const spent = exact(before.USDT).minus(exact(await held("USDT")));
    const most = exact(triggerPrice).times("0.5");
    expect([spent.gt(most.times("0.99")), spent.lte(most)]).toEqual([true, true]);
    const bought = exact(await held("ETH")).minus(exact(before.ETH));
    expect([bought.gt("0.49"), bought.lt("0.51")]).toEqual([true, true]);
  });

  it("on spot sells at its limit price, and is cancelled by its id in any category", async () => {
    const triggerPrice = belowMarket(sandbox, "SPOT", "BTCUSDT", 5);
    const order = { category: "SPOT", symbol: "BTCUSDT", type: "trigger", side: "sell", qty: "0.01", triggerPrice };
    const limit = { triggerOrderType: "limit", triggerOrderPrice: triggerPrice, clientOid: "sell-1" };
    expect((await post("trade/place-strategy-order", { ...order, ...limit })).code).toBe("00000");
    expect(await waiting("SPOT")).toMatchObject([{ side: "sell", triggerOrderPrice: plain(exact(triggerPrice)), qty: "0.01" }]);
    expect(await waiting("USDT-FUTURES")).toEqual([]);
    expect((await post("trade/cancel-strategy-order", { clientOid: "sell-1" })).code).toBe("00000");
    expect(await waiting("SPOT")).toEqual([]);
  });

  it.each([
    ["a trigger price", { side: "buy", qty: "1" }],
    ["a side", { qty: "1", triggerPrice: "1000" }],
    ["a quantity", { side: "buy", triggerPrice: "1000" }],
    ["the limit price of a limit order", { side: "buy", qty: "1", triggerPrice: "1000", triggerOrderType: "limit" }],
  ])("is refused without %s", async (_, terms) => {
    const { code } = await post("trade/place-strategy-order", {
      category: "USDT-FUTURES",
      symbol: "ETHUSDT",
      type: "trigger",
      ...terms,
    });
    expect(code).not.toBe("00000");
    expect(await waiting("USDT-FUTURES")).toEqual([]);
  });

  it("closes positions on futures alone, with their side", async () => {
    const close = { symbol: "ETHUSDT", stopLoss: "100" };
    expect((await post("trade/place-strategy-order", { ...close, category: "SPOT", posSide: "long" })).code).not.toBe("00000");
    expect((await post("trade/place-strategy-order", { ...close, category: "USDT-FUTURES" })).code).not.toBe("00000");
  });
});

describe("the tiers of a coin in margin trading", () => {
  const tiers = async (target: string) =>
    signedCall(sandbox, credentialOf("main"), `/api/v3/market/position-tier?category=MARGIN${target}`);

  it("touch, and begin with the leverage that an account may set for it", async () => {
    const { data } = await tiers("&coin=btc");
    expect(data).toEqual([
      { tier: "1", minTierValue: "0", maxTierValue: "100000", leverage: "5", mmr: "0.05" },
      { tier: "2", minTierValue: "100000", maxTierValue: "500000", leverage: "4", mmr: "0.1" },
      { tier: "3", minTierValue: "500000", maxTierValue: "2000000", leverage: "3", mmr: "0.15" },
    ]);
    const set = (leverage: string) => post("account/set-leverage", { category: "MARGIN", coin: "BTC", leverage });
    expect([(await set("5")).code, (await set("6")).code === "00000"]).toEqual(["00000", false]);
  });

  it("are none of a coin that cannot be borrowed, and need the coin", async () => {
    expect((await tiers("&coin=NONESUCH")).data).toEqual([]);
    expect((await tiers("&symbol=BTCUSDT")).code).not.toBe("00000");
  });
});
