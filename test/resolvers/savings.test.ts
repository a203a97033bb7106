import { describe, expect, it } from "vitest";
import { AMOUNT, sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

describe("savings", () => {
  it("show products, totals, holdings and records, with one call each", async () => {
    const { data, calls } = await live.answer(`{ account(name: "main") { earn { savings {
      products(coin: "USDT", filter: AVAILABLE) {
        productId coin periodType periodTypeRaw periodDays apyType canRedeemEarly settleMethod status productLevel
        apyTiers { tier minAmount maxAmount apy }
      }
      totals { amountBtc amountUsdt earned24hBtc earned24hUsdt earnedBtc earnedUsdt }
      assets(periodType: FIXED, first: 2) { nodes {
        productId orderId productCoin interestCoin periodType periodDays amount lastProfit totalProfit holdDays status statusRaw
        canRedeemEarly productLevel apyTiers { apy }
      } }
      records(periodType: FLEXIBLE, orderType: SUBSCRIBE, first: 2) { nodes {
        orderId productCoin interestCoin periodType periodDays productLevel amount createdTime orderType orderTypeRaw
      } }
    } } } }`);
    expect(calls.toSorted()).toEqual(["savingsAccount", "savingsAssets", "savingsProducts", "savingsRecords"]);
    const { products, totals, assets, records } = data.account.earn.savings;
    expect(new Set(products.map(({ coin }: { coin: string }) => coin))).toEqual(new Set(["USDT"]));
    expect(products[0]).toMatchObject({
      periodType: "FLEXIBLE",
      periodTypeRaw: "flexible",
      apyType: "LADDER",
      status: "IN_PROGRESS",
    });
    expect(totals).toMatchObject({ amountBtc: AMOUNT, earnedUsdt: AMOUNT });
    expect(assets.nodes[0]).toMatchObject({
      periodType: "FIXED",
      periodDays: expect.any(Number),
      amount: AMOUNT,
      orderId: expect.any(String),
      status: "IN_PROGRESS",
    });
    expect(records.nodes[0]).toMatchObject({
      periodType: "FLEXIBLE",
      orderType: "SUBSCRIBE",
      orderTypeRaw: "subscribe",
      amount: AMOUNT,
    });
  });

  it("pages through all holdings, without losing or repeating one", async () => {
    const page = async (rows: string) => {
      const list = `assets(periodType: FLEXIBLE, ${rows}) { nodes { id } pageInfo { hasNextPage endCursor } }`;
      return (await live.run(`{ account(name: "main") { earn { savings { ${list} } } } }`)).data.account.earn.savings.assets;
    };
    const whole = await page("first: 500");
    const first = await page("first: 1");
    const rest = await page(`first: 500, after: "${first.pageInfo.endCursor}"`);
    expect([...first.nodes, ...rest.nodes]).toEqual(whole.nodes);
    expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
  });
});

describe("shark-fin products on offer", () => {
  it("are listed by coin, with the account's holdings", async () => {
    const { data } = await live.answer(`{ account(name: "main") { earn { sharkFin {
      totals { amountBtc amountUsdt subscribedBtc subscribedUsdt earnedBtc earnedUsdt }
      offers(coin: "USDT", first: 3) { nodes {
        productId productName productCoin subscribeCoin status statusRaw periodDays lowerRate defaultRate upperRate minAmount
        limitAmount soldAmount startTime endTime farmingStartTime farmingEndTime interestStartTime
      } }
    } } } }`);
    const { totals, offers } = data.account.earn.sharkFin;
    expect(totals).toMatchObject({ amountUsdt: AMOUNT, earnedUsdt: AMOUNT });
    for (const offer of offers.nodes)
      expect(offer).toMatchObject({
        ...{ subscribeCoin: "USDT", lowerRate: AMOUNT, soldAmount: AMOUNT },
        periodDays: expect.any(Number),
      });
  });
});

describe("convert quotation", () => {
  const QUOTE = `query ($amount: ConvertAmount!) {
    account(name: "main") { convertQuote(fromCoin: "USDT", toCoin: "BTC", amount: $amount) {
      fromCoin fromAmount toCoin toAmount price fee traceId
    } }
  }`;

  it.each([
    [{ from: "100" }, { fromAmount: "100" }],
    [{ to: "0.01" }, { toAmount: "0.01" }],
  ])("prices %o", async (amount, shown) => {
    const { data } = await live.answer(QUOTE, { amount });
    expect(data.account.convertQuote).toMatchObject({
      fromCoin: "USDT",
      toCoin: "BTC",
      price: AMOUNT,
      traceId: expect.any(String),
      ...shown,
    });
  });

  it("returns a separate quotation for every field", async () => {
    const quote = 'convertQuote(fromCoin: "USDT", toCoin: "BTC", amount: { from: "100" }) { traceId }';
    const { data, calls } = await live.run(`{ account(name: "main") { one: ${quote} other: ${quote} } }`);
    expect(data.account.one.traceId).not.toBe(data.account.other.traceId);
    expect(calls).toEqual(["convertQuote", "convertQuote"]);
  });

  it("refuses amounts that are none, and sends nothing", async () => {
    const { errors } = await live.run(QUOTE, { amount: { from: "0" } });
    const message =
      "amount.from must be a decimal number greater than 0, with at most 20 digits before the point and 18 after it";
    expect(errors.map((error) => [error.message, error.extensions.code])).toEqual([[message, "BAD_USER_INPUT"]]);
    for (const amount of [{}, { from: "1", to: "1" }])
      expect((await live.run(QUOTE, { amount })).errors[0]?.message).toContain("Exactly one key must be specified");
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});

describe("loan terms", () => {
  it("show what can be borrowed and pledged, without an account", async () => {
    const { data, calls } = await live.answer(`{ loanTerms(coins: ["usdt"]) {
      loanCoins { coin hourlyRate7d annualRate7d hourlyRate30d annualRate30d minUsdt maxUsdt min max }
      pledgeCoins { coin initialLtv marginCallLtv liquidationLtv minUsdt maxUsdt }
    } }`);
    expect(calls).toEqual(["loanCoins"]);
    expect(data.loanTerms.loanCoins).toEqual([expect.objectContaining({ coin: "USDT", annualRate7d: AMOUNT, max: AMOUNT })]);
    expect(data.loanTerms.pledgeCoins).toEqual([
      expect.objectContaining({ coin: "USDT", initialLtv: AMOUNT, liquidationLtv: AMOUNT }),
    ]);
  });
});
