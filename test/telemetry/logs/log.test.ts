import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/datasources/errors/secret.js";
import { createLog } from "../../../src/telemetry/logs/log.js";

const TEXT = "correct-horse-battery";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog("trace", { write: (line) => lines.push(line) }));
  return lines.join("");
}

describe("the log", () => {
  it("is one JSON object per line, with the level in words and the time in ISO-8601", () => {
    expect(JSON.parse(logged((log) => log.info({ port: 4000 }, "listening")))).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      port: 4000,
      msg: "listening",
    });
  });

  it("shows type, message, code, stack and causes of an error", () => {
    const cause = Object.assign(new TypeError("inner"), { code: "ECONNREFUSED" });
    const line = JSON.parse(logged((log) => log.error(new Error("outer", { cause }))));
    expect(line.err).toMatchObject({
      type: "Error",
      message: "outer",
      stack: expect.stringContaining("log.test"),
      cause: { type: "TypeError", message: "inner", code: "ECONNREFUSED" },
    });
  });

  it("does not follow causes forever", () => {
    const error = new Error("round");
    error.cause = error;
    expect(logged((log) => log.error(error)).length).toBeLessThan(20_000);
  });
});

describe("no secret gets into the log", () => {
  it.each<[string, (log: ReturnType<typeof createLog>) => void]>([
    ["by its type", (log) => log.info({ account: { credentials: { anything: new Secret(TEXT) } } })],
    ["in a message", (log) => log.info(`signed with ${new Secret(TEXT)}`)],
    ["as a format argument", (log) => log.info("signed with %s %o %j", new Secret(TEXT), new Secret(TEXT), new Secret(TEXT))],
    ["under its name", (log) => log.info({ passphrase: TEXT })],
    ["under its name in an object", (log) => log.info({ account: { apiKey: TEXT, apiSecret: TEXT } })],
    [
      "under its name in an object in an object",
      (log) => log.info({ request: { headers: { authorization: TEXT, "ACCESS-SIGN": TEXT } } }),
    ],
    [
      "with an error's other fields",
      (log) => log.error(Object.assign(new Error("no"), { request: { headers: TEXT }, config: TEXT })),
    ],
    [
      "with a cause's other fields",
      (log) => log.error(new Error("no", { cause: Object.assign(new Error("inner"), { headers: TEXT }) })),
    ],
    ["as something thrown", (log) => log.error({ err: TEXT })],
  ])("%s", (_, write) => {
    const line = logged(write);
    expect(line).not.toBe("");
    expect(line).not.toContain(TEXT);
  });
});
