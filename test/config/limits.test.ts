import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { LIMITS, limitsWith } from "../../src/limits.js";

describe("the settings' defaults", () => {
  it("are the server's own limits, callers' budgets excepted, which only settings bring", () => {
    const { caller: budgets, ...configured } = limitsWith(readConfig({}).limits);
    const { caller: none, ...own } = LIMITS;
    expect(configured).toEqual(own);
    expect(Object.keys(budgets)).toEqual(Object.keys(none));
  });
});
