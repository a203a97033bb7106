import { endpoints } from "@exchange-graph/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountNamed } from "../support/exchangeOver.js";
import { type GraphGateway, graphGateway } from "../support/gateway/graphGateway.js";
import { post } from "../support/gateway/tinyGateway.js";
import type { Scripted } from "../support/scriptedExchange.js";

const SETTINGS = "/api/v3/account/settings";
const CLASSIC = { code: "40084", msg: "You are in Classic Account mode" };
const UNIFIED = { data: { uid: "1", accountMode: "unified", holdMode: "one_way_mode" } };

const PERP = 'category: USDT_FUTURES, symbol: "BTCUSDT"';
const OUTCOME = "outcome userErrors { message }";
/** Fields with calls, of the account and of the market. */
const READS = `balances { coin } fundingBalances { coin } openOrders { totalCount } orderHistory { totalCount } fills { totalCount }
  planOrders { totalCount } planOrderHistory { totalCount } positions { symbol } positionHistory { totalCount }
  order(by: { orderId: "1" }, category: USDT_FUTURES, symbol: "BTCUSDT") { orderId } settings { uid } totalEquity
  futuresSettings(${PERP}) { leverage } upgrade(subUid: "1") { status } convertCurrencies { coin }
  convertQuote(fromCoin: "USDT", toCoin: "BTC", amount: { from: "10" }) { price } convertRecords { totalCount }
  futuresAccounts(productType: USDT_FUTURES) { equity } subAccountFuturesAssets(productType: USDT_FUTURES) { subUid }
  financialRecords { totalCount } fundingRecords { totalCount } deposits { totalCount } withdrawals { totalCount }
  transfers(coin: "USDT") { totalCount } subAccountTransfers { totalCount } maxTransfer(coin: "USDT") { amount }
  maxWithdrawal(coin: "USDT") { total } feeRates(category: SPOT) { symbol }
  loans { debts { loans { coin } } ongoing { orderId } history { totalCount } repayments { totalCount } reductions { totalCount } }
  earn { savings { totals { amountBtc } assets(periodType: FLEXIBLE) { totalCount } records(periodType: FLEXIBLE) { totalCount } }
    sharkFin { totals { amountBtc } } }
  broker { info { subAccountCount } subAccounts { totalCount } withdrawals { totalCount } }`;
const MARKET = `instruments(category: SPOT) { symbol } ticker(${PERP}) { lastPrice } orderBook(${PERP}) { time } trades(${PERP}) { execId }
  candles(${PERP}, interval: HOUR_1) { startTime } fundingHistory(${PERP}) { time } positionTiers(${PERP}) { tier }
  openInterests(category: USDT_FUTURES) { symbol } coins { coin } marginPairs { symbol } spotSymbols { symbol } discountRates { coin }
  loanTerms { loanCoins { coin } }`;
const writes = (account: string) => `mutation {
  convert(input: { account: "${account}", fromCoin: "USDT", toCoin: "BTC", fromAmount: "10", toAmount: "1", price: "10", traceId: "1" }) { ${OUTCOME} }
  setLeverage(input: { account: "${account}", ${PERP}, leverage: "5" }) { ${OUTCOME} }
  setHoldMode(input: { account: "${account}", category: USDT_FUTURES, holdMode: HEDGE_MODE }) { ${OUTCOME} }
  cancelOrder(input: { account: "${account}", ${PERP}, by: { orderId: "1" } }) { ${OUTCOME} }
  closePositions(input: { account: "${account}", ${PERP} }) { ${OUTCOME} }
  redeemSavings(input: { account: "${account}", productId: "1", periodType: FLEXIBLE, amount: "1" }) { ${OUTCOME} }
}`;

const FAULTS: readonly (readonly [string, Scripted])[] = [
  ["a refusal", { code: "40774", msg: "The order type is not allowed" }],
  ["a refusal of the key", { code: "40014", msg: "Incorrect permissions" }],
  ["too many requests", { raw: "", status: 429 }],
  ["a failure", { raw: "", status: 502 }],
  ["a firewall", { raw: "<html>", status: 403 }],
  ["a redirect", { raw: "", status: 302 }],
  ["an unknown compression", { raw: "x", headers: { "content-encoding": "zstd" } }],
  ["no JSON", { raw: "" }],
  ["data of another shape", { data: 7 }],
  ["rows of another shape", { data: [{ symbol: 1 }] }],
  ["a cut connection", "reset"],
];

/** Names of endpoints that are no words: in a text they would be those of this project. */
const INNER = Object.values(endpoints)
  .map(({ name }) => name)
  .filter((name) => /[A-Z]/.test(name));

describe("texts of errors", () => {
  let gateway: GraphGateway;
  beforeAll(async () => {
    gateway = await graphGateway({ accounts: [accountNamed("main"), accountNamed("classic")] });
    gateway.upstream.on(SETTINGS, ({ headers }) => (headers["access-key"] === "classic-key" ? CLASSIC : UNIFIED));
  });
  afterAll(() => gateway.close());

  it.each(FAULTS)("name what a call is about in words of the graph, not its endpoint: %s", async (_, scripted) => {
    for (const { path } of Object.values(endpoints)) if (path !== SETTINGS) gateway.upstream.on(path, scripted);
    const documents = [
      `{ ${MARKET} }`,
      ...["main", "classic"].flatMap((name) => [`{ account(name: "${name}") { ${READS} } }`, writes(name)]),
    ];
    const texts: string[] = [];
    for (const query of documents) {
      const answer = await (await gateway.while(post(gateway.url, { query }))).text();
      for (const [, text = ""] of answer.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)) texts.push(text);
    }
    expect(texts.length).toBeGreaterThan(40);
    expect(texts.filter((text) => INNER.some((name) => new RegExp(`(?<![\`/.])\\b${name}\\b`).test(text)))).toEqual([]);
  });
});
