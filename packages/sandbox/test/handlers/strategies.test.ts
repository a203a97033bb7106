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
const get = async <T>(target: string): Promise<T> => {
  const { code, data, msg } = await signedCall(sandbox, credentialOf("main"), `/api/v3/${target}`);
  expect([code, msg]).toEqual(["00000", "success"]);
  return data as T;
};

const place = async (type: string, terms: object): Promise<string> => {
  const { code, msg, data } = await post("trade/place-strategy-order", { type, ...terms });
  expect([code, msg]).toEqual(["00000", "success"]);
  return (data as Row).orderId ?? "";
};
const waiting = (category: string, type: string) =>
  get<readonly Row[]>(`trade/unfilled-strategy-orders?category=${category}&type=${type}`);
const ended = async (category: string, type: string) =>
  (await get<{ readonly list: readonly Row[] }>(`trade/history-strategy-orders?category=${category}&type=${type}`)).list;
const subOrders = async (orderId: string) =>
  (await get<{ readonly list: readonly Row[] }>(`trade/strategy-sub-orders?orderId=${orderId}`)).list;
const openOrders = async (category: string) =>
  (await get<{ readonly list: readonly Row[] }>(`trade/unfilled-orders?category=${category}`)).list;
/** Lets time pass until this holds. */
const until = async (holds: () => Promise<boolean>, stepMs = 60_000): Promise<void> => {
  for (let step = 0; step < 3_000 && !(await holds()); step++) clock.advance(stepMs);
  expect(await holds()).toBe(true);
};
const filledOf = (rows: readonly Row[]): string =>
  plain(rows.reduce((sum, { cumExecQty = "0" }) => sum.plus(exact(cumExecQty)), exact("0")));

/** Lets time pass until no trigger order of a category waits. */
const triggered = (category: string) => until(async () => (await waiting(category, "trigger")).length === 0);
const held = async (coin: string): Promise<string> => {
  const { assets } = await get<{ readonly assets: readonly Row[] }>("account/assets");
  return assets.find((asset) => asset.coin === coin)?.balance ?? "0";
};

const FUTURES = { category: "USDT-FUTURES", symbol: "ETHUSDT" } as const;
const SPOT = { category: "SPOT", symbol: "ETHUSDT" } as const;

describe("a TWAP order", () => {
  it.each([FUTURES, SPOT, { ...SPOT, category: "MARGIN" }])(
    "on $category places equal parts at its interval, and ends with the last one",
    async (market) => {
      const twapParams = [{ duration: "1", interval: "10" }];
      const orderId = await place("twap", { ...market, side: "sell", qty: "0.7", twapParams });
      expect(await waiting(market.category, "twap")).toMatchObject([
        { orderId, type: "twap", status: "pending", qty: "0.7", twapParams: [{ duration: "1", interval: "10" }], ocoParams: [] },
      ]);
      clock.advance(11_000);
      expect(await subOrders(orderId)).toMatchObject([{ side: "sell", status: "filled" }, { status: "filled" }]);
      await until(async () => (await waiting(market.category, "twap")).length === 0, 1_000);
      expect(await ended(market.category, "twap")).toMatchObject([{ orderId, status: "success" }]);
      const parts = await subOrders(orderId);
      expect([parts.length, filledOf(parts)]).toEqual([6, "0.7"]);
    },
  );

  it("stops with its cancellation: later parts are not placed", async () => {
    const orderId = await place("twap", { ...FUTURES, side: "buy", qty: "0.6", twapParams: { duration: "1", interval: "10" } });
    clock.advance(11_000);
    expect((await post("trade/cancel-strategy-order", { orderId })).data).toBeNull();
    clock.advance(120_000);
    expect(filledOf(await subOrders(orderId))).toBe("0.2");
    expect(await ended("USDT-FUTURES", "twap")).toMatchObject([{ orderId, status: "cancelled" }]);
  });

  it("waits for its trigger price, and ends at its termination price", async () => {
    const twapTriggerPrice = belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT", 0.3);
    const params = { duration: "1440", interval: "60", twapTriggerPrice };
    const begins = await place("twap", { ...FUTURES, side: "buy", qty: "14.4", twapParams: [params] });
    const ends = await place("twap", {
      ...FUTURES,
      side: "buy",
      qty: "14.4",
      twapParams: [{ duration: "1440", interval: "60", twapTerminationPrice: twapTriggerPrice }],
    });
    clock.advance(1_000);
    expect(await subOrders(begins)).toEqual([]);
    await until(async () => (await subOrders(begins)).length > 0);
    expect(await ended("USDT-FUTURES", "twap")).toMatchObject([{ orderId: ends, status: "cancelled" }]);
  });
});

describe("an iceberg order", () => {
  it("has one part in the book at a time, and ends when all are filled", async () => {
    const icebergParams = [
      { splitMode: "order", splitOrderNumbers: "4", orderPreference: "faster_execution", executionStrategy: "counterparty1" },
    ];
    const orderId = await place("iceberg", { ...FUTURES, side: "buy", qty: "0.4", icebergParams });
    expect(await waiting("USDT-FUTURES", "iceberg")).toMatchObject([{ orderId, icebergParams }]);
    await until(async () => (await waiting("USDT-FUTURES", "iceberg")).length === 0, 1_000);
    expect(await ended("USDT-FUTURES", "iceberg")).toMatchObject([{ orderId, status: "success" }]);
    expect((await subOrders(orderId)).map(({ qty }) => qty)).toEqual(["0.1", "0.1", "0.1", "0.1"]);
    expect(filledOf(await subOrders(orderId))).toBe("0.4");
  });

  it("takes its part out of the book with its cancellation", async () => {
    const fixedPrice = belowMarket(sandbox, "SPOT", "ETHUSDT", 4);
    const icebergParams = [{ splitMode: "quantity", qtyPerOrder: "0.1", orderPreference: "fixed_price", fixedPrice }];
    const orderId = await place("iceberg", { ...SPOT, side: "buy", qty: "0.4", icebergParams });
    clock.advance(1_000);
    expect(await openOrders("SPOT")).toMatchObject([{ qty: "0.1" }]);
    await post("trade/cancel-strategy-order", { orderId });
    expect(await openOrders("SPOT")).toEqual([]);
    expect(await subOrders(orderId)).toMatchObject([{ status: "cancelled", cumExecQty: "0" }]);
  });
});

describe("an OCO order", () => {
  const sell = () => ({
    ...SPOT,
    side: "sell",
    qty: "0.2",
    ocoParams: [
      {
        ocoLimitPrice: belowMarket(sandbox, "SPOT", "ETHUSDT", -4),
        ocoTriggerPrice: belowMarket(sandbox, "SPOT", "ETHUSDT", 0.2),
        ocoOrderType: "market",
      },
    ],
  });

  it("has its limit order in the book, and places the other one in its place at its trigger", async () => {
    const orderId = await place("oco", sell());
    expect(await openOrders("SPOT")).toMatchObject([{ side: "sell", qty: "0.2" }]);
    await until(async () => (await waiting("SPOT", "oco")).length === 0);
    expect(await openOrders("SPOT")).toEqual([]);
    expect(await subOrders(orderId)).toMatchObject([
      { status: "filled", cumExecQty: "0.2" },
      { status: "cancelled", cumExecQty: "0" },
    ]);
  });

  it("ends with its limit order, whoever cancels that", async () => {
    const orderId = await place("oco", sell());
    const [limit] = await openOrders("SPOT");
    await post("trade/cancel-order", { orderId: limit?.orderId });
    expect(await ended("SPOT", "oco")).toMatchObject([{ orderId, status: "cancelled" }]);
  });

  it("is refused with its limit order, and then leaves nothing behind", async () => {
    const { code } = await post("trade/place-strategy-order", { type: "oco", ...sell(), qty: "5000" });
    expect(code).not.toBe("00000");
    expect([await waiting("SPOT", "oco"), await ended("SPOT", "oco"), await openOrders("SPOT")]).toEqual([[], [], []]);
  });
});

describe("a trailing stop", () => {
  it.each([
    ["a share", { trailType: "ratio", trailVariance: "0.2" }],
    ["an amount", { trailType: "spread", trailVariance: "5" }],
  ])("follows the price by %s, and sells when it comes back by that", async (_, params) => {
    const trailingStopParams = [{ ...params, activationType: "mark", preOrderType: "market" }];
    const orderId = await place("trailing_stop", { ...SPOT, side: "sell", qty: "0.2", trailingStopParams });
    await until(async () => (await waiting("SPOT", "trailing_stop")).length === 0);
    expect(await ended("SPOT", "trailing_stop")).toMatchObject([{ orderId, status: "success" }]);
    expect(filledOf(await subOrders(orderId))).toBe("0.2");
  });
});

describe("the change of a strategy order", () => {
  it("gives a trigger order its new price and quantity, under the same id", async () => {
    const far = belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT", 5);
    const orderId = await place("trigger", { ...FUTURES, side: "buy", qty: "0.5", triggerPrice: far, clientOid: "change-1" });
    const near = belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT", 4);
    const terms = { triggerPrice: near, triggerBy: "mark", triggerOrderType: "limit", triggerOrderPrice: near };
    const { code, data } = await post("trade/modify-strategy-order", { clientOid: "change-1", qty: "0.7", ...terms });
    expect([code, data]).toEqual(["00000", { orderId, clientOid: "change-1" }]);
    expect(await waiting("USDT-FUTURES", "trigger")).toMatchObject([{ orderId, qty: "0.7", ...terms }]);
  });

  it("is refused for kinds that have no parameters for it, and for one that is not there", async () => {
    const twapParams = [{ duration: "60", interval: "60" }];
    const orderId = await place("twap", { ...FUTURES, side: "buy", qty: "6", twapParams });
    expect((await post("trade/modify-strategy-order", { orderId, qty: "12" })).code).toBe("25598");
    expect((await post("trade/modify-strategy-order", { orderId: "1", qty: "12" })).code).toBe("25577");
  });
});

describe("a trigger order of a unified account", () => {
  it("on futures waits, places its order at its price, and opens a position that the account pays for", async () => {
    const trigger = { category: "USDT-FUTURES", symbol: "ETHUSDT", type: "trigger", side: "buy", qty: "0.5" };
    const triggerPrice = belowMarket(sandbox, "USDT-FUTURES", "ETHUSDT", 0.1);
    const before = await held("USDT");
    const { code, data } = await post("trade/place-strategy-order", { ...trigger, triggerPrice, clientOid: "wait-1" });
    expect(code).toBe("00000");
    expect(await waiting("USDT-FUTURES", "trigger")).toMatchObject([
      { type: "trigger", clientOid: "wait-1", triggerPrice, triggerOrderType: "market" },
    ]);
    expect(await held("USDT")).toBe(before);
    await triggered("USDT-FUTURES");
    expect(await ended("USDT-FUTURES", "trigger")).toMatchObject([{ orderId: (data as Row).orderId, status: "success" }]);
    const { list } = await get<{ list: Row[] }>("position/current-position?category=USDT-FUTURES&symbol=ETHUSDT");
    expect(list).toMatchObject([{ posSide: "long", total: "0.5" }]);
    expect(exact(await held("USDT")).lt(exact(before))).toBe(true);
  });

  it("on spot spends what its quantity costs at its price", async () => {
    const triggerPrice = belowMarket(sandbox, "SPOT", "ETHUSDT", 0.1);
    const before = { ETH: await held("ETH"), USDT: await held("USDT") };
    const order = { category: "SPOT", symbol: "ETHUSDT", type: "trigger", side: "buy", qty: "0.5", triggerPrice };
    expect((await post("trade/place-strategy-order", order)).code).toBe("00000");
    expect(await waiting("SPOT", "trigger")).toMatchObject([{ category: "SPOT", symbol: "ETHUSDT", qty: "0.5" }]);
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
    expect(await waiting("SPOT", "trigger")).toMatchObject([
      { side: "sell", triggerOrderPrice: plain(exact(triggerPrice)), qty: "0.01" },
    ]);
    expect(await waiting("USDT-FUTURES", "trigger")).toEqual([]);
    expect((await post("trade/cancel-strategy-order", { clientOid: "sell-1" })).code).toBe("00000");
    expect(await waiting("SPOT", "trigger")).toEqual([]);
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
    expect(await waiting("USDT-FUTURES", "trigger")).toEqual([]);
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
