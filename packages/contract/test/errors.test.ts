import { describe, expect, it } from "vitest";
import { filled, REFUSAL, refusalOf } from "../src/errors/refusal.js";
import { type ErrorRow, errorRow, SOCKET_ERRORS, V2_ERRORS, V3_ERRORS } from "../src/errors.js";
import { positionHistory } from "../src/positionHistory.js";
import { sharkFinRecords } from "../src/sharkfin.js";

describe("the error tables", () => {
  it.each([
    ["v2", V2_ERRORS],
    ["v3", V3_ERRORS],
    ["socket", SOCKET_ERRORS],
  ] as const)("list a code once: %s", (_, table: readonly ErrorRow[]) => {
    const codes = table.map(({ code }) => code);
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
  });

  it.each([
    ["v2", "40085", "accountMode", "never"],
    ["v3", "40084", "accountMode", "never"],
    ["v2", "43012", "balance", "never"],
    ["v3", "25202", "balance", "never"],
    ["v2", "43001", "orderNotFound", "never"],
    ["v3", "25204", "orderNotFound", "never"],
    ["v2", "40786", "duplicate", "look up"],
    ["v3", "25212", "duplicate", "look up"],
    ["v2", "45117", "marginMode", "never"],
    ["v3", "45117", "marginMode", "never"],
    ["v2", "429", "rateLimit", "backoff"],
    ["v3", "429", "rateLimit", "backoff"],
    ["v2", "40008", "clock", "backoff"],
    ["v3", "00001", "validation", "fix"],
    ["v2", "59044", "rateLimit", "backoff"],
    ["v2", "12021", "convert", "never"],
    ["socket", "30004", "auth", "fix"],
    ["socket", "30007", "rateLimit", "backoff"],
  ] as const)("say of %s %s: %s, %s", (table, code, category, retry) => {
    expect(errorRow(table, code)).toMatchObject({ code, category, retry });
  });

  it.each(["40010", "40725", "45001"])("have %s looked up before anything is sent again, in both API versions", (code) => {
    expect(errorRow("v2", code)?.retry).toBe("look up");
    expect(errorRow("v3", code)?.retry).toBe("look up");
  });

  it("keep the API versions apart", () => {
    expect(errorRow("v2", "25202")).toBeUndefined();
    expect(errorRow("v3", "43012")).toBeUndefined();
    expect(errorRow("v3", "40085")).toBeUndefined();
  });

  it.each([
    ["v3", 25579, 25592, "tpsl"],
    ["v3", 25100, 25106, "symbol"],
    ["v2", 80003, 80020, "loan"],
  ] as const)("write the range out: %s %d to %d", (table, first, last, category) => {
    for (let code = first; code <= last; code++) expect(errorRow(table, String(code))?.category).toBe(category);
  });

  it("list every earn code from 59001 to 59044", () => {
    for (let code = 59001; code <= 59044; code++) expect(errorRow("v2", String(code))).toBeDefined();
  });

  it("know nothing of a code that is not listed", () => {
    expect(errorRow("v2", "99999")).toBeUndefined();
    expect(errorRow("v2", "constructor")).toBeUndefined();
  });
});

describe("refusals", () => {
  it("use listed codes alone", () => {
    const unlisted = Object.values(REFUSAL).filter(
      ({ code }) => errorRow("v2", code) === undefined && errorRow("v3", code) === undefined,
    );
    expect(unlisted).toEqual([]);
  });

  it("travel with status 400, save three", () => {
    const others = Object.entries(REFUSAL).filter(([, { status }]) => status !== 400);
    expect(others.map(([name, { status }]) => [name, status])).toEqual([
      ["unknownPath", 404],
      ["tooManyRequests", 429],
      ["serviceFault", 500],
    ]);
  });

  it("fill their text in order, and leave alone what they have no value for", () => {
    expect(filled("value of {0} should be between {1}", "limit", "1 and 100")).toBe("value of limit should be between 1 and 100");
    expect(filled("{0} and {1}", "one")).toBe("one and {1}");
    expect(filled("{0}", "{1}", "two")).toBe("{1}");
  });

  it.each([
    ["type", "missing", "40019", ["type"]],
    ["startTime", "malformed", "40020", ["startTime"]],
    ["limit", "not allowed", "40020", ["limit"]],
    ["type", "not allowed", "400172", ["type"]],
    ["startTime", "range", "00001", ["3 months"]],
    ["endTime", "order", "40707", []],
    ["coin", "combination", "40017", ["coin"]],
  ] as const)("answer %s, %s, with %s", (parameter, problem, code, values) => {
    const answer = refusalOf(sharkFinRecords, { parameter, problem, rule: "" });
    expect(answer.refusal.code).toBe(code);
    expect(answer.values).toEqual(values);
  });

  it("answer unified calls with the codes of that API version, and name the window", () => {
    expect(refusalOf(positionHistory, { parameter: "category", problem: "not allowed", rule: "" }).refusal.code).toBe("40034");
    expect(refusalOf(positionHistory, { parameter: "startTime", problem: "too old", rule: "" })).toEqual({
      refusal: REFUSAL.tooOld,
      values: ["90 days"],
    });
  });
});
