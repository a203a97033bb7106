import { type ExecutionResult, execute, parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANYONE, buildGraph, createContext } from "../../src/resolvers/index.js";
import { START } from "../datasources/streams/support/followed.js";
import { type StreamedSandbox, streamedSandbox } from "../datasources/streams/support/streamedSandbox.js";
import { example } from "../support/examples.js";

const schema = buildGraph();
const document = parse(example("position-story"));

let world: StreamedSandbox;
beforeAll(async () => {
  world = await streamedSandbox("v3", {}, START, undefined, true, "auto", false, ["main", "classic", "broker"]);
});
afterAll(() => world.close());

interface Story {
  readonly positions: readonly {
    readonly symbol: string;
    readonly instrument: object | null;
    readonly ticker: object | null;
    readonly takeProfit: { readonly planOrder: object | null } | null;
    readonly openOrders: readonly object[] | null;
    readonly fills: { readonly nodes: readonly object[] } | null;
  }[];
}

/** The answer, and the number of calls that the exchange has received for it. */
async function asked() {
  const contextValue = createContext(world.exchange, ANYONE, world.streams);
  let result: ExecutionResult<{ readonly accounts: readonly Story[] }> | undefined;
  const running = Promise.resolve(execute({ schema, document, contextValue })).then((done) => {
    result = done as typeof result;
  });
  await world.until(() => result !== undefined, 120_000);
  await running;
  const { reads } = contextValue.reads.trace;
  return {
    positions: result?.data?.accounts.flatMap(({ positions }) => positions) ?? [],
    errors: result?.errors ?? [],
    calls: reads.filter(({ source }) => source === "REST").map(({ endpoint }) => endpoint),
  };
}

describe("the story of every position of three accounts", () => {
  it("takes at most four calls once their state is live, and is whole", async () => {
    const first = await asked();
    expect(first.errors).toEqual([]);
    let last = first;
    for (let second = 0; second < 20; second++) {
      await world.pass(1_000, 100);
      last = await asked();
    }
    expect(last.errors).toEqual([]);
    expect(last.calls.length, last.calls.join()).toBeLessThanOrEqual(4);
    expect(first.calls.length).toBeGreaterThan(20);
    expect(last.positions).toHaveLength(first.positions.length);
    for (const [at, { symbol, instrument, ticker, takeProfit, openOrders, fills }] of last.positions.entries()) {
      const before = first.positions[at];
      expect(symbol).toBe(before?.symbol);
      expect(instrument).toEqual(before?.instrument);
      expect(ticker).not.toBeNull();
      expect(takeProfit).toEqual(before?.takeProfit);
      expect(openOrders).toEqual(before?.openOrders);
      expect(fills).toEqual(before?.fills);
      expect(fills?.nodes.length).toBeGreaterThan(0);
    }
    expect(last.positions.some(({ takeProfit }) => takeProfit?.planOrder)).toBe(true);
  }, 120_000);
});
