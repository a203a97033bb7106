import { describe, expect, it } from "vitest";
import { classicSpotAssets, fundingAssets, unifiedAssets } from "../src/asset.js";
import { everyRow } from "./support/everyRow.js";
import { refused } from "./support/refused.js";

describe("unified assets", () => {
  const WIRE = {
    accountEquity: "10004.74",
    usdtEquity: "10004.744",
    btcEquity: "0.15571588",
    unrealisedPnl: "5",
    usdtUnrealisedPnl: "5",
    btcUnrealizedPnl: "0.00007782",
    effEquity: "10004.74",
    mmr: "5.14",
    imr: "64.25",
    mgnRatio: "0.00051",
    positionMgnRatio: "0.0005",
    assets: [{ coin: "USDT", equity: "15", usdValue: "14.99", balance: "10", available: "15", debt: "0", locked: "0" }],
  };

  it("spell every unrealised figure alike, and have null for the newer ones that are missing", () => {
    const { btcUnrealizedPnl, ...rest } = WIRE;
    const canonical = {
      equityUsd: "10004.74",
      equityUsdt: "10004.744",
      equityBtc: "0.15571588",
      unrealisedPnlUsd: "5",
      unrealisedPnlUsdt: "5",
      unrealisedPnlBtc: "0.00007782",
      effectiveEquityUsd: "10004.74",
      maintenanceMarginUsd: "5.14",
      initialMarginUsd: "64.25",
      marginRatio: "0.00051",
      positionMarginRatio: "0.0005",
      positionValueUsd: null,
      leverage: null,
      bonusUsd: null,
      assets: [{ coin: "USDT", equity: "15", valueUsd: "14.99", balance: "10", available: "15", debt: "0", locked: "0" }],
    };
    expect(unifiedAssets.data.decode(WIRE)).toEqual(canonical);
    expect(unifiedAssets.data.decode({ ...rest, btcUnrealisedPnl: btcUnrealizedPnl })).toEqual(canonical);
  });

  it("of an empty account are an empty list", () => {
    expect(unifiedAssets.data.decode({ accountEquity: "0", assets: null })).toMatchObject({ equityUsd: "0", assets: [] });
  });
});

describe("funding assets", () => {
  it("come as a bare list", () => {
    const balance = { coin: "USDT", available: "250", frozen: "0", balance: "250" };
    expect(fundingAssets.data.decode([balance])).toEqual([balance]);
  });

  it("can be asked for by coin", () => {
    expect(refused(fundingAssets, {})).toEqual([]);
    expect(refused(fundingAssets, { coin: "USDT" })).toEqual([]);
    expect(refused(fundingAssets, { coin: "A".repeat(24) })).toEqual([]);
    expect(refused(fundingAssets, { coin: "A".repeat(25) })).toEqual(["coin"]);
  });
});

describe("Classic spot assets", () => {
  const WIRE = { coin: "USDT", available: "8714.1", frozen: "1285.9", locked: "0", limitAvailable: "0", uTime: "1767225600100" };

  it("read their time whether it comes in milliseconds, in seconds or not at all", () => {
    const time = (uTime: string) => everyRow(classicSpotAssets.data.decode([{ ...WIRE, uTime }]))[0]?.updatedTime;
    expect(time("1767225600100")).toBe(1_767_225_600_100);
    expect(time("1767225600")).toBe(1_767_225_600_000);
    expect(time("")).toBeNull();
  });

  it("are those that are held, or all", () => {
    expect(refused(classicSpotAssets, { assetType: "hold_only" })).toEqual([]);
    expect(refused(classicSpotAssets, { assetType: "all" })).toEqual([]);
    expect(refused(classicSpotAssets, { assetType: "none" as never })).toEqual(["assetType"]);
    expect(classicSpotAssets.parameters.assetType.fallback).toBe("hold_only");
  });
});
