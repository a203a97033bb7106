import { ASKED_AT_ONCE, SYMBOLS } from "./symbols.js";

/** The two documents of the comparison. All servers answer them with the same fields. */

const CACHED = `query Symbols($symbols: [String!]) {
  spotSymbols(symbols: $symbols) {
    symbol baseCoin quoteCoin status
    orderSize { min max minUsdt } fees { maker taker } precision { price quantity quote }
    priceLimits { buy sell } maxOpenOrders
  }
}`;

const UPSTREAM = `query Loans($orderId: String) {
  account { loans { ongoing(orderId: $orderId) {
    orderId loanCoin loanAmount interestAmount hourlyRate pledgeCoin pledgeAmount ltv marginCallLtv liquidationLtv borrowTime expireTime
  } } }
}`;

/** A request body. A different `turn` gives a distinct operation. */
export type Body = (turn: number) => string;

export const cachedBody: Body = (turn) => {
  const from = (turn * 7) % (SYMBOLS.length - ASKED_AT_ONCE);
  return JSON.stringify({ query: CACHED, variables: { symbols: SYMBOLS.slice(from, from + ASKED_AT_ONCE) } });
};
export const upstreamBody: Body = (turn) => JSON.stringify({ query: UPSTREAM, variables: { orderId: String(turn) } });
/** The second document, for an answer with this number of rows. */
export const listBody = (turn: number, rows: number): string =>
  JSON.stringify({ query: UPSTREAM, variables: { orderId: `${turn}r${rows}` } });
