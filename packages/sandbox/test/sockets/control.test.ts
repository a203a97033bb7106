import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { fileSandbox } from "../support/fileSandbox.js";
import { send } from "../support/signedCall.js";
import { SocketClient } from "./support/client.js";

const clock = new ManualClock(1_767_225_600_000);
const sandbox = await fileSandbox({ clock, enforceLimits: true });

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  return JSON.parse((await send(sandbox.url, `/sandbox/${path}`, { method, ...init })).text);
}

describe("the control calls", () => {
  it("count what the sockets do, make faults strike them, and drop them", async () => {
    const client = await SocketClient.open(`${sandbox.wsUrl}/v3/ws/public`);
    const ticker = { instType: "spot", topic: "ticker", symbol: "BTCUSDT" };
    expect(await client.subscribe(ticker).settled()).toHaveLength(2);
    expect(await control("GET", "sockets")).toEqual({
      ...{ connections: 1, subscriptions: 1, received: 2, sent: 3, violations: 0, overrun: 0 },
    });
    await control("POST", "faults", { channel: "ticker", fault: { kind: "skip" }, times: 1 });
    clock.advance(200);
    expect(await client.settled()).toEqual([]);
    clock.advance(200);
    expect(await client.settled()).toHaveLength(1);
    expect(await control("DELETE", "sockets")).toEqual({ dropped: 1 });
    expect(await client.closed).toBe(1006);
  });

  it("leave calls alone when a fault is a socket's, and sockets when it is a call's", async () => {
    await control("POST", "faults", { fault: { kind: "silent" } });
    await control("POST", "faults", { fault: { kind: "latency", delayMs: 60_000 }, endpoint: "serverTime" });
    expect((await send(sandbox.url, "/api/v2/spot/public/symbols")).code).toBe("00000");
    const silent = await SocketClient.open(`${sandbox.wsUrl}/v2/ws/public`);
    silent.say("ping");
    await expect.poll(() => sandbox.sockets.gauges.received, { interval: 1 }).toBe(5);
    expect(silent.unread).toBe(0);
    silent.close();
    await control("DELETE", "faults");
  });
});
