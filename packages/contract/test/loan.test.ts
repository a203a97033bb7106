import { describe, expect, it } from "vitest";
import { closedLoan, debts, loanReduction, loanRepayment, loanTerms, ongoingLoan } from "../src/loan.js";
import samples from "./samples/loan.json" with { type: "json" };
import { renamed } from "./support/renamed.js";

const { ONGOING, CLOSED } = samples;

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
