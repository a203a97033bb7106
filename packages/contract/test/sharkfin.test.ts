import { describe, expect, it } from "vitest";
import {
  SHARK_FIN_STATUSES,
  sharkFinAssets,
  sharkFinOffer,
  sharkFinProduct,
  sharkFinRecord,
  sharkFinRecords,
} from "../src/sharkfin.js";
import samples from "./samples/sharkfin.json" with { type: "json" };

const { PRODUCT, OFFER } = samples;

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
