import { describe, expect, it } from "vitest";
import { classicWithdrawalRecords } from "../src/wallet.js";
import samples from "./samples/wallet.json" with { type: "json" };

const WITHDRAWAL = samples.WITHDRAWAL;

describe("withdrawals", () => {
  it("are read whole, and page by their last order", () => {
    expect(classicWithdrawalRecords.data.decode([WITHDRAWAL])).toEqual(samples["are read whole, and page by their last order"]);
  });

  it("end with an empty list", () => {
    expect(classicWithdrawalRecords.data.decode(null)).toEqual({ list: [], cursor: null });
  });
});
