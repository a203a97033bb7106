import { describe, expect, it } from "vitest";
import { text } from "../src/codec.js";
import { encoded, endpoint, perSecond, violations } from "../src/endpoint.js";
import { amount, coinName, maybe, oneOf, required, textRule, timestamp } from "../src/parameter.js";

const NOW = 1_767_225_600_000;
const DAY_MS = 86_400_000;

const call = endpoint({
  name: "call",
  doc: "A call with every kind of rule",
  path: "/api/v2/call",
  access: "private",
  serves: "BOTH",
  rate: perSecond(10, "UID"),
  parameters: {
    side: required("Side", oneOf(["buy", "sell"])),
    coin: maybe("Coin", coinName()),
    startTime: maybe("From", timestamp()),
    endTime: maybe("To", timestamp()),
    size: maybe("Size", amount()),
    note: maybe("Note", textRule()),
  },
  window: { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } },
  rules: [{ required: "size", when: "when side is sell", applies: ({ side }) => side === "sell" }],
  data: text("Answer"),
});

const found = (values: Parameters<typeof violations<typeof call.parameters>>[1]) => violations(call, values, NOW);
const buy = { side: "buy" } as const;

describe("an endpoint", () => {
  const common = { name: "one", doc: "One", rate: perSecond(1, "UID"), parameters: {}, data: text("Answer") } as const;
  const key = { permissions: ["wtor"] };

  it.each([
    ["public, of v2", endpoint({ ...common, path: "/api/v2/one" }), ["GET", "v2", "public", "BOTH"]],
    ["public, of v3", endpoint({ ...common, path: "/api/v3/one" }), ["GET", "v3", "public", "BOTH"]],
    ["of Classic accounts", endpoint({ ...common, ...key, path: "/api/v2/one" }), ["GET", "v2", "private", "CLASSIC"]],
    ["of unified accounts", endpoint({ ...common, ...key, path: "/api/v3/one" }), ["GET", "v3", "private", "UNIFIED"]],
    ["of both", endpoint({ ...common, ...key, path: "/api/v2/one", serves: "BOTH" }), ["GET", "v2", "private", "BOTH"]],
    [
      "that is a write",
      endpoint({ ...common, ...key, path: "/api/v2/one", method: "POST" }),
      ["POST", "v2", "private", "CLASSIC"],
    ],
    ["public, but signed", endpoint({ ...common, path: "/api/v2/one", access: "either" }), ["GET", "v2", "either", "BOTH"]],
  ])("%s says only what its path and permissions do not", (_, { method, apiVersion, access, serves }, expected) => {
    expect([method, apiVersion, access, serves]).toEqual(expected);
  });
});

describe("a call's parameters", () => {
  it("are in order when every rule is kept", () => {
    expect(found(buy)).toEqual([]);
    expect(found({ side: "sell", size: "1" })).toEqual([]);
  });

  it("are reported one by one, with the rule that each breaks", () => {
    expect(found({ coin: "", size: "-1" } as never)).toEqual([
      { parameter: "side", problem: "missing", rule: "must be given: one of buy, sell" },
      { parameter: "coin", problem: "not allowed", rule: "must be a coin name such as USDT" },
      {
        parameter: "size",
        problem: "not allowed",
        rule: "must be a decimal number greater than 0, with at most 20 digits before the point and 18 after it",
      },
    ]);
  });

  it("count as left out when undefined", () => {
    expect(found({ ...buy, coin: undefined, endTime: undefined })).toEqual([]);
  });

  it("are looked at together only when each is right by itself", () => {
    expect(found({ side: "sell" })).toEqual([
      { parameter: "size", problem: "combination", rule: "must be given when side is sell" },
    ]);
    expect(found({ side: "sell", coin: "" }).map(({ parameter }) => parameter)).toEqual(["coin"]);
  });

  it("never show the value that breaks a rule", () => {
    const secret = "s3cr3t passphrase";
    expect(JSON.stringify(found({ side: secret, coin: secret, size: secret } as never))).not.toContain(secret);
  });
});

describe("a call's window", () => {
  it.each([
    ["at the bound", { startTime: NOW - 30 * DAY_MS }, []],
    ["one past it", { startTime: NOW - 30 * DAY_MS - 1 }, ["range"]],
    ["at the bound with an end", { startTime: NOW - 90 * DAY_MS, endTime: NOW - 60 * DAY_MS }, []],
    ["one past it with an end", { startTime: NOW - 90 * DAY_MS, endTime: NOW - 60 * DAY_MS + 1 }, ["range"]],
    ["older than the age", { startTime: NOW - 90 * DAY_MS - 1, endTime: NOW - 80 * DAY_MS }, ["too old"]],
    ["ending before the age", { endTime: NOW - 90 * DAY_MS - 1 }, ["too old"]],
    ["ending at the age", { endTime: NOW - 90 * DAY_MS }, []],
    ["empty", { startTime: NOW, endTime: NOW }, []],
    ["the wrong way round", { startTime: NOW, endTime: NOW - 1 }, ["order"]],
  ])("%s", (_, window, problems) => {
    expect(found({ ...buy, ...window }).map(({ problem }) => problem)).toEqual(problems);
  });

  it("says which end is wrong, and what it may be", () => {
    expect(found({ ...buy, startTime: NOW - 31 * DAY_MS })).toEqual([
      { parameter: "startTime", problem: "range", rule: "must be at most 30 days before endTime" },
    ]);
    expect(found({ ...buy, endTime: NOW - 91 * DAY_MS })).toEqual([
      { parameter: "endTime", problem: "too old", rule: "must be within the last 90 days" },
    ]);
    expect(found({ ...buy, startTime: NOW, endTime: NOW - 1 })).toEqual([
      { parameter: "endTime", problem: "order", rule: "must not be before startTime" },
    ]);
  });
});

describe("what travels", () => {
  it("is what was given, in the order of the contract, as text", () => {
    const wire = encoded(call, { size: "1.50", endTime: NOW, side: "sell" });
    expect(Object.entries(wire)).toEqual([
      ["side", "sell"],
      ["endTime", "1767225600000"],
      ["size", "1.50"],
    ]);
  });

  it("leaves out what was not given, and what the contract does not know", () => {
    expect(encoded(call, { side: "buy", coin: undefined, apiKey: "1" } as never)).toEqual({ side: "buy" });
  });
});
