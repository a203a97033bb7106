import { describe, expect, it } from "vitest";
import { socketFault } from "../../../../src/datasources/streams/upstream/wire.js";

describe("what a socket refuses", () => {
  it.each([
    ["40115", "ACCOUNT_MODE_MISMATCH", true],
    ["40084", "ACCOUNT_MODE_MISMATCH", false],
    ["30006", "RATE_LIMITED", true],
    ["30014", "EXCHANGE_REJECTED", true],
    ["30015", "FORBIDDEN", false],
    ["99999", "EXCHANGE_REJECTED", false],
  ])("with %s is %s, and says whether the same may be asked again", (code, expected, retryable) => {
    const { extensions } = socketFault("order", code, "its own words");
    expect(extensions).toMatchObject({ code: expected, retryable, exchange: { code, msg: "its own words", endpoint: "order" } });
  });
});
