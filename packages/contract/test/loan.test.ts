import { describe, expect, it } from "vitest";
import {
  closedLoan,
  debts,
  LOAN_STATUSES,
  loanHistory,
  loanOngoing,
  loanReduction,
  loanReductions,
  loanRepayment,
  loanRepayments,
  loanTerms,
  ongoingLoan,
} from "../src/loan.js";
import samples from "./samples/loan.json" with { type: "json" };
import { refused } from "./support/refused.js";
import { renamed } from "./support/renamed.js";

const NOW = Date.UTC(2026, 4, 31, 12);
/** Three months before the 31st of May is the last day of February. */
const THREE_MONTHS_AGO = Date.UTC(2026, 1, 28, 12);

const ONGOING = samples.ONGOING;

const CLOSED = samples.CLOSED;

describe("loans", () => {
  it("keep every documented field of a running loan", () => {
    expect(ongoingLoan.decode(ONGOING)).toEqual(samples["keep every documented field of a running loan"]);
  });

  it("keep every documented field of a closed loan", () => {
    expect(closedLoan.decode(CLOSED)).toEqual(samples["keep every documented field of a closed loan"]);
  });

  it.each(["", "-1", null, undefined])("have no due date when the exchange writes %o", (expireTime) => {
    expect(ongoingLoan.decode({ ...ONGOING, expireTime }).expireTime).toBeNull();
  });

  it("take the term as days or as a word", () => {
    expect(closedLoan.decode({ ...CLOSED, daily: 7 }).term).toBe("7");
    expect(closedLoan.decode({ ...CLOSED, daily: "FLEXIBLE" }).term).toBe("FLEXIBLE");
  });

  it("read a state that is not listed as UNKNOWN, with its text", () => {
    expect(closedLoan.decode({ ...CLOSED, status: "AUCTION" })).toMatchObject({ status: "UNKNOWN", statusRaw: "AUCTION" });
  });

  it("owe and pledge nothing when the lists are null", () => {
    expect(debts.decode({ loanInfos: null, pledgeInfos: null })).toEqual({ loans: [], pledges: [] });
  });

  it("keep what is owed and pledged per coin", () => {
    const entry = { coin: "BTC", amount: "0.012", amountUsdt: "771" };
    expect(debts.decode({ loanInfos: [entry], pledgeInfos: [entry] })).toEqual({ loans: [entry], pledges: [entry] });
  });

  it("keep every field of a repayment", () => {
    const wire = samples["keep every field of a repayment: sent"];
    expect(loanRepayment.decode(wire)).toEqual({
      ...renamed(wire, {
        repayAmount: "amount",
        payInterest: "interestAmount",
        repayLoanAmount: "principalAmount",
        repayUnlockAmount: "unlockedAmount",
      }),
      repayTime: 1767225600000,
    });
  });

  it("find the collateral given back under its misspelt key", () => {
    const wire = samples["find the collateral given back under its misspelt key: sent"];
    expect(loanReduction.decode(wire)).toMatchObject({ unlockedAmount: "0.002", fee: null, status: "WAIT" });
  });

  it("leave the rates of a term null that a coin does not offer", () => {
    const coin = samples["leave the rates of a term null that a coin does not offer: sent"];
    expect(loanTerms.decode({ loanInfos: [coin], pledgeInfos: [] }).loanCoins).toEqual([
      { ...renamed(coin, { hourRate7D: "hourlyRate7d", rate7D: "annualRate7d" }), hourlyRate30d: null, annualRate30d: null },
    ]);
  });
});

describe("what loans are asked for by", () => {
  it("needs nothing for the running ones", () => {
    expect(refused(loanOngoing, {})).toEqual([]);
  });

  it("needs both ends of the time for the past ones", () => {
    expect(refused(loanHistory, {} as never, NOW)).toEqual(["startTime", "endTime"]);
  });

  it.each([
    ["history", loanHistory],
    ["repayments", loanRepayments],
    ["liquidations", loanReductions],
  ])("reaches three months back, and not a millisecond further: %s", (_, call) => {
    expect(refused(call, { startTime: THREE_MONTHS_AGO, endTime: NOW }, NOW)).toEqual([]);
    expect(refused(call, { startTime: THREE_MONTHS_AGO - 1, endTime: NOW }, NOW)).toEqual(["startTime"]);
  });

  it("ends no earlier than it begins", () => {
    expect(refused(loanHistory, { startTime: NOW, endTime: NOW }, NOW)).toEqual([]);
    expect(refused(loanHistory, { startTime: NOW, endTime: NOW - 1 }, NOW)).toEqual(["endTime"]);
  });

  it.each([
    [1, []],
    [100, []],
    [0, ["pageSize"]],
    [101, ["pageSize"]],
    [1.5, ["pageSize"]],
  ])("takes pages of 1 to 100: %d", (pageSize, expected) => {
    expect(refused(loanHistory, { startTime: NOW, endTime: NOW, pageSize }, NOW)).toEqual(expected);
  });

  it("counts pages from 1", () => {
    expect(refused(loanHistory, { startTime: NOW, endTime: NOW, pageNo: 1 }, NOW)).toEqual([]);
    expect(refused(loanHistory, { startTime: NOW, endTime: NOW, pageNo: 0 }, NOW)).toEqual(["pageNo"]);
  });

  it("assumes the first page, of ten", () => {
    expect(loanHistory.parameters.pageNo.fallback).toBe(1);
    expect(loanHistory.parameters.pageSize.fallback).toBe(10);
  });

  it("takes the three states and no other", () => {
    for (const status of LOAN_STATUSES) expect(refused(loanHistory, { startTime: NOW, endTime: NOW, status }, NOW)).toEqual([]);
    expect(refused(loanHistory, { startTime: NOW, endTime: NOW, status: "OPEN" as "REPAY" }, NOW)).toEqual(["status"]);
  });
});
