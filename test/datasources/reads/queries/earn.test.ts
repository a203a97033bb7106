import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { everyRow } from "../../../../packages/contract/test/support/everyRow.js";
import { readSubAccountEmail } from "../../../../src/datasources/reads/queries/broker.js";
import { readLoanTerms } from "../../../../src/datasources/reads/queries/loans.js";
import {
  readSavingsProducts,
  readSavingsTotals,
  savingsHoldings,
  savingsRecords,
} from "../../../../src/datasources/reads/queries/savings.js";
import { readSharkFinTotals, sharkFinOffers } from "../../../../src/datasources/reads/queries/sharkFin.js";
import { readConvertQuote } from "../../../../src/datasources/writes/mutations/convertQuote.js";
import { writesOn } from "../../../support/writesOn.js";
import { type TwoGenerations, twoGenerations } from "../../support/twoGenerations.js";

const SAVINGS = "/api/v2/earn/savings";
const SHARK_FIN = "/api/v2/earn/sharkfin";
const QUOTE = "/api/v2/convert/quoted-price";
const DAY = 86_400_000;

describe("earn reads", () => {
  let world: TwoGenerations;
  beforeEach(async () => {
    world = await twoGenerations();
  });
  afterEach(() => world.close());

  it("show every holding of savings, however long ago it began", async () => {
    const holdings = Array.from({ length: 3 }, (_, at) => ({
      productId: `p${at}`,
      productCoin: "USDT",
      interestCoin: "USDT",
      periodType: "flexible",
      holdAmount: "500",
      status: "in_holding",
    }));
    world.upstream.on(`${SAVINGS}/assets`, ({ query }) => ({
      data:
        query.get("idLessThan") === null
          ? { resultList: holdings.slice(0, 2), endId: "x" }
          : { resultList: holdings.slice(2), endId: "x" },
    }));
    const { rows, hasNextPage } = await savingsHoldings.read(
      world.request(),
      world.main,
      { periodType: "flexible" },
      { first: 2 },
    );
    const rest = await savingsHoldings.read(
      world.request(),
      world.main,
      { periodType: "flexible" },
      { first: 2, after: rows.at(-1)?.cursor },
    );
    expect(everyRow([...rows, ...rest.rows].map(({ row }) => row)).map(({ productId }) => productId)).toEqual(["p0", "p1", "p2"]);
    expect([hasNextPage, rest.hasNextPage]).toEqual([true, false]);
    expect(world.targets()).toEqual([
      `${SAVINGS}/assets?periodType=flexible&limit=2`,
      `${SAVINGS}/assets?periodType=flexible&limit=2&idLessThan=x`,
    ]);
  });

  it("read savings records over time, filtered by the exchange", async () => {
    world.upstream.on(`${SAVINGS}/records`, { data: { resultList: [], endId: "" } });
    const to = world.exchange.clock.now();
    const asked = { periodType: "fixed", coin: "USDT", orderType: "redeem" } as const;
    await savingsRecords.read(world.request(), world.main, asked, { from: to - 5 * DAY, to, first: 3 });
    expect(world.targets()).toEqual([
      `${SAVINGS}/records?periodType=fixed&coin=USDT&orderType=redeem&startTime=${to - 5 * DAY}&endTime=${to}&limit=3`,
    ]);
  });

  it("read savings products and totals of either API version", async () => {
    const totals = {
      btcAmount: "1",
      usdtAmount: "2",
      btc24hEarning: "3",
      usdt24hEarning: "4",
      btcTotalEarning: "5",
      usdtTotalEarning: "6",
    };
    world.upstream.on(`${SAVINGS}/account`, { data: totals });
    world.upstream.on(`${SAVINGS}/product`, { data: [] });
    expect(await readSavingsTotals(world.request(), world.classic)).toEqual({
      amountBtc: "1",
      amountUsdt: "2",
      earned24hBtc: "3",
      earned24hUsdt: "4",
      earnedBtc: "5",
      earnedUsdt: "6",
    });
    await readSavingsProducts(world.request(), world.main, { coin: "USDT", filter: "held" });
    expect(world.targets()).toEqual([`${SAVINGS}/account`, `${SAVINGS}/product?coin=USDT&filter=held`]);
  });

  it("read shark-fin totals, and offers for a coin", async () => {
    world.upstream.on(`${SHARK_FIN}/account`, {
      data: {
        btcSubscribeAmount: "1",
        usdtSubscribeAmount: "2",
        btcHistoricalAmount: "3",
        usdtHistoricalAmount: "4",
        btcTotalEarning: "5",
        usdtTotalEarning: "6",
      },
    });
    world.upstream.on(`${SHARK_FIN}/product`, { data: { resultList: null, endId: null } });
    expect((await readSharkFinTotals(world.request(), world.main)).earnedUsdt).toBe("6");
    expect(await sharkFinOffers.read(world.request(), world.main, { coin: "USDT" }, { first: 4 })).toEqual({
      rows: [],
      hasNextPage: false,
      total: 0,
    });
    expect(world.targets().at(-1)).toBe(`${SHARK_FIN}/product?coin=USDT&limit=4`);
  });

  it("pick coins out of the loan terms, which are read once for all accounts", async () => {
    const pledge = (coin: string) => ({ coin, initRate: "0.65", supRate: "0.75", forceRate: "0.83", minUsdt: "0", maxUsdt: "1" });
    const loan = (coin: string) => ({ coin, minUsdt: "1", maxUsdt: "2", min: "1", max: "2" });
    world.upstream.on("/api/v2/earn/loan/public/coinInfos", {
      data: { loanInfos: [loan("USDT"), loan("BTC")], pledgeInfos: [pledge("BTC"), pledge("ETH")] },
    });
    const terms = await readLoanTerms(world.request(), ["btc"]);
    expect([everyRow(terms.loanCoins).map(({ coin }) => coin), everyRow(terms.pledgeCoins).map(({ coin }) => coin)]).toEqual([
      ["BTC"],
      ["BTC"],
    ]);
    await readLoanTerms(world.request());
    expect(world.targets()).toEqual(["/api/v2/earn/loan/public/coinInfos"]);
  });

  it("read how a sub-account is reached", async () => {
    world.upstream.on("/api/v2/broker/account/subaccount-email", { data: { subUid: "7", subaccountEmail: "a@b.example" } });
    expect(await readSubAccountEmail(world.request(), world.main, "7")).toMatchObject({
      subUid: "7",
      email: "a@b.example",
    });
  });
});

describe("a conversion's quotation", () => {
  let world: TwoGenerations;
  beforeEach(async () => {
    world = await twoGenerations();
    let quotes = 0;
    world.upstream.on(QUOTE, () => ({
      data: {
        fee: "0",
        fromCoinSize: 100,
        fromCoin: "USDT",
        cnvtPrice: "0.1",
        toCoinSize: "10",
        toCoin: "BTC",
        traceId: `t${++quotes}`,
      },
    }));
  });
  afterEach(() => world.close());
  const usdtToBtc = { fromCoin: "USDT", toCoin: "BTC" };

  it("is never shared: each field gets a separate one, also at the same time and within one request", async () => {
    const writes = writesOn(world.exchange);
    const asked = { ...usdtToBtc, fromAmount: "100" };
    const quotes = await Promise.all(
      [writes, writes, writesOn(world.exchange)].map((request) => readConvertQuote(request, world.main, asked)),
    );
    expect(new Set(quotes.map(({ traceId }) => traceId)).size).toBe(3);
    expect(world.upstream.callsOf(QUOTE)).toHaveLength(3);
  });

  it.each([
    [{}, "amount.from must be given, or the amount to receive in its place"],
    [{ fromAmount: "1", toAmount: "1" }, "amount.to must be left out when the amount to give is given"],
    [{ fromAmount: "-1" }, "amount.from must be a decimal number greater than 0"],
  ])("is not asked for with %j", async (sizes, rule) => {
    await expect(readConvertQuote(writesOn(world.exchange), world.main, { ...usdtToBtc, ...sizes })).rejects.toThrow(rule);
    expect(world.upstream.calls).toEqual([]);
  });
});
