import { channel, subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it, vi } from "vitest";
import { createInstrumentation, INSTRUMENTATION, listen } from "../../src/instrumentation/instrumentation.js";
import { graphGateway } from "../support/gateway/graphGateway.js";
import { post } from "../support/gateway/tinyGateway.js";
import { ownInstrumentation } from "../support/searchedTelemetry.js";

const call = { endpoint: "tickers", outcome: "ok" } as const;

describe("the instrumentation", () => {
  it("is on channels of diagnostics_channel with unique names, to which any code in the process can subscribe", () => {
    const names = Object.values(INSTRUMENTATION).map(({ name }) => String(name));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^exchange-graph:[a-z]+(-[a-z]+)*$/);
    expect(channel("exchange-graph:upstream-call")).toBe(INSTRUMENTATION.upstreamCall);
  });

  it("of one instance does not reach the listeners of another", () => {
    const [one, other] = [ownInstrumentation(), ownInstrumentation()];
    const received: unknown[] = [];
    listen(one, one.upstreamCall, (event) => received.push(event));
    other.upstreamCall.publish(call);
    INSTRUMENTATION.upstreamCall.publish(call);
    expect(received).toEqual([]);
    one.upstreamCall.publish(call);
    expect(received).toEqual([call]);
  });

  it("notifies a subscriber until it leaves, and creates no message without subscribers", () => {
    const own = ownInstrumentation();
    const leave = listen(own, own.answer, () => undefined);
    expect(own.answer.hasSubscribers).toBe(true);
    leave();
    expect(own.answer.hasSubscribers).toBe(false);
  });

  it("publishes what a listener throws as a failure; the other listeners still get the event", () => {
    const own = ownInstrumentation();
    const broken = new Error("broken");
    const received: unknown[] = [];
    listen(own, own.failure, (failure) => received.push(failure));
    listen(own, own.upstreamCall, () => {
      throw broken;
    });
    listen(own, own.upstreamCall, (event) => received.push(event));
    own.upstreamCall.publish(call);
    expect(received).toEqual([{ error: broken, what: "unexpected error in a listener of the instrumentation" }, call]);
  });

  it("warns where the listener of failures itself throws", () => {
    const own = createInstrumentation("warns");
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    listen(own, own.failure, () => {
      throw new Error("no disk");
    });
    own.failure.publish({ error: 1, what: "something" });
    expect(warned).toHaveBeenCalledExactlyOnceWith(new Error("no disk"));
    warned.mockRestore();
  });

  it("breaks no answer where every listener throws", async () => {
    const own = ownInstrumentation();
    const gateway = await graphGateway({ instrumentation: own });
    const received: string[] = [];
    for (const to of Object.values(own))
      listen(own, to, () => {
        received.push(String(to.name).replace(/@.*/, ""));
        throw new Error("a listener");
      });
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const answer = await post(gateway.url, { query: '{ spotFundFlow(symbol: "BTCUSDT") { fish { buyVolume } } }' });
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: expect.any(String) } }] });
    expect(received).toEqual(expect.arrayContaining(["exchange-graph:upstream-call", "exchange-graph:answer"]));
    warned.mockRestore();
    await gateway.close();
  });

  it("is that of the process where none is given", () => {
    const received: unknown[] = [];
    const hear = (event: unknown): unknown => received.push(event);
    subscribe("exchange-graph:key-accepted", hear);
    INSTRUMENTATION.keyAccepted.publish("main");
    unsubscribe("exchange-graph:key-accepted", hear);
    expect(received).toEqual(["main"]);
  });
});
