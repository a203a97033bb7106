/** The largest number of rows that an operation may request, from one call to the exchange: all its lists are the same. */
const LARGEST = `{ ${Array.from(
  { length: 50 },
  (_, at) =>
    `c${at}: candles(category: SPOT, symbol: "BTCUSDT", interval: MINUTE_1, first: 1000) { start open high low close volume turnover }`,
).join(" ")} }`;

export const largestBody = (): string => JSON.stringify({ query: LARGEST });

/** A query that is answered from the cache. */
export const cachedBody = (): string =>
  JSON.stringify({
    query: '{ spotSymbols(symbols: ["BTCUSDT", "ETHUSDT"]) { symbol status orderSize { min max } fees { maker taker } } }',
  });

const HISTORY =
  "query ($from: DateTime!) { account { orderHistory(category: SPOT, from: $from, first: 20) { nodes { orderId status } } } }";

/** A page of an account's order history. Each turn needs another call to the exchange. */
export const historyBody = (turn: number): string =>
  JSON.stringify({ query: HISTORY, variables: { from: new Date(Date.now() - 86_400_000 - turn * 1_000).toISOString() } });

const SYMBOLS = ["BTCUSDT", "ETHUSDT", "SOLUSDT", "XRPUSDT"];

/** A subscription to one ticker. Each turn is another operation, whose events are executed apart from all others. */
export const tickerOf = (turn: number) => ({
  query: `subscription ($symbol: String!) { t${turn}: ticker(category: USDT_FUTURES, symbol: $symbol) {
    ticker { symbol lastPrice markPrice bid1Price ask1Price highPrice24h lowPrice24h openInterest fundingRate } } }`,
  variables: { symbol: SYMBOLS[turn % SYMBOLS.length] },
});
