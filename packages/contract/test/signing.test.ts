import { describe, expect, it } from "vitest";
import { loginSignature, prehash, queryString, type SignedParts, signature } from "../src/signing.js";

const SECRET = "test-secret-0123456789abcdef";
const TIMESTAMP = "1700000000000";

/** Signatures of a fixed secret, agreed on by independent clients of the exchange. */
const VECTORS: readonly (readonly [string, SignedParts, string])[] = [
  [
    "a read without a query",
    { timestamp: TIMESTAMP, method: "GET", target: "/api/v3/account/settings" },
    "MwALCHybqlwjXUib47etJEVQ2SNAfiNbk0gsk9yHxGQ=",
  ],
  [
    "a read with a query",
    {
      timestamp: TIMESTAMP,
      method: "GET",
      target: `/api/v3/position/history-position?${queryString({ category: "USDT-FUTURES", limit: 20, symbol: "BTCUSDT" })}`,
    },
    "A+gMyc5YvE0roXQtzF54uon01RZsvUAudCczU2FpH6k=",
  ],
  [
    "a write",
    {
      timestamp: TIMESTAMP,
      method: "POST",
      target: "/api/v3/trade/place-order",
      body: '{"category":"USDT-FUTURES","symbol":"BTCUSDT","qty":"0.01","price":"20000","side":"buy","orderType":"limit","timeInForce":"gtc","clientOid":"tv-0001"}',
    },
    "m5KM9Rxr0IBZ4HT9tTn1z1VZPG+KrpNyL+ksz2CV7gE=",
  ],
  [
    "a query with values that need encoding",
    { timestamp: TIMESTAMP, method: "GET", target: `/api/v2/spot/trade/orderInfo?${queryString({ clientOid: "a:b#c d" })}` },
    "whdWz0SYbM9/Qgc4FRq/iF+ncltRxDQGQyFHU8hU9bs=",
  ],
  [
    "the same query, decoded",
    {
      timestamp: TIMESTAMP,
      method: "GET",
      target: `/api/v2/spot/trade/orderInfo?${queryString({ clientOid: "a:b#c d" }, "decoded")}`,
    },
    "oDVnHcjy9L/sQsSHzCd1PtDNBGTI+0/tZgXq2MieCX0=",
  ],
  [
    "a write of the Classic API",
    {
      timestamp: "1700000000123",
      method: "POST",
      target: "/api/v2/mix/account/set-margin",
      body: '{"symbol":"BTCUSDT","productType":"USDT-FUTURES","marginCoin":"USDT","amount":"10","holdSide":"long"}',
    },
    "JlT5AB49eyC0x30mKWud8h20C2hUvD4j8MiUAW+C1C4=",
  ],
  [
    "a write without a body",
    { timestamp: TIMESTAMP, method: "POST", target: "/api/v3/account/switch" },
    "kkzOpYDS/mSNjNziMqDAfn2HENchmt2S6JasxzgJ5/w=",
  ],
  [
    "a write with an empty object",
    { timestamp: TIMESTAMP, method: "POST", target: "/api/v3/account/switch", body: "{}" },
    "izzNK2PRzyms3lBhxMn+h8d1HKRcrGzkYXvNw18gh10=",
  ],
];

describe("signing", () => {
  it.each(VECTORS)("agrees with other clients on %s", (_, parts, expected) => {
    expect(signature(SECRET, parts)).toBe(expected);
  });

  it("signs timestamp, method, target and body in a row", () => {
    expect(prehash({ timestamp: "1", method: "POST", target: "/a?b=c", body: "{}" })).toBe("1POST/a?b=c{}");
    expect(prehash({ timestamp: "1", method: "GET", target: "/a" })).toBe("1GET/a");
  });

  it("signs a login in seconds or in milliseconds", () => {
    expect(loginSignature(SECRET, "1700000000")).toBe("NTXz+VupzBNvXa/pAqOZPuqYQfJU5jaBrFU3EwXUV4o=");
    expect(loginSignature(SECRET, "1700000000000")).toBe("xErfle8ZGSTl4BmoEndjGHyfn8t2K7XJt7lQ01gKa7s=");
  });

  it("reads secret and text as UTF-8", () => {
    const signed = signature("schlüssel", { timestamp: "1", method: "POST", target: "/a", body: '{"tag":"備考"}' });
    expect(signed).toBe("nbfV9D8nStm1HFzkJUvMzcp8SLJGcRmVCXqE56ZEYLk=");
  });
});

describe("a query string", () => {
  it("keeps the order in which it is given", () => {
    expect(queryString({ b: 1, a: 2 })).toBe("b=1&a=2");
  });

  it.each([
    ["a:b#c d", "a%3Ab%23c%20d"],
    ["a&b=c", "a%26b%3Dc"],
    ["1+1", "1%2B1"],
    ["100%", "100%25"],
    ["/?", "%2F%3F"],
    ["ü", "%C3%BC"],
    ["", ""],
  ])("encodes %o", (value, expected) => {
    expect(queryString({ x: value })).toBe(`x=${expected}`);
  });

  it("encodes names as well", () => {
    expect(queryString({ "a b": "1" })).toBe("a%20b=1");
  });

  it("is empty without parameters", () => {
    expect(queryString({})).toBe("");
  });
});
