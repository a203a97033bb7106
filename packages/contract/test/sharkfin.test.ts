import { describe, expect, it } from "vitest";
import {
  SHARK_FIN_STATUSES,
  sharkFinAssets,
  sharkFinOffer,
  sharkFinOffers,
  sharkFinProduct,
  sharkFinRecord,
  sharkFinRecords,
} from "../src/sharkfin.js";
import samples from "./samples/sharkfin.json" with { type: "json" };
import { refused } from "./support/refused.js";

const NOW = Date.UTC(2026, 4, 31, 12);
const THREE_MONTHS_AGO = Date.UTC(2026, 1, 28, 12);

const PRODUCT = samples.PRODUCT;

const OFFER = samples.OFFER;

describe("shark-fin", () => {
  it("keeps every documented field of a product", () => {
    const { productStatus, ...same } = PRODUCT;
    expect(sharkFinProduct.decode(PRODUCT)).toEqual({
      ...same,
      status: productStatus,
      interestStartTime: 1767398400000,
      interestEndTime: 1768003200000,
      settleTime: 1768006800000,
      trendRaw: "up",
      statusRaw: "wait_settle",
    });
  });

  it("reads an empty interest as none yet", () => {
    expect(sharkFinProduct.decode({ ...PRODUCT, interestAmount: "" }).interestAmount).toBeNull();
  });

  it("keeps every documented field of a record", () => {
    const wire = { orderId: "1", product: "USDT/BTC", period: "7", amount: "100", ts: "1767225600000", type: "interest" };
    const { ts: _, ...kept } = wire;
    expect(sharkFinRecord.decode(wire)).toEqual({ ...kept, createdTime: 1767225600000, typeRaw: "interest" });
  });

  it("turns `resultList` and `endId` into a page", () => {
    expect(sharkFinAssets.data.decode({ resultList: [PRODUCT], endId: "7001" })).toMatchObject({
      list: [{ productId: "7001" }],
      cursor: "7001",
    });
    expect(sharkFinRecords.data.decode({ resultList: null, endId: "" })).toEqual({ list: [], cursor: null });
  });

  it.each([
    ["not_started", "not_started"],
    ["in_progress", "running"],
    ["paused", "pause"],
    ["interest_pending", "wait_interest"],
    ["settle_pending", "wait_settle"],
    ["settled", "settle"],
    ["redeemed", "redeem"],
    ["sold_out", "sell_out"],
  ])("says %s of an offer in the words of the products held: %s", (status, productStatus) => {
    expect(sharkFinOffer.decode({ ...OFFER, status })).toMatchObject({ status: productStatus, statusRaw: status });
  });

  it("knows the seven states of a product held", () => {
    expect(SHARK_FIN_STATUSES.map((productStatus) => sharkFinProduct.decode({ ...PRODUCT, productStatus }).status)).toEqual([
      "running",
      "pause",
      "wait_interest",
      "wait_settle",
      "settle",
      "redeem",
      "sell_out",
    ]);
  });

  it("reads an unlimited offer as one without a limit", () => {
    expect(sharkFinOffer.decode({ ...OFFER, limitAmount: "unlimited" }).limitAmount).toBeNull();
    expect(sharkFinOffer.decode(OFFER).limitAmount).toBe("500000");
  });
});

describe("what shark-fin is asked for by", () => {
  it("needs the status, the type and the coin", () => {
    expect(refused(sharkFinAssets, {} as never)).toEqual(["status"]);
    expect(refused(sharkFinRecords, {} as never)).toEqual(["type"]);
    expect(refused(sharkFinOffers, {} as never)).toEqual(["coin"]);
  });

  it("offers subscribed products by default", () => {
    expect(sharkFinAssets.parameters.status.fallback).toBe("subscribed");
  });

  it("takes the listed filters and types alone", () => {
    for (const status of ["subscribed", "settled"] as const) expect(refused(sharkFinAssets, { status })).toEqual([]);
    for (const type of ["subscription", "redemption", "interest"] as const)
      expect(refused(sharkFinRecords, { type })).toEqual([]);
    expect(refused(sharkFinAssets, { status: "running" as "settled" })).toEqual(["status"]);
    expect(refused(sharkFinRecords, { type: "bonus" as "interest" })).toEqual(["type"]);
  });

  it.each([
    ["assets", (startTime: number, endTime?: number) => refused(sharkFinAssets, { status: "settled", startTime, endTime }, NOW)],
    ["records", (startTime: number, endTime?: number) => refused(sharkFinRecords, { type: "interest", startTime, endTime }, NOW)],
  ])("spans three months, and not a millisecond more: %s", (_, ask) => {
    expect(ask(THREE_MONTHS_AGO, NOW)).toEqual([]);
    expect(ask(THREE_MONTHS_AGO - 1, NOW)).toEqual(["startTime"]);
    expect(ask(THREE_MONTHS_AGO)).toEqual([]);
    expect(ask(THREE_MONTHS_AGO - 1)).toEqual(["startTime"]);
  });

  it("reaches as far back as one likes, three months at a time", () => {
    const years = { startTime: Date.UTC(2020, 0, 1), endTime: Date.UTC(2020, 3, 1) };
    expect(refused(sharkFinRecords, { type: "interest", ...years }, NOW)).toEqual([]);
  });

  it.each([
    [1, []],
    [100, []],
    [0, ["limit"]],
    [101, ["limit"]],
  ])("takes pages of 1 to 100: %d", (limit, expected) => {
    expect(refused(sharkFinAssets, { status: "settled", limit })).toEqual(expected);
    expect(refused(sharkFinRecords, { type: "interest", limit })).toEqual(expected);
  });

  it("assumes pages of twenty", () => {
    expect(sharkFinAssets.parameters.limit.fallback).toBe(20);
    expect(sharkFinRecords.parameters.limit.fallback).toBe(20);
  });
});
