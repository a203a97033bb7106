import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { fileSandbox } from "../support/fileSandbox.js";
import { send } from "../support/signedCall.js";

const sandbox = await fileSandbox({ hasPast: false, enforceLimits: true });

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

  it.each(["/api/v2/public/time", "/api/v3/account/settings", "/api/v2/public/nothing"])(
    "returns the times at which a call arrived and was answered: %s",
    async (target) => {
      const { headers } = await send(sandbox.url, target);
      const came = headers.get("x-bg-request-accept-time") ?? "";
      const done = headers.get("x-bg-response-complete-time") ?? "";
      expect([came, done]).toEqual([expect.stringMatching(/^\d{13}$/), expect.stringMatching(/^\d{13}$/)]);
      expect(done >= came).toBe(true);
    },
  );

  it.each(["/api/spot/v1/market/tickers", "/api/mix/v1/order/placeOrder"])(
    "refuses the interface before Classic: %s",
    async (target) => {
      const reply = await send(sandbox.url, target);
      expect([reply.status, reply.code, reply.data]).toEqual([400, "30032", null]);
    },
  );

  it.each([
    "v3/market/candles?category=SPOT&interval=3H",
    "v2/spot/market/candles?granularity=3h",
    "v2/mix/market/candles?productType=USDT-FUTURES&granularity=1d",
  ])("calls bars of a length that does not exist malformed: %s", async (query) => {
    expect((await send(sandbox.url, `/api/${query}&symbol=BTCUSDT`)).code).toBe("40020");
  });

  it("answers clients that offer HTTP/2 with each request, as Java's do", async () => {
    const offer = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA" };
    const headers = { ...offer, "content-length": "2" };
    const request = httpRequest(`${sandbox.url}/api/v2/public/nothing`, { method: "POST", headers }).end("{}");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(JSON.parse(await text(response))).toMatchObject({ code: "40404" });
  });

  it("answers an unknown path with 40404", async () => {
    const reply = await send(sandbox.url, "/api/v2/public/nothing");
    expect([reply.status, reply.code, reply.msg, reply.data]).toEqual([404, "40404", "Request URL NOT FOUND", null]);
  });
});
