import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { LIMITS, limitsWith } from "../../src/limits.js";

describe("the settings' defaults", () => {
  it("are the server's own limits, clients' budgets excepted, which only settings bring", () => {
    const { principal: budgets, ...configured } = limitsWith(readConfig({}).limits);
    const { principal: none, ...own } = LIMITS;
    expect(configured).toEqual(own);
    expect(Object.keys(budgets)).toEqual(Object.keys(none));
  });

  it("give up reads before writes", () => {
    expect(readConfig({ MAX_LOOP_DELAY_READS_MS: "100", MAX_LOOP_DELAY_WRITES_MS: "100" }).limits.load).toEqual({
      readsMs: 100,
      writesMs: 100,
    });
    expect(() => readConfig({ MAX_LOOP_DELAY_READS_MS: "2000" })).toThrow(
      "MAX_LOOP_DELAY_WRITES_MS: must not be below MAX_LOOP_DELAY_READS_MS (2000)",
    );
  });
});
