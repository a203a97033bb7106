import { exact } from "@exchange-graph/contract/decimal";
import { before as earlier } from "@exchange-graph/contract/window";
import { describe, expect, it } from "vitest";
import { iso, sharedGraph, withKnownModes } from "./support/sharedGraph.js";

const live = withKnownModes(sharedGraph());

describe("loans", () => {
  it("lists the current loans, each with its account and identifier", async () => {
    const { data, calls } = await live.answer(`{
      account(name: "classic") { loans { ongoing {
        id account { name } orderId loanCoin loanAmount interestAmount hourlyRate pledgeCoin pledgeAmount
        ltv marginCallLtv liquidationLtv borrowTime expireTime
      } } }
    }`);
    expect(calls).toEqual(["loanOngoing"]);
    const { ongoing } = data.account.loans;
    expect(ongoing.length).toBeGreaterThan(1);
    expect(new Set(ongoing.map(({ id }: { id: string }) => id)).size).toBe(ongoing.length);
    expect(ongoing[0]).toEqual({
      id: expect.any(String),
      account: { name: "classic" },
      orderId: expect.stringMatching(/^\d{19}$/),
      loanCoin: expect.any(String),
      loanAmount: expect.stringMatching(/^\d+(\.\d+)?$/),
      interestAmount: expect.stringMatching(/^\d+(\.\d+)?$/),
      hourlyRate: expect.stringMatching(/^0\.\d+$/),
      pledgeCoin: expect.any(String),
      pledgeAmount: expect.stringMatching(/^\d+(\.\d+)?$/),
      ltv: expect.stringMatching(/^\d+(\.\d+)?$/),
      marginCallLtv: expect.stringMatching(/^\d+(\.\d+)?$/),
      liquidationLtv: expect.stringMatching(/^\d+(\.\d+)?$/),
      borrowTime: expect.stringMatching(/^\d{4}-.+Z$/),
      expireTime: expect.stringMatching(/^\d{4}-.+Z$/),
    });
    expect(ongoing.some(({ expireTime }: { expireTime: string | null }) => expireTime === null)).toBe(true);
  });

  it("forwards its filters", async () => {
    const pair = (await live.run('{ account(name: "main") { loans { ongoing { loanCoin pledgeCoin } } } }')).data.account.loans
      .ongoing[0];
    const { data, calls } = await live.run(
      `query ($loanCoin: String, $pledgeCoin: String) {
        account(name: "main") { loans { ongoing(loanCoin: $loanCoin, pledgeCoin: $pledgeCoin) { loanCoin pledgeCoin } } }
      }`,
      pair,
    );
    expect(calls).toEqual(["unifiedLoanOngoing"]);
    expect(data.account.loans.ongoing.length).toBeGreaterThan(0);
    for (const loan of data.account.loans.ongoing) expect(loan).toEqual(pair);
  });

  it("adds up to the debts, coin by coin", async () => {
    const { data, calls } = await live.run(`{
      account(name: "main") { loans {
        ongoing { loanCoin pledgeCoin }
        debts { loans { coin amount amountUsdt } pledges { coin amount amountUsdt } }
      } }
    }`);
    const { ongoing, debts } = data.account.loans;
    const coins = (rows: readonly Record<string, string>[], key: string) => [...new Set(rows.map((row) => row[key]))].sort();
    expect(coins(debts.loans, "coin")).toEqual(coins(ongoing, "loanCoin"));
    expect(coins(debts.pledges, "coin")).toEqual(coins(ongoing, "pledgeCoin"));
    expect(calls.toSorted()).toEqual(["unifiedLoanDebts", "unifiedLoanOngoing"]);
  });

  it("has the value of the collateral, and how far its price may fall", async () => {
    const { data, calls } = await live.answer(`{
      account(name: "main") { loans { ongoing {
        loanCoin loanAmount interestAmount pledgeCoin pledgeAmount liquidationLtv
        loanPrice pledgePrice currentLtv distanceToLiquidation
      } } }
      tickers(category: SPOT) { symbol lastPrice }
    }`);
    expect(calls.toSorted()).toEqual(["tickers", "unifiedLoanOngoing"]);
    const prices = new Map<string, string>(
      data.tickers.map((row: { symbol: string; lastPrice: string }) => [row.symbol, row.lastPrice]),
    );
    for (const loan of data.account.loans.ongoing) {
      expect(loan.pledgePrice).toBe(loan.pledgeCoin === "USDT" ? "1" : prices.get(`${loan.pledgeCoin}USDT`));
      const owed = exact(loan.loanAmount).plus(loan.interestAmount).times(loan.loanPrice);
      const after = exact(loan.pledgePrice).times(exact("1").minus(loan.distanceToLiquidation));
      const ratioThen = owed.div(exact(loan.pledgeAmount).times(after));
      // The distance has six decimals: at that price the loan-to-value equals the liquidation value, up to rounding.
      expect(ratioThen.minus(loan.liquidationLtv).abs().lt("0.00001")).toBe(true);
      expect(exact(loan.currentLtv).lt(loan.liquidationLtv)).toBe(true);
    }
  });

  it("pages through the past without losing or repeating a loan, for any page size", async () => {
    const document = `query ($first: Int, $after: String) {
      account(name: "main") { loans { history(first: $first, after: $after) {
        edges { cursor node { orderId borrowTime status statusRaw } }
        nodes { orderId }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      } } }
    }`;
    const whole = (await live.run(document, { first: 500 })).data.account.loans.history;
    const orderIds = whole.nodes.map(({ orderId }: { orderId: string }) => orderId);
    expect(orderIds.length).toBeGreaterThan(20);
    expect(new Set(orderIds).size).toBe(orderIds.length);
    expect(new Set(whole.edges.map(({ node }: { node: { status: string } }) => node.status))).toEqual(
      new Set(["REPAY", "FORCE", "ROLLBACK"]),
    );

    live.nextMinute();
    const pages = await live.pages(document, (data) => data.account.loans.history, { first: 7 });
    for (const [at, { edges, pageInfo }] of pages.entries())
      expect(pageInfo).toMatchObject({
        hasPreviousPage: at > 0,
        startCursor: edges?.[0]?.cursor,
        endCursor: edges?.at(-1)?.cursor,
      });
    const paged = pages.flatMap(({ nodes }) => nodes.map(({ orderId }) => orderId));
    expect(paged).toEqual(orderIds);
  });

  const HISTORY = `query ($from: DateTime, $to: DateTime, $first: Int, $status: LoanStatusInput, $after: String) {
    account(name: "main") { loans { history(from: $from, to: $to, first: $first, status: $status, after: $after) { nodes { orderId } } } }
  }`;

  it.each([
    ["from exactly three months ago", () => ({ from: iso(earlier(live.now(), { months: 3 })) })],
    ["no page size", () => ({ first: null })],
  ])("takes %s", async (_what, variables) => {
    const { calls } = await live.answer(HISTORY, variables());
    expect(calls).toContain("unifiedLoanHistory");
  });

  it.each([
    [
      "from a moment before three months ago",
      () => ({ from: iso(earlier(live.now(), { months: 3 }) - 1) }),
      "from must be within the last 3 months",
    ],
    ["too many rows", () => ({ first: 501 }), "first must be a whole number from 1 to 500"],
    [
      "a cursor of something else",
      () => ({ after: "bm9wZQ" }),
      "after must be a cursor of the same list with the same arguments",
    ],
  ])("refuses %s and sends nothing", async (_what, variables, message) => {
    const { data, errors } = await live.run(HISTORY, variables());
    expect(data.account.loans.history).toBeNull();
    expect(errors.map((error) => [error.path?.join("."), error.message, error.extensions.code])).toEqual([
      ["account.loans.history", message, "BAD_USER_INPUT"],
    ]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });

  it("refuses a malformed coin by the graph's name of the argument", async () => {
    const { errors } = await live.run('{ account { loans { ongoing(loanCoin: "US DT") { orderId } } } }');
    expect(errors[0]?.extensions).toEqual({
      code: "BAD_USER_INPUT",
      retryable: false,
      violations: [{ argument: "loanCoin", rule: "must be a coin name such as USDT" }],
    });
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});
