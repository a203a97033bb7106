import { describe, expect, it } from "vitest";
import { classicSpotAssets, fundingAssets, unifiedAssets } from "../src/asset.js";
import samples from "./samples/asset.json" with { type: "json" };
import { everyRow } from "./support/everyRow.js";

describe("unified assets", () => {
  const WIRE = samples["unified assets"];

  it("spell every unrealised figure alike, and have null for the newer ones that are missing", () => {
    const { btcUnrealizedPnl, ...rest } = WIRE;
    const canonical = samples["spell every unrealised figure alike, and have null for the newer ones that are missing: sent"];
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
});

describe("Classic spot assets", () => {
  const WIRE = { coin: "USDT", available: "8714.1", frozen: "1285.9", locked: "0", limitAvailable: "0", uTime: "1767225600100" };

  it("read their time whether it comes in milliseconds, in seconds or not at all", () => {
    const time = (uTime: string) => everyRow(classicSpotAssets.data.decode([{ ...WIRE, uTime }]))[0]?.updatedTime;
    expect(time("1767225600100")).toBe(1_767_225_600_100);
    expect(time("1767225600")).toBe(1_767_225_600_000);
    expect(time("")).toBeNull();
  });
});
