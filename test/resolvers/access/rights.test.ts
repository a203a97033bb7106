import { describe, expect, it } from "vitest";
import { demand } from "../../../src/resolvers/access/principal.js";
import { ANYONE, Rights } from "../../../src/resolvers/index.js";
import { SCOPE_NAMES } from "../../../src/schema/scopes.js";

describe("rights", () => {
  it("apply only to the accounts that each scope names", () => {
    const rights = new Rights({ "read:account": "*", trade: ["main"] });
    expect([rights.on("trade", "main"), rights.on("trade", "classic"), rights.on("read:account", "classic")]).toEqual([
      true,
      false,
      true,
    ]);
    expect([rights.has("trade"), rights.has("earn"), rights.on("earn", "main")]).toEqual([true, false, false]);
  });

  it("show only accounts for which they allow something", () => {
    expect(["main", "classic"].map((name) => new Rights({ earn: ["main"] }).sees(name))).toEqual([true, false]);
    expect(new Rights({ trade: "*" }).sees("classic")).toBe(true);
  });

  it("to market data show no account", () => {
    for (const accounts of ["*", ["main"]] as const) expect(new Rights({ "read:market": accounts }).sees("main")).toBe(false);
  });

  it("without an account are none", () => {
    expect(new Rights({ trade: [] }).has("trade")).toBe(false);
  });

  it("have the same text if they are equal, however they were written", () => {
    const one = new Rights({ trade: ["main", "classic"], earn: "*", broker: [] });
    const other = new Rights({ earn: "*", trade: ["classic", "main", "main"] });
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect(JSON.stringify(one)).not.toBe(JSON.stringify(new Rights({ earn: "*", trade: ["main"] })));
  });

  it("of a request to a gateway without clients are all of them", () => {
    for (const scope of SCOPE_NAMES) expect(() => demand(ANYONE, scope, "main")).not.toThrow();
  });
});
