import { describe, expect, it } from "vitest";
import { classicFuturesAccount, futuresAccount, subAccountFuturesAssetsRecord } from "../src/futuresAccount.js";
import samples from "./samples/futuresAccount.json" with { type: "json" };
import { everyRow } from "./support/everyRow.js";
import { renamed } from "./support/renamed.js";

const { BALANCE, NAMES, NEWER } = samples;

const ACCOUNT = {
  ...BALANCE,
  crossedRiskRate: "0.02",
  unionTotalMargin: "910",
  unionAvailable: "805",
  unionMm: "12.5",
  assetList: [{ coin: "USDT", balance: "812.5" }],
};

describe("futures accounts", () => {
  it("keep every documented field, and null for the newer ones that are missing", () => {
    expect(futuresAccount.decode(ACCOUNT)).toEqual({
      ...renamed(ACCOUNT, NAMES),
      ...NEWER,
      assets: [{ coin: "USDT", balance: "812.5", available: null }],
    });
  });

  it("read the newer fields where they are sent", () => {
    const wire = {
      ...ACCOUNT,
      isolatedMargin: "5",
      crossedMargin: "7",
      crossedUnrealizedPL: "1",
      isolatedUnrealizedPL: "",
      assetMode: "union",
      assetList: [{ coin: "BTC", balance: "0.5", available: "0.25" }],
    };
    expect(futuresAccount.decode(wire)).toMatchObject({
      isolatedMargin: "5",
      crossedMargin: "7",
      crossedUnrealisedPnl: "1",
      isolatedUnrealisedPnl: null,
      assetMode: "union",
      assets: [{ coin: "BTC", balance: "0.5", available: "0.25" }],
    });
  });

  it("find the total margin under its misspelt key", () => {
    const { unionTotalMargin, ...rest } = ACCOUNT;
    expect(futuresAccount.decode({ ...rest, unionTotalMagin: unionTotalMargin }).unionTotalMargin).toBe("910");
  });

  it("read an empty profit as none", () => {
    expect(futuresAccount.decode({ ...ACCOUNT, unrealizedPL: "" }).unrealisedPnl).toBeNull();
  });

  it("decode with empty union figures", () => {
    const wire = { ...ACCOUNT, unionTotalMargin: "", unionAvailable: "", unionMm: "", assetList: null };
    expect(futuresAccount.decode(wire)).toMatchObject({
      unionTotalMargin: null,
      unionAvailable: null,
      unionMaintenanceMargin: null,
      assets: [],
    });
  });
});

describe("futures assets of sub-accounts", () => {
  it("read a numeric user id as text", () => {
    const decoded = subAccountFuturesAssetsRecord.decode({ userId: 8800112244, assetList: [BALANCE] });
    expect(decoded).toEqual({ subUid: "8800112244", assets: [renamed(BALANCE, NAMES)] });
  });

  it("find the equity under either key", () => {
    const { accountEquity, ...rest } = BALANCE;
    const decoded = subAccountFuturesAssetsRecord.decode({ userId: "1", assetList: [{ ...rest, equity: accountEquity }] });
    expect(everyRow(decoded.assets)[0]?.equity).toBe("815.25");
  });
});

describe("a single futures account", () => {
  it("reads leverages that come as numbers, and modes in v3's words", () => {
    const wire = {
      ...BALANCE,
      crossedRiskRate: "0",
      crossedMarginLeverage: 20,
      isolatedLongLever: 10,
      isolatedShortLever: "12.5",
      marginMode: "fixed",
      posMode: "hedge_mode",
    };
    expect(classicFuturesAccount.data.decode(wire)).toEqual({
      ...renamed(BALANCE, NAMES),
      ...NEWER,
      crossedMarginRatio: "0",
      crossedMarginLeverage: "20",
      isolatedLongLeverage: "10",
      isolatedShortLeverage: "12.5",
      marginMode: "isolated",
      marginModeRaw: "fixed",
      holdMode: "hedge_mode",
      holdModeRaw: "hedge_mode",
    });
  });
});
