import { beforeEach, describe, expect, it } from "vitest";
import { everyRow } from "../../../../packages/contract/test/support/everyRow.js";
import { readAccountSettings } from "../../../../src/datasources/reads/queries/accountSettings.js";
import { readBalances, readFundingBalances, readUnifiedAssets } from "../../../../src/datasources/reads/queries/balances.js";
import { balanceInUsdt, readTotalEquity } from "../../../../src/datasources/reads/queries/totalEquity.js";
import { startedForEach } from "../../../support/started.js";
import { SETTINGS, twoGenerations } from "../../support/twoGenerations.js";
import { futuresWallet, wireTicker } from "../../support/wireRows.js";

const ASSETS = "/api/v3/account/assets";
const SPOT_ASSETS = "/api/v2/spot/account/assets";
const TICKERS = "/api/v3/market/tickers";
const WALLETS = "/api/v2/mix/account/accounts";

const unifiedAsset = (coin: string, equity: string) => ({
  coin,
  equity,
  balance: equity,
  available: equity,
  debt: "0",
  locked: "1",
});
const spotAsset = (coin: string, available: string) => ({
  coin,
  available,
  frozen: "0.5",
  locked: "0.25",
  uTime: "1767225600100",
});

describe("an account's state", () => {
  const world = startedForEach(twoGenerations);
  beforeEach(() => {
    const { upstream } = world;
    upstream.on(ASSETS, {
      data: { accountEquity: "10", usdtEquity: "10.5", assets: [unifiedAsset("BTC", "2"), unifiedAsset("USDT", "3")] },
    });
    upstream.on(SPOT_ASSETS, { data: [spotAsset("BTC", "1"), spotAsset("USDT", "100"), spotAsset("DUST", "7")] });
    upstream.on(TICKERS, { data: [wireTicker("BTCUSDT", "60000.1")] });
    upstream.on(WALLETS, ({ query }) => ({
      data: query.get("productType") === "COIN-FUTURES" ? [] : [futuresWallet("USDT", "1000.5"), futuresWallet("BTC", "2.25")],
    }));
  });

  describe("settings", () => {
    beforeEach(() => {
      world.upstream.on("/api/v2/spot/account/info", {
        data: {
          userId: "42",
          ips: "10.0.0.1, 10.0.0.2",
          authorities: ["stor"],
          parentId: 8800112233,
          traderType: "trader",
          regisTime: "1690000000000",
        },
      });
    });

    it("have one shape on both API versions", async () => {
      const [unified, classic] = await Promise.all([
        readAccountSettings(world.request(), world.main),
        readAccountSettings(world.request(), world.classic),
      ]);
      expect(Object.keys(unified).sort()).toEqual(Object.keys(classic).sort());
      expect(unified).toMatchObject({
        uid: "8800112233",
        accountMode: "unified",
        holdMode: "hedge_mode",
        authorities: null,
        registeredTime: null,
      });
      expect(classic).toMatchObject({
        uid: "42",
        accountMode: null,
        symbolSettings: null,
        authorities: ["stor"],
        parentId: "8800112233",
      });
    });

    it("are not guessed while the account changes its mode: the refusal does not say which mode it has", async () => {
      const { upstream } = world;
      upstream.on(SETTINGS, { code: "40115", msg: "The unified account is being upgraded or rolled back" });
      await expect(readAccountSettings(world.request(), world.main)).rejects.toThrow("40115");
      expect([world.exchange.modes.cachedMode(world.main), world.targets()]).toEqual([undefined, []]);
    });

    it("cost a unified account no call besides the one that found its mode", async () => {
      await readAccountSettings(world.request(), world.main);
      expect(world.upstream.calls).toHaveLength(1);
    });
  });

  describe("balances", () => {
    it("have one shape on both API versions; on Classic the balance is the sum of its parts", async () => {
      const [unified] = await readBalances(world.request(), world.main, ["btc"]);
      const [classic, ...others] = await readBalances(world.request(), world.classic, ["BTC"]);
      expect(others).toEqual([]);
      expect(Object.keys(unified ?? {}).sort()).toEqual(Object.keys(classic ?? {}).sort());
      expect(unified).toMatchObject({ coin: "BTC", equity: "2", debt: "0", locked: "1", frozen: null, updatedTime: null });
      expect(classic).toMatchObject({ coin: "BTC", balance: "1.75", equity: "1.75", frozen: "0.5", debt: null, valueUsd: null });
    });

    it("are worth their equity at the spot price, and nothing known without a market", async () => {
      const reads = world.request();
      const [btc, usdt, dust] = await Promise.all(
        everyRow(await readBalances(reads, world.classic)).map((one) => balanceInUsdt(reads, one)),
      );
      expect([btc, usdt, dust]).toEqual(["105000.175", "100.75", null]);
      expect(world.upstream.callsOf(TICKERS)).toHaveLength(1);
    });
  });

  describe("total equity", () => {
    it("of a unified account is the value of its assets where the exchange does not say", async () => {
      world.upstream.on(ASSETS, { data: { accountEquity: "10", assets: [unifiedAsset("BTC", "2"), unifiedAsset("USDT", "3")] } });
      expect(await readTotalEquity(world.request(), world.main)).toBe("120003.2");
    });

    it("is an error, not a smaller total, when a part of it cannot be read", async () => {
      world.upstream.on(WALLETS, { code: "40014", msg: "Incorrect permissions" });
      await expect(readTotalEquity(world.request(), world.classic)).rejects.toThrow("40014");
    });
  });

  it("keeps what only a unified account has from a Classic one, without asking for it", async () => {
    const refusal = { code: "ACCOUNT_MODE_MISMATCH" };
    await expect(readUnifiedAssets(world.request(), world.classic)).rejects.toMatchObject(refusal);
    await expect(readFundingBalances(world.request(), world.classic)).rejects.toMatchObject(refusal);
    expect(world.targets()).toEqual([]);
  });

  it("finds coins in the funding account", async () => {
    const balance = (coin: string) => ({ coin, available: "1", frozen: "0", balance: "1" });
    world.upstream.on("/api/v3/account/funding-assets", { data: [balance("USDT"), balance("BTC")] });
    expect(await readFundingBalances(world.request(), world.main, ["usdt"])).toEqual([balance("USDT")]);
  });
});
