import { describe, expect, it } from "vitest";
import {
  classicCrossedMarginRecords,
  classicFuturesBills,
  classicSpotBills,
  financialRecords,
  fundingFinancialRecords,
} from "../src/financialRecord.js";
import samples from "./samples/financialRecord.json" with { type: "json" };

const WITHOUT = { symbol: null, fee: null, feeByCoupon: null };

describe("a change of a balance", () => {
  it("is the same record in every list, with a paid fee above zero", () => {
    const traded = { category: "COIN-futures", id: "7", symbol: "BTCUSD", coin: "BTC", ts: "1767225600000", balance: "1.40" };
    const unified = { ...traded, type: "CLOSE_SHORT", amount: "0.01", fee: "-0.0002" };
    expect(financialRecords.data.decode({ list: [unified], cursor: "7" })).toEqual(
      samples["is the same record in every list, with a paid fee above zero"],
    );
    const bill = samples["is the same record in every list, with a paid fee above zero: sent"];
    expect(
      classicFuturesBills.data.decode({ bills: [{ ...bill, businessType: "contract_settle_fee" }], endId: "8" }).list,
    ).toEqual([
      expect.objectContaining({ recordId: "8", kind: "funding", type: "contract_settle_fee", amount: "-0.0912", fee: "0" }),
    ]);
    const margin = samples["is the same record in every list, with a paid fee above zero: sent (2)"];
    expect(classicCrossedMarginRecords.data.decode({ resultList: [margin], minId: "9", maxId: "9" })).toMatchObject({
      list: [{ recordId: "9", kind: "borrowing", amount: "5" }],
      cursor: "9",
    });
  });

  it("has the kind of its group where it has one, and the exchange's own word beside it", () => {
    const spot = samples["has the kind of its group where it has one, and the exchange's own word beside it: sent"];
    expect(classicSpotBills.data.decode([{ ...spot, billId: "3" }]).list).toEqual([
      {
        ...WITHOUT,
        fee: "0",
        recordId: "3",
        coin: "usdt",
        kind: "earn",
        kindRaw: "financial",
        type: "INTEREST",
        amount: "2",
        balance: "8",
        createdTime: 1_767_220_000_000,
      },
    ]);
    const funding = { id: "4", coin: "USDT", groupType: "transfer", type: "", amount: "2", balance: "252", ts: "1767220000000" };
    expect(fundingFinancialRecords.data.decode({ list: [funding], cursor: "4" }).list).toEqual([
      {
        ...WITHOUT,
        category: null,
        categoryRaw: null,
        recordId: "4",
        coin: "USDT",
        kind: "transfer",
        kindRaw: "transfer",
        type: null,
        amount: "2",
        balance: "252",
        createdTime: 1_767_220_000_000,
      },
    ]);
  });

  it.each([
    ["RWA_CONTRACT_MAIN_SETTLE_FEE_USER_IN", "funding"],
    ["INTEREST_SETTLEMENT_OUT", "interest"],
    ["BURST_SELL_SSM", "liquidation"],
    ["BONUS_GRANT_USER_IN", "reward"],
    ["EXCHANGE_SOURCE_TOKEN_USER_OUT", "conversion"],
    ["SOMETHING_NEW", "UNKNOWN"],
  ])("of the type %s is of the kind %s", (type, kind) => {
    const { list } = financialRecords.data.decode({ list: [{ id: "1", type }], cursor: "" });
    expect(list).toEqual([expect.objectContaining({ kind, kindRaw: type, type })]);
  });

  it("is missing from an empty page, whose list is null", () => {
    expect(financialRecords.data.decode({ list: null, cursor: "" })).toEqual({ list: [], cursor: null });
  });
});
