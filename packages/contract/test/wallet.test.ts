import { describe, expect, it } from "vitest";
import { classicWithdrawalRecords } from "../src/wallet.js";
import { refused } from "./support/refused.js";

const WITHDRAWAL = {
  orderId: "1391230000000002000",
  tradeId: "0xabc",
  coin: "USDT",
  dest: "on_chain",
  clientOid: "wd-1",
  type: "withdraw",
  tag: "",
  size: "10.00000000",
  fee: "-1.00000000",
  status: "pending",
  toAddress: "TXyz",
  fromAddress: "",
  confirm: "0",
  chain: "trc20",
  cTime: "1767225500000",
  uTime: "1767225500001",
};

describe("withdrawals", () => {
  it("are read whole, and page by their last order", () => {
    expect(classicWithdrawalRecords.data.decode([WITHDRAWAL])).toEqual({
      list: [
        {
          orderId: "1391230000000002000",
          clientOid: "wd-1",
          txId: "0xabc",
          coin: "USDT",
          dest: "on_chain",
          destRaw: "on_chain",
          chain: "trc20",
          amount: "10",
          fee: "1",
          status: "pending",
          statusRaw: "pending",
          toAddress: "TXyz",
          fromAddress: null,
          tag: null,
          confirm: 0,
          userId: null,
          createdTime: 1767225500000,
          updatedTime: 1767225500001,
        },
      ],
      cursor: "1391230000000002000",
    });
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
