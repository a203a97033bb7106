import { ManualClock } from "@exchange-graph/contract/clock";
import { placeOrder } from "@exchange-graph/contract/orderWrites";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FaultRule, Faults } from "../../src/control/faults.js";
import { FAULT_CODE } from "../../src/http/calls.js";
import { type Sandbox, startSandbox } from "../../src/sandbox.js";
import { belowMarket } from "../support/prices.js";
import { credentialOf, type Reply, send, signedCall } from "../support/signedCall.js";

const TIME = "/api/v2/public/time";
const clock = new ManualClock(1_767_225_600_000);
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ clock, hasPast: false, enforceLimits: false });
});
afterEach(() => {
  sandbox.faults.clear();
  sandbox.calls.clear();
  sandbox.clock.skewMs = 0;
});
afterAll(() => sandbox.close());

const time = (): Promise<Reply> => send(sandbox.url, TIME);
/** Places an order that rests under a client id: if it has had an effect, the same again is refused as a duplicate. */
const place = (clientOid: string): Promise<Reply> => {
  const price = belowMarket(sandbox, "SPOT", "BTCUSDT");
  const order = { category: "SPOT", symbol: "BTCUSDT", side: "buy", orderType: "limit", price, qty: "0.001", clientOid };
  return signedCall(sandbox, credentialOf("main"), placeOrder.path, { method: "POST", body: JSON.stringify(order) });
};
const DUPLICATE = "25212";
const strike = (fault: FaultRule["fault"], rest: Omit<FaultRule, "fault"> = { times: 1 }): number =>
  sandbox.faults.add({ fault, ...rest });

describe("faults over HTTP", () => {
  it("break the connection before the call has an effect", async () => {
    strike({ kind: "reset" });
    await expect(place("reset")).rejects.toThrow("fetch failed");
    expect(sandbox.calls.latest().map(({ code }) => code)).toEqual([FAULT_CODE]);
    expect((await place("reset")).code).toBe("00000");
  });

  it("lose the reply after the effect", async () => {
    strike({ kind: "lost-reply" });
    await expect(place("lost")).rejects.toThrow("fetch failed");
    expect(sandbox.calls.latest().map(({ code }) => code)).toEqual(["00000"]);
    expect((await place("lost")).code).toBe(DUPLICATE);
  });

  it("answer in the exchange's place, before the effect or after it", async () => {
    strike({ kind: "answer", status: 429, code: "429", msg: "Too Many Requests" });
    const refused = await place("instead");
    expect([refused.status, refused.code]).toEqual([429, "429"]);
    strike({ kind: "answer", status: 500, when: "after" });
    const broken = await place("instead");
    expect([broken.status, broken.code]).toEqual([500, "40725"]);
    expect((await place("instead")).code).toBe(DUPLICATE);
  });

  it("answer with a body that is no envelope", async () => {
    strike({ kind: "answer", status: 502, body: "<html>Bad Gateway</html>" });
    const reply = await time();
    expect([reply.status, reply.text, reply.code]).toEqual([502, "<html>Bad Gateway</html>", undefined]);
  });

  it("cut an answer in the middle of its JSON", async () => {
    strike({ kind: "truncated-body" });
    const reply = await time();
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/^\{"code":"00000"/);
    expect(() => JSON.parse(reply.text)).toThrow(SyntaxError);
  });

  it("answer with nothing", async () => {
    strike({ kind: "empty-body" });
    const reply = await time();
    expect([reply.status, reply.text]).toEqual([200, ""]);
  });

  it("hold a call back for as long as they say, by the clock", async () => {
    strike({ kind: "latency", delayMs: 500 });
    const before = clock.pending;
    const reply = time();
    await expect.poll(() => clock.pending, { interval: 1 }).toBe(before + 1);
    clock.advance(499);
    expect(sandbox.calls.of("serverTime").total).toBe(0);
    clock.advance(1);
    expect((await reply).code).toBe("00000");
  });

  it("set the exchange's clock wrong", async () => {
    const timestamp = String(clock.now());
    sandbox.clock.skewMs = 31_000;
    const reply = await signedCall(sandbox, credentialOf("main"), "/api/v2/earn/loan/debts", { timestamp });
    expect(reply.code).toBe("40008");
    expect((await time()).data).toEqual({ serverTime: String(clock.now() + 31_000) });
  });

  it("strike the endpoint they name and no other", async () => {
    strike({ kind: "empty-body" }, { endpoint: "spotSymbols" });
    expect((await time()).code).toBe("00000");
    expect((await send(sandbox.url, "/api/v2/spot/public/symbols")).text).toBe("");
  });
});

describe("fault rules", () => {
  const EMPTY = { kind: "empty-body" } as const;

  it("strike as often as they say", () => {
    const faults = new Faults("seed");
    faults.add({ fault: EMPTY, times: 2 });
    expect([1, 2, 3].map(() => faults.draw("any").length)).toEqual([1, 1, 0]);
    expect(faults.rules).toEqual([]);
  });

  it("strike the same calls whenever the seed is the same", () => {
    const pattern = (seed: string): string => {
      const faults = new Faults(seed);
      faults.add({ fault: EMPTY, probability: 0.3 });
      return Array.from({ length: 200 }, () => faults.draw("any").length).join("");
    };
    expect(pattern("a")).toBe(pattern("a"));
    expect(pattern("a")).not.toBe(pattern("b"));
    expect(pattern("a").split("1").length - 1).toBeGreaterThan(30);
    expect(pattern("a").split("1").length - 1).toBeLessThan(90);
  });

  it("end when they are removed", () => {
    const faults = new Faults("seed");
    const id = faults.add({ fault: EMPTY });
    expect(faults.remove(id)).toBe(true);
    expect(faults.remove(id)).toBe(false);
    expect(faults.draw("any")).toEqual([]);
  });

  it("are bounded in number", () => {
    const faults = new Faults("seed");
    for (let at = 0; at < 1_000; at++) faults.add({ fault: EMPTY });
    expect(() => faults.add({ fault: EMPTY })).toThrow(RangeError);
  });
});
