import { V2_ERRORS, V3_ERRORS } from "@exchange-graph/contract/errors";
import { describe, expect, it } from "vitest";
import { ExchangeAnswered } from "../../../src/datasources/calls/client/answers.js";
import { TransportFailure } from "../../../src/datasources/calls/client/transport.js";
import { Fault } from "../../../src/datasources/errors/fault.js";
import { convertTradePolicy, savingsRedeemPolicy } from "../../../src/datasources/writes/policies/funds.js";
import { classicPlaceSpotOrderPolicy, placeOrderPolicy } from "../../../src/datasources/writes/policies/orders.js";
import { certaintyOf, mayBeItself } from "../../../src/datasources/writes/verdicts.js";

const spoken = (code: string, status = 400, isDated = true) =>
  new Fault(
    "EXCHANGE_REJECTED",
    "no",
    { exchange: { code, msg: "no", endpoint: "/" } },
    { cause: new ExchangeAnswered(status, { isDated }) },
  );

/** Codes about the moment at which a request came. */
const TOO_LATE = ["40008", "40078"];

describe("a failed call", () => {
  it("is unsent only when nothing of it was written", () => {
    const broken = (unreached: boolean) =>
      new Fault("EXCHANGE_UNAVAILABLE", "gone", {}, { cause: new TransportFailure("broken", unreached) });
    expect(certaintyOf(broken(true), placeOrderPolicy)).toBe("unsent");
    expect(certaintyOf(broken(false), placeOrderPolicy)).toBe("lost");
  });

  it.each([
    ["v2", V2_ERRORS, classicPlaceSpotOrderPolicy],
    ["v3", V3_ERRORS, placeOrderPolicy],
  ] as const)("is refused by every code of %s that does not ask to look first, and by no other", (_, rows, policy) => {
    const refused = rows.filter(({ code }) => certaintyOf(spoken(code), policy) === "refused");
    const certain = rows.filter(({ code, retry }) => retry !== "look up" && !TOO_LATE.includes(code));
    expect(refused.map(({ code }) => code)).toEqual(certain.map(({ code }) => code));
    for (const code of ["40010", "40725", "45001", "40015", "40008"]) expect(certaintyOf(spoken(code), policy)).toBe("lost");
  });

  it("at a rate limit is refused by the exchange's own answer, and lost by that of a proxy", () => {
    for (const status of [429, 400, 200]) {
      expect(certaintyOf(spoken("429", status), placeOrderPolicy)).toBe("refused");
      expect(certaintyOf(spoken("429", status, false), placeOrderPolicy)).toBe("lost");
    }
    for (const code of ["25202", "99999", "25212"]) expect(certaintyOf(spoken(code, 429), placeOrderPolicy)).toBe("lost");
    const bare = new Fault("RATE_LIMITED", "slow down", {}, { cause: new ExchangeAnswered(429) });
    expect(certaintyOf(bare, placeOrderPolicy)).toBe("lost");
  });

  it("may be the echo of the write itself when its name is taken", () => {
    expect(["25212", "25202"].map((code) => mayBeItself(spoken(code), placeOrderPolicy))).toEqual([true, false]);
    expect(["43118", "40786"].map((code) => mayBeItself(spoken(code), classicPlaceSpotOrderPolicy))).toEqual([true, true]);
    expect(mayBeItself(spoken("25212", 500), placeOrderPolicy)).toBe(false);
  });

  it("may be its echo when its quotation has been used, or when it comes too soon after a redemption: which is its own", () => {
    expect(certaintyOf(spoken("12021"), convertTradePolicy)).toBe("lost");
    expect(mayBeItself(spoken("12021"), convertTradePolicy)).toBe(true);
    expect(mayBeItself(spoken("59044"), savingsRedeemPolicy)).toBe(true);
    expect(mayBeItself(spoken("59044"), convertTradePolicy)).toBe(false);
  });
});
