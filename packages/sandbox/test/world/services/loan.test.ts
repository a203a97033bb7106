import { exact, plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { walletOf } from "../../../src/world/ledger.js";
import { type Loan, LoanBook } from "../../../src/world/loan/loanBook.js";
import { interestOn, LOAN_TERMS, loanToValue } from "../../../src/world/loan/loanTerms.js";
import { openLoans } from "../../../src/world/loan/opening.js";
import { ALICE, type TestOffice, testOffice, testRandom } from "../../support/office.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("interest on a loan", () => {
  const interestAfter = (ms: number): string => plain(interestOn(exact("1000"), "0.0006", 0, ms));

  it("is charged for every hour that has begun", () => {
    expect([0, HOUR_MS - 1, HOUR_MS, 2 * HOUR_MS].map(interestAfter)).toEqual(["0.006", "0.006", "0.012", "0.018"]);
  });

  it("is cut to eight places", () => {
    expect(plain(interestOn(exact("0.12345678"), "0.000617", 0, 0))).toBe("0.00000076");
  });
});

describe("loan-to-value", () => {
  it("is what is owed over what is pledged, in percent of two places", () => {
    expect([plain(loanToValue(exact("65"), exact("100"))), plain(loanToValue(exact("2"), exact("3")))]).toEqual(["65", "66.66"]);
  });
});

describe("the loan service", () => {
  let office: TestOffice;
  let loans: LoanBook;
  beforeEach(() => {
    office = testOffice();
    loans = new LoanBook(office);
  });

  const collateral = (coin: string): string => plain(office.ledger.balance(walletOf(ALICE, "collateral"), coin).locked);
  const grant = (terms: Partial<Loan> = {}): Loan => {
    const loan: Loan = {
      orderId: office.ids.next(),
      uid: ALICE,
      loanCoin: "USDT",
      pledgeCoin: "ETH",
      loanAmount: exact("1950"),
      pledgeAmount: exact("1"),
      term: LOAN_TERMS.seven,
      borrowTime: office.now(),
      ...terms,
    };
    loans.grant(loan);
    return loan;
  };

  it("moves the pledge out of the user's funds, and the loan into them", () => {
    grant();
    expect(plain(office.funds(ALICE, "USDT"))).toBe("2950");
    expect(plain(office.funds(ALICE, "ETH"))).toBe("999");
    expect(collateral("ETH")).toBe("1");
    expect(office.unbalanced()).toEqual([]);
  });

  it("owes what its running loans owe, interest included, and pledges what they pledge", () => {
    grant();
    grant({ loanAmount: exact("100"), term: LOAN_TERMS.flexible });
    grant({ loanCoin: "BTC", loanAmount: exact("0.01"), pledgeCoin: "SOL", pledgeAmount: exact("7") });
    office.clock.advance(5 * HOUR_MS);
    const { due, pledged } = loans.debts(ALICE);
    const text = due.map(({ coin, amount, amountUsdt }) => [coin, plain(amount), plain(amountUsdt)]);
    expect(text).toEqual([
      ["BTC", "0.01000037", "600.0222"],
      ["USDT", "2050.075429", "2050.075429"],
    ]);
    expect(pledged.map(({ coin, amount, amountUsdt }) => [coin, plain(amount), plain(amountUsdt)])).toEqual([
      ["SOL", "7", "1050"],
      ["ETH", "2", "6000"],
    ]);
    for (const { coin, amount } of pledged) expect(plain(amount)).toBe(collateral(coin));
  });

  it("keeps a loan open below the rate at which it is liquidated", () => {
    const loan = grant();
    office.prices.set("ETH", exact("2350"));
    loans.review();
    expect(plain(loans.pledgeRateOf(loan))).toBe("82.97");
    expect(loans.ongoing(ALICE)).toEqual([loan]);
  });

  it("liquidates a loan at that rate, and gives back what is left of the collateral", () => {
    const loan = grant();
    office.prices.set("ETH", exact("2349"));
    loans.review();
    expect(loans.ongoing(ALICE)).toEqual([]);
    const [closed] = loans.closed.of(ALICE);
    expect([closed?.orderId, closed?.outcome, closed?.closedTime]).toEqual([loan.orderId, "FORCE", office.now()]);
    expect(plain(closed?.liquidation?.taken ?? exact("0"))).toBe("0.8301456");
    expect(plain(office.funds(ALICE, "ETH"))).toBe("999.1698544");
    expect(collateral("ETH")).toBe("0");
    expect(office.unbalanced()).toEqual([]);
  });

  it("takes all of the collateral, and no more, when it is worth less than the loan", () => {
    grant();
    office.prices.set("ETH", exact("1000"));
    loans.review();
    expect(plain(loans.closed.of(ALICE)[0]?.liquidation?.taken ?? exact("0"))).toBe("1");
    expect(plain(office.funds(ALICE, "ETH"))).toBe("999");
    expect(office.unbalanced()).toEqual([]);
  });

  it("ends a loan at the end of its term, and a flexible one never", () => {
    const seven = grant();
    const flexible = grant({ term: LOAN_TERMS.flexible });
    office.clock.advance(7 * DAY_MS - 1);
    loans.review();
    expect(loans.ongoing(ALICE)).toEqual([flexible, seven]);
    office.clock.advance(1);
    loans.review();
    expect(loans.ongoing(ALICE)).toEqual([flexible]);
  });

  it("opens with more than three pages of a hundred loans that are over, newest first, and a handful that run", () => {
    openLoans(loans, ALICE, testRandom());
    expect(loans.ongoing(ALICE).length).toBeGreaterThanOrEqual(3);
    const closed = loans.closed.of(ALICE);
    expect(closed.length).toBeGreaterThan(300);
    expect(closed.map(({ borrowTime }) => borrowTime)).toEqual(closed.map(({ borrowTime }) => borrowTime).sort((a, b) => b - a));
    expect(new Set(closed.map(({ outcome }) => outcome))).toEqual(new Set(["REPAY", "FORCE", "ROLLBACK"]));
    for (const { borrowTime, closedTime } of closed) {
      expect(closedTime).toBeGreaterThan(borrowTime);
      expect(closedTime).toBeLessThan(office.now());
      expect(borrowTime).toBeGreaterThan(office.now() - 90 * DAY_MS);
    }
  });
});
