import { endpoints } from "@exchange-graph/contract";
import { channels } from "@exchange-graph/contract/channels";
import type { GraphQLFormattedError } from "graphql";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { passing } from "../support/eventually.js";
import { accountNamed } from "../support/exchangeOver.js";
import { type GraphGateway, graphGateway } from "../support/gateway/graphGateway.js";
import { wsUrlOf } from "../support/gateway/liveGateway.js";
import { post } from "../support/gateway/tinyGateway.js";
import type { Scripted } from "../support/scriptedExchange.js";
import { type ScriptedSockets, scriptedSockets } from "../support/scriptedSockets.js";

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

/** Names of endpoints and channels that are no words: in a text they would be those of this project. */
const INNER = [...endpoints, ...channels].map(({ name }) => name).filter((name) => /[A-Z]/.test(name));
const innerIn = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => INNER.some((name) => new RegExp(`(?<![\`/.])\\b${name}\\b`).test(text)));

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
    expect(innerIn(texts)).toEqual([]);
  });
});

const STREAMS = [
  `ticker(${PERP}) { ticker { symbol instrument { symbol } } }`,
  `tickers(category: SPOT, symbols: ["BTCUSDT"]) { ticker { symbol openUtc } }`,
  `trades(${PERP}) { trades { execId } }`,
  `candles(${PERP}, interval: HOUR_1) { candles { close } }`,
  `orderBook(${PERP}) { orderBook { time } }`,
  "liquidations(category: USDT_FUTURES) { liquidations { symbol } }",
  ...["main", "classic"].flatMap((name) => [
    `orders(account: "${name}") { orders { orderId } }`,
    `planOrders(account: "${name}") { planOrders { orderId } }`,
    `fills(account: "${name}") { fills { execId } }`,
    `positions(account: "${name}") { positions { symbol hasAutoMargin } }`,
    `accountUpdates(account: "${name}") { balances { coin } }`,
    `loans(account: "${name}") { loans { orderId } }`,
    `equity(account: "${name}") { point { equity } }`,
  ]),
];

const FAILURE: Scripted = { raw: "", status: 502 };
/** What the exchange does, and how many errors the subscriptions have then. */
const STREAM_FAULTS: readonly (readonly [string, Scripted, Partial<Pick<ScriptedSockets, "login" | "verdict">>, number])[] = [
  ["a refusal", { code: "40774", msg: "The order type is not allowed" }, {}, 15],
  ["a failure", FAILURE, {}, 15],
  ["data of another shape", { data: 7 }, {}, 15],
  ["a refused subscription", FAILURE, { verdict: () => ({ code: 30001, msg: "It does not exist" }) }, 20],
  ["a refused login", FAILURE, { login: 30011 }, 17],
];

describe("texts of errors of subscriptions", () => {
  it.each(STREAM_FAULTS)("name what they are about in words of the graph: %s", async (_, scripted, script, count) => {
    const sockets = await scriptedSockets(() => 0);
    const accounts = [accountNamed("main"), accountNamed("classic")];
    const gateway = await graphGateway({ accounts }, { sockets: sockets.url });
    const client = createClient({ url: wsUrlOf(gateway.url), webSocketImpl: WebSocket, retryAttempts: 0 });
    try {
      for (const { path } of endpoints) gateway.upstream.on(path, scripted);
      gateway.upstream.on(SETTINGS, ({ headers }) => (headers["access-key"] === "classic-key" ? CLASSIC : UNIFIED));
      Object.assign(sockets, script);
      sockets.onSubscribed = (arg, connection) => {
        if (Object.values(arg).includes("ticker")) connection.push(arg, [{ symbol: "BTCUSDT", lastPrice: "1" }], "snapshot");
      };
      const reported = new Promise<readonly string[]>((resolve) => {
        const texts: string[] = [];
        const add = (errors: readonly GraphQLFormattedError[] = []) => {
          texts.push(...errors.map(({ message }) => message));
          if (texts.length >= count) resolve(texts);
        };
        const sink = {
          next: ({ errors }: { readonly errors?: readonly GraphQLFormattedError[] | undefined }) => add(errors),
          error: (errors: unknown) => add(errors as readonly GraphQLFormattedError[]),
          complete: () => undefined,
        };
        for (const query of STREAMS) client.subscribe({ query: `subscription { ${query} }` }, sink);
      });
      expect(innerIn(await passing(gateway.clock, 100, reported))).toEqual([]);
    } finally {
      await client.dispose();
      await gateway.close();
      await sockets.close();
    }
  });
});
