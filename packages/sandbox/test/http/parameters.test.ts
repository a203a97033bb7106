import { subAccountWithdrawal } from "@exchange-graph/contract/broker";
import { classicPlaceSpotOrder } from "@exchange-graph/contract/classicSpotOrderWrites";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { futuresAccounts } from "@exchange-graph/contract/futuresAccount";
import { loanHistory } from "@exchange-graph/contract/loan";
import { positionHistory } from "@exchange-graph/contract/positionHistory";
import { sharkFinAssets } from "@exchange-graph/contract/sharkfin";
import { before } from "@exchange-graph/contract/window";
import { describe, expect, it } from "vitest";
import type { Received } from "../../src/http/answer.js";
import { asServed, readParameters } from "../../src/http/parameters.js";
import { Refused } from "../../src/refused.js";

const NOW = 1_767_225_600_000;
const DAY_MS = 86_400_000;

const get = (query: string): Received => received("GET", query, "");
const post = (body: string, contentType = "application/json"): Received => received("POST", "", body, contentType);
const received = (method: string, query: string, body: string, contentType?: string): Received => ({
  method,
  target: `/?${query}`,
  path: "/",
  query,
  body,
  address: "127.0.0.1",
  header: (name) => (name === "content-type" ? contentType : undefined),
});

const read = (endpoint: Endpoint, request: Received): Readonly<Record<string, unknown>> =>
  readParameters(asServed(endpoint), request, NOW);

function codeOf(endpoint: Endpoint, request: Received): string {
  try {
    read(endpoint, request);
  } catch (error) {
    if (error instanceof Refused) return error.refusal.code;
    throw error;
  }
  return "00000";
}

const history = (more: string): string => codeOf(positionHistory, get(`category=USDT-FUTURES${more}`));

describe("parameters", () => {
  it("are read as their rules say, with the defaults filled in", () => {
    const values = read(positionHistory, get(`category=USDT-FUTURES&startTime=${NOW - DAY_MS}&symbol=BTCUSDT`));
    expect(values).toEqual({ category: "USDT-FUTURES", startTime: NOW - DAY_MS, symbol: "BTCUSDT", limit: 100 });
  });

  it("count as left out when they are empty", () => {
    expect(read(positionHistory, get("category=USDT-FUTURES&symbol=&cursor="))).toEqual({ category: "USDT-FUTURES", limit: 100 });
    expect(codeOf(positionHistory, get("category="))).toBe("40019");
  });

  it("may be left out where one is required but has a default", () => {
    expect(read(sharkFinAssets, get(""))).toMatchObject({ status: "subscribed", limit: 20 });
  });

  it("take listed values in any letter case", () => {
    expect(read(futuresAccounts, get("productType=usdt-futures"))).toEqual({ productType: "USDT-FUTURES" });
  });

  it("are refused when one is missing, with its name", () => {
    expect(() => read(positionHistory, get(""))).toThrow("Parameter category cannot be empty");
  });

  it.each([
    ["an unlisted value in v3", positionHistory, "category=FOREX", "40034"],
    ["a page size of zero", positionHistory, "category=USDT-FUTURES&limit=0", "40020"],
    ["a page size above the largest", positionHistory, "category=USDT-FUTURES&limit=101", "40020"],
    ["a page size that is no number", positionHistory, "category=USDT-FUTURES&limit=ten", "40020"],
    ["a time that is no number", positionHistory, "category=USDT-FUTURES&startTime=today", "40020"],
    ["a negative time", positionHistory, "category=USDT-FUTURES&startTime=-1", "40020"],
    ["an end before the start", positionHistory, `category=USDT-FUTURES&startTime=${NOW}&endTime=${NOW - 1}`, "40707"],
  ] as const)("are refused with the exchange's code for %s", (_, endpoint, query, code) => {
    expect(codeOf(endpoint, get(query))).toBe(code);
  });

  it("take a page size at each bound and refuse one past it", () => {
    expect([history("&limit=1"), history("&limit=100")]).toEqual(["00000", "00000"]);
    expect([history("&limit=0"), history("&limit=101")]).toEqual(["40020", "40020"]);
  });

  it("let a range be 30 days and no longer", () => {
    expect(history(`&startTime=${NOW - 30 * DAY_MS}&endTime=${NOW}`)).toBe("00000");
    expect(history(`&startTime=${NOW - 30 * DAY_MS - 1}&endTime=${NOW}`)).toBe("00001");
  });

  it("let a window reach 90 days back and no further", () => {
    expect(history(`&startTime=${NOW - 90 * DAY_MS}&endTime=${NOW - 70 * DAY_MS}`)).toBe("00000");
    expect(history(`&startTime=${NOW - 90 * DAY_MS - 1}&endTime=${NOW - 70 * DAY_MS}`)).toBe("40704");
  });

  it("count a window of months by the calendar", () => {
    const oldest = before(NOW, { months: 3 });
    expect(codeOf(loanHistory, get(`startTime=${oldest}&endTime=${NOW}`))).toBe("00000");
    expect(codeOf(loanHistory, get(`startTime=${oldest - 1}&endTime=${NOW}`))).toBe("40704");
  });
});

describe("a body", () => {
  it.each([
    ["is not JSON", "{", "40017"],
    ["is a list", "[]", "40017"],
    ["is a number", "7", "40017"],
    ["is null", "null", "40017"],
    [
      "breaks a rule over several parameters",
      '{"subUid":"1","coin":"BTC","dest":"internal_transfer","address":"bob","amount":"1"}',
      "40017",
    ],
  ])("is refused when it %s", (_, body, code) => {
    expect(codeOf(subAccountWithdrawal, post(body))).toBe(code);
  });

  it("has to be declared as JSON", () => {
    expect(codeOf(subAccountWithdrawal, post("{}", "text/plain"))).toBe("40007");
    expect(codeOf(subAccountWithdrawal, post("{}", "application/json; charset=utf-8"))).toBe("40019");
  });

  it.each([
    ["25.50", "25.5"],
    ["0.0000001", "0.0000001"],
    ["1234567890.123456789", "1234567890.123456789"],
    ["1e1", "10"],
  ])("may have an amount as a bare number, every digit of which counts: %s", (amount, text) => {
    const body = `{"subUid":"1","coin":"BTC","dest":"on_chain","address":"bc1","amount":${amount}}`;
    expect(read(subAccountWithdrawal, post(body))).toMatchObject({ amount: text });
    expect(codeOf(subAccountWithdrawal, post(body.replace(amount, '"1e1"')))).toBe("40020");
  });

  it("has a separate code for a receive window that is too long, but not for one that is not a number", () => {
    const order = { symbol: "BTCUSDT", side: "buy", orderType: "market", force: "gtc", size: "1", requestTime: String(NOW) };
    const codeFor = (receiveWindow: string) => codeOf(classicPlaceSpotOrder, post(JSON.stringify({ ...order, receiveWindow })));
    expect([codeFor("59999"), codeFor("60000"), codeFor("soon")]).toEqual(["00000", "40079", "40020"]);
  });

  it("may be absent, which is no parameter at all", () => {
    expect(codeOf(subAccountWithdrawal, post(""))).toBe("40019");
  });

  it("never lends its prototype's names", () => {
    expect(codeOf(subAccountWithdrawal, post('{"__proto__":{"subUid":"1"}}'))).toBe("40019");
  });
});
