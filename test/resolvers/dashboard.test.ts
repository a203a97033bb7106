import { describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

const ACCOUNT = `
  name mode totalEquity
  balances { coin equity valueUsdt }
  positions { symbol qty notional instrument { symbol leverage { max } } ticker { symbol lastPrice } }
  openOrders { nodes { symbol instrument { symbol } ticker { lastPrice } } }
  loans { ongoing { loanCoin currentLtv pledgePrice distanceToLiquidation } }`;

describe("one document over every account", () => {
  it("spends one call per endpoint, account and key that cannot be batched, and no more", async () => {
    const { data, reads } = await live.while(
      live.answer(`{
        accounts { ${ACCOUNT} }
        broker: account(name: "broker") { broker { subAccounts(first: 3) { nodes { subUid spotAssets { coin valueUsdt } futuresAssets(productType: USDT_FUTURES) { marginCoin } } } } }
      }`),
    );
    expect(data.accounts).toHaveLength(3);
    const tally: Record<string, number> = {};
    for (const { endpoint, account, source } of reads) {
      if (source !== "REST") continue;
      const key = `${endpoint} ${account ?? "-"}`;
      tally[key] = (tally[key] ?? 0) + 1;
    }
    const classic = (name: string) => ({
      [`accountSettings ${name}`]: 1,
      [`classicSpotAssets ${name}`]: 1,
      [`futuresAccounts ${name}`]: 3,
      [`classicPositions ${name}`]: 3,
      // Orders in the book, and trigger orders.
      [`classicSpotOpenOrders ${name}`]: 2,
      [`classicFuturesOpenOrders ${name}`]: 3,
      [`loanOngoing ${name}`]: 1,
    });
    const most: Readonly<Record<string, number>> = {
      "accountSettings main": 1,
      "unifiedAssets main": 1,
      "positions main": 3,
      "openOrders main": 1,
      "unifiedLoanOngoing main": 1,
      ...classic("classic"),
      ...classic("broker"),
      "subAccountList broker": 1,
      "subAccountSpotAssets broker": 3,
      "brokerSubAccountFuturesAssets broker": 3,
      // Spot for valuations, and the categories of positions and orders.
      "tickers -": 4,
      "instruments -": 4,
    };
    for (const [key, calls] of Object.entries(tally)) expect(calls, key).toBeLessThanOrEqual(most[key] ?? 0);
  });
});
