import { afterAll, beforeAll, expect, it } from "vitest";
import { type LiveGateway, liveGateway } from "../support/gateway/liveGateway.js";
import { usedHeap } from "../support/heap.js";
import { growthOf, MixedLoad } from "../support/mixedLoad.js";

/** How much of the gateway's time passes. */
const MINUTES = Number.parseInt(process.env.SOAK_MINUTES ?? "1", 10);
/** Figures that are taken, evenly spread. */
const SAMPLES = 16;
/**
 * Growth after everything is warm. The sandbox lives in the same heap, and what it remembers of its prices fills up slowly;
 * `test/e2e/soak.test.ts` measures the gateway alone.
 */
const MAX_GROWTH = 4_000_000;

let gateway: LiveGateway;
beforeAll(async () => {
  gateway = await liveGateway();
});
afterAll(() => gateway.close());

it(
  `memory is flat over ${MINUTES} minutes of mixed load in fast motion`,
  async () => {
    const load = new MixedLoad(gateway.url, {
      now: () => gateway.clock.now(),
      async settled(waiting) {
        let isOver = false;
        const over = waiting.finally(() => {
          isOver = true;
        });
        await gateway.until(() => isOver);
        return over;
      },
    });
    const figures: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      for (let second = 0; second < (MINUTES * 60) / SAMPLES; second++) {
        const from = gateway.clock.now();
        await load.second();
        await gateway.pass(Math.max(0, from + 1_000 - gateway.clock.now()), 500);
      }
      await load.rest();
      // What the exchange and this test write down is not the gateway's.
      gateway.sandbox.calls.clear();
      await gateway.pass(10_000, 1_000);
      figures.push(await usedHeap());
    }
    if (process.env.SOAK_MINUTES !== undefined) process.stderr.write(`heap: ${figures.join(" ")}\n`);
    expect([...load.failures]).toEqual([]);
    expect(growthOf(figures)).toBeLessThan(MAX_GROWTH);
  },
  MINUTES * 60_000 + 60_000,
);
