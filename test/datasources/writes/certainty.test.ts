import { describe, expect, it } from "vitest";
import { V2_ERRORS, V3_ERRORS } from "../../../src/contract/errors.js";
import { TransportFailure } from "../../../src/datasources/exchange/transport.js";
import { Fault } from "../../../src/datasources/fault.js";
import { certaintyOf, mayBeItself } from "../../../src/datasources/writes/certainty.js";

const spoken = (code: string, fault: ConstructorParameters<typeof Fault>[0] = "EXCHANGE_REJECTED") =>
  new Fault(fault, "no", { exchange: { code, msg: "no", endpoint: "/" } });

describe("a failed call", () => {
  it("is unsent only when no connection was ever opened", () => {
    const broken = (unreached: boolean) =>
      new Fault("EXCHANGE_UNAVAILABLE", "gone", {}, { cause: new TransportFailure("broken", unreached) });
    expect(certaintyOf(broken(true), "v3")).toBe("unsent");
    expect(certaintyOf(broken(false), "v3")).toBe("lost");
  });

  it.each([
    ["silence", new Fault("EXCHANGE_TIMEOUT", "late", {}, { cause: new TransportFailure("timeout", false) })],
    ["HTTP 5xx without an envelope", new Fault("EXCHANGE_UNAVAILABLE", "502")],
    ["HTTP 429 without an envelope", new Fault("RATE_LIMITED", "429")],
    ["an answer that is none", new Fault("EXCHANGE_BAD_RESPONSE", "empty")],
    ["429 inside an envelope", spoken("429", "RATE_LIMITED")],
    ["an unlisted code with HTTP 5xx", spoken("99999", "EXCHANGE_UNAVAILABLE")],
  ])("is lost after %s", (_, fault) => {
    expect(certaintyOf(fault, "v2")).toBe("lost");
  });

  it.each([
    ["v2", V2_ERRORS],
    ["v3", V3_ERRORS],
  ] as const)("is refused by every code of %s that does not ask to look first, and by no other", (table, rows) => {
    const refused = rows.filter(({ code }) => certaintyOf(spoken(code), table) === "refused");
    const certain = rows.filter(({ code, retry }) => retry !== "look up" && code !== "429");
    expect(refused.map(({ code }) => code)).toEqual(certain.map(({ code }) => code));
    for (const code of ["40010", "40725", "45001", "40015"]) expect(certaintyOf(spoken(code), table)).toBe("lost");
  });

  it("is refused by a code that nobody lists, unless the exchange itself failed", () => {
    expect(certaintyOf(spoken("99999"), "v3")).toBe("refused");
  });

  it("may be the echo of the write itself when its name is taken", () => {
    expect(["25212", "25202"].map((code) => mayBeItself(spoken(code), "v3"))).toEqual([true, false]);
    expect(["43118", "40786"].map((code) => mayBeItself(spoken(code), "v2"))).toEqual([true, true]);
  });
});
