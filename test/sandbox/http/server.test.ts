import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/sandbox.js";
import { send } from "../support/signedCall.js";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ hasPast: false });
});
afterAll(() => sandbox.close());

describe("the HTTP face", () => {
  it("answers in the exchange's envelope, with the calls that are left", async () => {
    const reply = await send(sandbox.url, "/api/v2/public/time");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect(reply.headers.get("x-mbx-used-remain-limit")).toBe("19");
    expect(JSON.parse(reply.text)).toEqual({
      code: "00000",
      msg: "success",
      requestTime: expect.any(Number),
      data: { serverTime: expect.stringMatching(/^\d{13}$/) },
    });
  });

  it("answers an unknown path with 40404", async () => {
    const reply = await send(sandbox.url, "/api/v2/public/nothing");
    expect([reply.status, reply.code, reply.msg, reply.data]).toEqual([404, "40404", "Request URL NOT FOUND", null]);
  });
});
