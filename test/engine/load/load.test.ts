import type { Clock } from "@exchange-graph/contract/clock";
import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { LOAD_LIMITS, Load, LoopDelay } from "../../../src/engine/load/load.js";
import { post, tinyGateway } from "../../support/gateway/tinyGateway.js";

const operationOf = (text: string) => {
  const [operation] = parse(text).definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error("no operation");
  return operation;
};

describe("an event loop that is late", () => {
  /** A clock whose tasks run with a configurable delay. */
  function lateClock() {
    let now = 0;
    let booked: { at: number; task: () => void } | undefined;
    const clock: Clock = {
      now: () => now,
      after(delayMs, task) {
        booked = { at: now + delayMs, task };
        return () => {
          booked = undefined;
        };
      },
    };
    const run = (lateMs: number) => {
      now = (booked?.at ?? now) + lateMs;
      booked?.task();
    };
    return { clock, run, isBooked: () => booked !== undefined };
  }

  it("is measured by its average: a single pause is ignored, and overload ends", () => {
    const { clock, run, isBooked } = lateClock();
    const delay = new LoopDelay(clock);
    for (let at = 0; at < 10; at++) run(1);
    run(5_000);
    expect(delay.ms).toBeLessThan(LOAD_LIMITS.readsMs);
    run(0);
    run(5_000);
    expect(delay.ms).toBeLessThan(LOAD_LIMITS.readsMs);
    for (let at = 0; at < 6; at++) run(400);
    expect(delay.ms).toBeGreaterThan(LOAD_LIMITS.readsMs);
    for (let at = 0; at < 20; at++) run(0);
    expect(delay.ms).toBeLessThan(1);
    delay.close();
    expect(isBooked()).toBe(false);
  });

  it.each([
    [LOAD_LIMITS.readsMs, []],
    [LOAD_LIMITS.readsMs + 1, ["query", "subscription"]],
    [LOAD_LIMITS.writesMs, ["query", "subscription"]],
    [LOAD_LIMITS.writesMs + 1, ["query", "subscription", "mutation", "mixed"]],
    [1_000_000, ["query", "subscription", "mutation", "mixed"]],
  ])("refuses reads before writes, and never what takes risk away: %d ms", (ms, refused) => {
    const load = new Load(LOAD_LIMITS, { ms });
    const operations = {
      query: "{ a }",
      subscription: "subscription { a }",
      mutation: "mutation { placeOrder { a } }",
      cancel: "mutation { a: cancelOrder { a } b: cancelOrder { a } }",
      halt: "mutation { haltTrading { a } }",
      mixed: "mutation { cancelOrder { a } placeOrder { a } }",
    };
    const found = Object.entries(operations).filter(([, text]) => load.refused(operationOf(text)) !== undefined);
    expect(found.map(([name]) => name)).toEqual(refused);
  });

  it("answers 503 with Retry-After, also for a known document", async () => {
    const load = { ms: 0 };
    const tiny = await tinyGateway({ loopDelay: load });
    const ask = () => post(tiny.url, { query: "{ hello }", variables: { at: Math.random() } });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    load.ms = 700;
    const answer = await ask();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await answer.json()).toMatchObject({
      errors: [{ extensions: { code: "OVERLOADED", retryable: true, retryAfterMs: 1_400 } }],
    });
    load.ms = 0;
    expect((await ask()).status).toBe(200);
    await tiny.gateway.stop();
  });
});
