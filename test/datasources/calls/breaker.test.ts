import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeEach, describe, expect, it } from "vitest";
import { Breaker, isExchangeFailure } from "../../../src/datasources/calls/breaker.js";
import { Fault } from "../../../src/datasources/errors/fault.js";

describe("a breaker", () => {
  let clock: ManualClock;
  let breaker: Breaker;
  beforeEach(() => {
    clock = new ManualClock(0);
    breaker = new Breaker("loanDebts", clock);
  });
  const fail = (times: number) => {
    for (let time = 0; time < times; time++) {
      breaker.enter();
      breaker.leave({ error: new Fault("EXCHANGE_TIMEOUT", "loan debts: no answer before the deadline") });
    }
  };

  it("opens at the fifth failure in a row, not before", () => {
    fail(4);
    expect(breaker.state).toBe("CLOSED");
    fail(1);
    expect(breaker.state).toBe("OPEN");
    expect(() => breaker.enter()).toThrow(
      "loan debts: the last calls have failed, so none is sent for a moment; the last error: loan debts: no answer before the deadline",
    );
  });

  it("forgets failures when an answer comes between them", () => {
    fail(4);
    breaker.enter();
    breaker.leave("answered");
    fail(4);
    expect(breaker.state).toBe("CLOSED");
  });

  it("lets one probe through after its pause, and closes when that is answered", () => {
    fail(5);
    clock.advance(1_000);
    expect(breaker.state).toBe("HALF_OPEN");
    breaker.enter();
    expect(() => breaker.enter()).toThrow(Fault);
    breaker.leave("answered");
    breaker.enter();
    expect(breaker.state).toBe("CLOSED");
  });

  it("waits twice as long after each failed probe, thirty seconds at most", () => {
    fail(5);
    const pauses: number[] = [];
    for (let probe = 0; probe < 8; probe++) {
      let waited = 0;
      while (breaker.state === "OPEN") {
        clock.advance(500);
        waited += 500;
      }
      pauses.push(waited);
      fail(1);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it("gives the probe's place back when the call never left", () => {
    fail(5);
    clock.advance(1_000);
    breaker.enter();
    breaker.leave("unsent");
    expect(() => breaker.enter()).not.toThrow();
  });

  it.each(["EXCHANGE_UNAVAILABLE", "EXCHANGE_TIMEOUT", "EXCHANGE_BAD_RESPONSE"] as const)(
    "counts %s as the exchange's failure",
    (code) => {
      expect(isExchangeFailure(new Fault(code, "x"))).toBe(true);
    },
  );

  it.each(["BAD_USER_INPUT", "EXCHANGE_REJECTED", "FORBIDDEN", "RATE_LIMITED", "ACCOUNT_MODE_MISMATCH"] as const)(
    "does not count %s: that is an answer",
    (code) => {
      expect(isExchangeFailure(new Fault(code, "x"))).toBe(false);
    },
  );
});
