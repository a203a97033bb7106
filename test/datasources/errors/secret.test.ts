import { format, inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/datasources/errors/secret.js";

const TEXT = "correct-horse-battery";
const secret = new Secret(TEXT);

const waysToText: Record<string, (value: Secret) => string> = {
  String: (value) => String(value),
  "a template": (value) => `${value}`,
  concatenation: (value) => `secret is ${value}`,
  "JSON.stringify": (value) => JSON.stringify({ deep: [value] }),
  "util.inspect": (value) => inspect({ deep: [value] }, { depth: null, showHidden: true, getters: true }),
  "util.format": (value) => format("%s %o %O %j", value, value, value, value),
  "an error message": (value) => new Error(`bad ${value}`).message,
  spreading: (value) => JSON.stringify({ ...value }),
  "Object.entries": (value) => JSON.stringify(Object.entries(value)),
};

describe("a secret", () => {
  it.each(Object.entries(waysToText))("shows nothing through %s", (_, toText) => {
    expect(toText(secret)).not.toContain(TEXT);
  });

  it("is revealed on demand", () => {
    expect(secret.reveal()).toBe(TEXT);
  });
});
