import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { report } from "../../child.js";

/** The simulated exchange: accepts every order at once, and has one symbol. */

const envelope = (data: unknown): string => JSON.stringify({ code: "00000", msg: "success", requestTime: Date.now(), data });

const SYMBOL = { symbol: "BTCUSDT", category: "SPOT", baseCoin: "BTC", quoteCoin: "USDT", status: "online" };
const RULES = { pricePrecision: "2", quantityPrecision: "6", quotePrecision: "6", minOrderQty: "0.000001", minOrderAmount: "1" };
const BAND = { buyLimitPriceRatio: "0.05", sellLimitPriceRatio: "0.05" };

const ANSWERS: Readonly<Record<string, () => unknown>> = {
  "/api/v3/account/settings": () => ({ uid: "1", accountMode: "unified", holdMode: "one_way_mode" }),
  "/api/v3/market/instruments": () => [{ ...SYMBOL, ...RULES, ...BAND }],
  "/api/v3/market/tickers": () => [{ symbol: SYMBOL.symbol, lastPrice: "64250.1", ts: String(Date.now()) }],
};

let orders = 0;
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += String(chunk);
  });
  request.on("end", () => {
    const path = request.url?.split("?", 1)[0] ?? "";
    const answer = ANSWERS[path] ?? (() => ({ orderId: String(++orders), clientOid: JSON.parse(body).clientOid }));
    response.setHeader("content-type", "application/json");
    response.end(envelope(answer()));
  });
});
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => orders));
