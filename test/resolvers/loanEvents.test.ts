import { exact, plain } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { sharedGraph, withKnownModes } from "./support/sharedGraph.js";

const live = withKnownModes(sharedGraph());

const sum = (...amounts: readonly string[]): string => plain(amounts.reduce((total, amount) => total.plus(amount), exact("0")));

describe("repayments", () => {
  it("are those of the loans that were repaid, and add up", async () => {
    const { data, calls } = await live.answer(`{ account(name: "main") { loans {
      history(status: REPAY, first: 500) { nodes { orderId } }
      repayments(first: 500) { nodes {
        orderId loanCoin pledgeCoin amount interestAmount principalAmount unlockedAmount repayTime
      } }
    } } }`);
    expect(new Set(calls)).toEqual(new Set(["unifiedLoanHistory", "unifiedLoanRepayments"]));
    const { history, repayments } = data.account.loans;
    const ids = (nodes: readonly { orderId: string }[]) => nodes.map(({ orderId }) => orderId).toSorted();
    expect(repayments.nodes.length).toBeGreaterThan(10);
    expect(ids(repayments.nodes)).toEqual(ids(history.nodes));
    for (const { amount, interestAmount, principalAmount, repayTime } of repayments.nodes) {
      expect(sum(interestAmount, principalAmount)).toBe(amount);
      expect(repayTime).toMatch(/^\d{4}-.+Z$/);
    }
  });

  it("are paged without losing or repeating one", async () => {
    const document = `query ($first: Int, $after: String) { account(name: "main") { loans {
      repayments(first: $first, after: $after) { nodes { orderId repayTime } pageInfo { hasNextPage endCursor } }
    } } }`;
    const whole = (await live.run(document, { first: 500 })).data.account.loans.repayments.nodes;
    live.nextMinute();
    const pages = await live.pages(document, (data) => data.account.loans.repayments, { first: 7 });
    const paged = pages.flatMap(({ nodes }) => nodes);
    expect(paged).toEqual(whole);
  });

  it("of one loan are requested by its identifier", async () => {
    const first = "{ account { loans { repayments(first: 1) { nodes { orderId } } } } }";
    const [{ orderId }] = (await live.run(first)).data.account.loans.repayments.nodes;
    live.nextMinute();
    const document = "query ($orderId: String) { account { loans { repayments(orderId: $orderId) { nodes { orderId } } } } }";
    expect((await live.run(document, { orderId })).data.account.loans.repayments.nodes).toEqual([{ orderId }]);
  });
});

describe("reductions", () => {
  it("are those of the loans that were liquidated", async () => {
    const { data, calls } = await live.answer(`{ account(name: "main") { loans {
      history(status: FORCE, first: 500) { nodes { orderId } }
      reductions(first: 500) { nodes {
        orderId loanCoin pledgeCoin reduceTime ltv pledgePrice status statusRaw pledgeAmount fee leftAmount
        unlockedAmount principalAmount
      } }
    } } }`);
    expect(new Set(calls)).toEqual(new Set(["unifiedLoanHistory", "unifiedLoanReductions"]));
    const { history, reductions } = data.account.loans;
    const ids = (nodes: readonly { orderId: string }[]) => nodes.map(({ orderId }) => orderId).toSorted();
    expect(reductions.nodes.length).toBeGreaterThan(0);
    expect(ids(reductions.nodes)).toEqual(ids(history.nodes));
    for (const row of reductions.nodes) expect(row).toMatchObject({ status: "COMPLETE", statusRaw: "COMPLETE" });
  });

  it("that are unfinished are requested as such", async () => {
    const document = `query ($status: LoanReductionStatusInput) { account { loans {
      reductions(status: $status) { nodes { orderId } }
    } } }`;
    expect((await live.run(document, { status: "WAIT" })).data.account.loans.reductions.nodes).toEqual([]);
  });
});
