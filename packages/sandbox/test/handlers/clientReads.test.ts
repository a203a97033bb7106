import { ManualClock } from "@exchange-graph/contract/clock";
import { RestClientV2 } from "bitget-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { credentialOf, send } from "../support/signedCall.js";

/** What other clients load before their first order, by such a client. */

const NOW = 1_767_225_610_000;
const HOUR_MS = 3_600_000;

let sandbox: Sandbox;
let client: RestClientV2;
beforeAll(async () => {
  sandbox = await startSandbox({ clock: new ManualClock(NOW), hasPast: false, enforceLimits: false });
  const { key, secret, passphrase } = credentialOf("classic");
  client = new RestClientV2({ apiKey: key, apiSecret: secret, apiPass: passphrase, baseUrl: sandbox.url });
});
afterAll(() => sandbox.close());

const get = async (target: string): Promise<unknown> => {
  const { code, data } = await send(sandbox.url, `/api/v2/${target}`);
  expect(code).toBe("00000");
  return data;
};
type Trades = readonly { readonly tradeId: string; readonly ts: string; readonly symbol: string }[];

describe("the coins", () => {
  it("are all that are listed, with the chains that withdrawals go by", async () => {
    const { data } = await client.getSpotCoinInfo();
    expect(data.map(({ coin }) => coin)).toEqual(expect.arrayContaining([...sandbox.world.state.catalogue.coins, "FTM", "OP"]));
    expect(data.find(({ coin }) => coin === "USDT")).toMatchObject({
      transfer: "true",
      chains: [{ chain: "TRC20", withdrawFee: "1", needTag: "false" }, { chain: "ERC20" }, { chain: "BEP20" }],
    });
    expect((await client.getSpotCoinInfo({ coin: "xrp" })).data).toMatchObject([{ coin: "XRP", chains: [{ needTag: "true" }] }]);
    expect(await get("spot/public/coins?coin=%E9%BE%99%E8%99%BE")).toMatchObject([{ coin: "龙虾", chains: [] }]);
    expect(await get("spot/public/coins?coin=XYZ")).toEqual([]);
  });
});

describe.each([
  ["spot", "spot/market/fills-history?symbol=btcusdt", "spot/market/fills?symbol=BTCUSDT"],
  [
    "futures",
    "mix/market/fills-history?symbol=BTCUSDT&productType=usdt-futures",
    "mix/market/fills?symbol=BTCUSDT&productType=USDT-FUTURES",
  ],
])("past trades of %s", (_, history, latest) => {
  const page = async (more: string) => (await get(`${history}${more}`)) as Trades;

  it("begin with the latest, and go on below an id without a gap", async () => {
    const all = await page("&limit=100");
    expect(all.map(({ tradeId }) => tradeId)).toEqual(((await get(latest)) as Trades).map(({ tradeId }) => tradeId));
    const first = await page("&limit=40");
    const second = await page(`&limit=60&idLessThan=${first.at(-1)?.tradeId}`);
    expect([...first, ...second]).toEqual(all);
  });

  it("are found within a window of the past", async () => {
    const [from, to] = [NOW - 26 * HOUR_MS, NOW - 25 * HOUR_MS];
    const rows = await page(`&startTime=${from}&endTime=${to}&limit=50`);
    expect(rows).toHaveLength(50);
    for (const { ts, symbol } of rows) {
      expect([Number.parseInt(ts, 10) <= to, Number.parseInt(ts, 10) >= from, symbol]).toEqual([true, true, "BTCUSDT"]);
    }
    expect((await page(`&startTime=${to}&endTime=${to}`)).length).toBeLessThanOrEqual(1);
  });
});

describe("what futures clients ask for", () => {
  const of = "symbol=BTCUSDT&productType=USDT-FUTURES";

  it("is funding as the tickers have it", async () => {
    const [ticker] = (await get(`mix/market/ticker?${of}`)) as readonly [
      { readonly fundingRate: string; readonly holdingAmount: string },
    ];
    const current = (await get("mix/market/current-fund-rate?productType=usdt-futures")) as readonly {
      readonly symbol: string;
    }[];
    expect(current.find(({ symbol }) => symbol === "BTCUSDT")).toMatchObject({
      fundingRate: ticker.fundingRate,
      fundingRateInterval: "8",
      nextUpdate: String(NOW - 10_000 + 8 * HOUR_MS),
    });
    expect(await get(`mix/market/funding-time?${of}`)).toEqual([
      { symbol: "BTCUSDT", nextFundingTime: String(NOW - 10_000 + 8 * HOUR_MS), ratePeriod: "8" },
    ]);
    const past = (await get(`mix/market/history-fund-rate?${of}&pageSize=3&pageNo=2`)) as readonly {
      readonly fundingTime: string;
    }[];
    expect(past.map(({ fundingTime }) => (NOW - 10_000 - Number.parseInt(fundingTime, 10)) / HOUR_MS)).toEqual([24, 32, 40]);
    expect(await get(`mix/market/open-interest?${of}`)).toMatchObject({
      openInterestList: [{ symbol: "BTCUSDT", size: ticker.holdingAmount }],
    });
  });

  it("is the same of v3, in its words", async () => {
    const v3 = async (target: string) => (await send(sandbox.url, `/api/v3/market/${target}`)).data;
    const [current] = (await get(`mix/market/current-fund-rate?${of}`)) as readonly unknown[];
    expect(await v3("current-fund-rate?symbol=btcusdt")).toEqual([current]);
    const contract = "category=USDT-FUTURES&symbol=BTCUSDT";
    const past = (await get(`mix/market/history-fund-rate?${of}&pageSize=2&pageNo=2`)) as readonly {
      readonly fundingRate: string;
      readonly fundingTime: string;
    }[];
    const rows = past.map(({ fundingRate, fundingTime }) => ({
      symbol: "BTCUSDT",
      fundingRate,
      fundingRateTimestamp: fundingTime,
    }));
    expect(await v3(`history-fund-rate?${contract}&limit=2&cursor=2`)).toEqual({ resultList: rows });
    const { openInterestList } = (await get(`mix/market/open-interest?${of}`)) as {
      readonly openInterestList: readonly { readonly size: string }[];
    };
    expect(await v3(`open-interest?${contract}`)).toMatchObject({
      list: [{ symbol: "BTCUSDT", openInterest: openInterestList[0]?.size }],
    });
    const allOpen = (await v3("open-interest?category=COIN-FUTURES")) as { readonly list: readonly unknown[] };
    expect(allOpen.list.length).toBeGreaterThan(1);
    expect(await v3(`position-tier?${contract}`)).toMatchObject([
      { tier: "1", minTierValue: "0", leverage: "150", mmr: "0.004" },
      ...new Array(5).fill({ leverage: expect.any(String) }),
    ]);
    expect((await send(sandbox.url, "/api/v3/market/current-fund-rate?symbol=NOSUCH")).code).toBe("40034");
  });

  it("is prices, fees and the ladder of leverage", async () => {
    expect(await get(`mix/market/symbol-price?${of}`)).toMatchObject([{ symbol: "BTCUSDT", price: expect.any(String) }]);
    expect(await get("spot/market/vip-fee-rate")).toMatchObject([{ level: "0", takerFeeRate: "0.001" }]);
    expect(await get("mix/market/vip-fee-rate")).toMatchObject([{ level: "0", takerFeeRate: "0.0006" }]);
    const tiers = (await get(`mix/market/query-position-lever?${of}`)) as readonly unknown[];
    expect(tiers[0]).toMatchObject({ level: "1", startUnit: "0", leverage: "150" });
    expect(tiers).toHaveLength(6);
  });
});
