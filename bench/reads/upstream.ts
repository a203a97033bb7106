import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { report } from "../child.js";
import { SYMBOLS } from "./symbols.js";

/** The simulated exchange: answers its endpoints with constant bytes, at once or after a delay in ms. */
const [delayMs = "0"] = process.argv.slice(2);
const delay = Number.parseInt(delayMs, 10);

const envelope = (data: unknown) => JSON.stringify({ code: "00000", msg: "success", requestTime: Date.now(), data });

const loansOf = (rows: number): string =>
  envelope(
    Array.from({ length: rows }, (_, at) => ({
      orderId: `13912300000${1_000 + at}00000`,
      loanCoin: "USDT",
      loanAmount: `${1000 + at}.25`,
      interestAmount: "0.31840000",
      hourInterestRate: "0.00061700",
      pledgeCoin: "BTC",
      pledgeAmount: "0.03120000",
      pledgeRate: "49.91",
      supRate: "75",
      forceRate: "83",
      borrowTime: "1767225600000",
      expireTime: "1767830400000",
    })),
  );
/** Answers by number of rows. The number is the suffix of the requested order id; the default is twenty. */
const loans = new Map([20, 100, 1_000].map((rows) => [rows, loansOf(rows)]));
const rowsAskedFor = (url = ""): number => Number.parseInt(/r(\d+)$/.exec(url)?.[1] ?? "20", 10);

const symbols = envelope(
  SYMBOLS.map((symbol) => ({
    symbol,
    baseCoin: symbol.slice(0, -4),
    quoteCoin: "USDT",
    minTradeAmount: "0.0001",
    maxTradeAmount: "900000000",
    takerFeeRate: "0.002",
    makerFeeRate: "0.002",
    pricePrecision: "2",
    quantityPrecision: "6",
    quotePrecision: "8",
    minTradeUSDT: "1",
    status: "online",
    buyLimitPriceRatio: "0.05",
    sellLimitPriceRatio: "0.05",
    orderQuantity: "200",
  })),
);

/** Shows that the account is a Classic one. Asked for once, and not counted. */
const classic = JSON.stringify({ code: "40084", msg: "You are in Classic Account mode", requestTime: Date.now(), data: null });

let calls = 0;
const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  if (request.url === "/api/v3/account/settings") {
    response.end(classic);
    return;
  }
  calls++;
  const body = request.url?.startsWith("/api/v2/spot/public/symbols") === true ? symbols : loans.get(rowsAskedFor(request.url));
  if (delay === 0) response.end(body);
  else setTimeout(() => response.end(body), delay);
});
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => calls));
