import { describe, expect, it } from "vitest";
import { classicWithdrawalRecords } from "../src/wallet.js";
import samples from "./samples/wallet.json" with { type: "json" };
import { refused } from "./support/refused.js";

const WITHDRAWAL = samples.WITHDRAWAL;

describe("withdrawals", () => {
  it("are read whole, and page by their last order", () => {
    expect(classicWithdrawalRecords.data.decode([WITHDRAWAL])).toEqual(samples["are read whole, and page by their last order"]);
  });

  it("end with an empty list", () => {
    expect(classicWithdrawalRecords.data.decode(null)).toEqual({ list: [], cursor: null });
  });

  it("are requested with start and end time, in pages of 1 to 100", () => {
    expect(refused(classicWithdrawalRecords, {} as never)).toEqual(["startTime", "endTime"]);
    expect(refused(classicWithdrawalRecords, { startTime: 1, endTime: 1, limit: 100 })).toEqual([]);
    expect(refused(classicWithdrawalRecords, { startTime: 1, endTime: 1, limit: 101 })).toEqual(["limit"]);
    expect(refused(classicWithdrawalRecords, { startTime: 1, endTime: 0 })).toEqual(["endTime"]);
  });
});
