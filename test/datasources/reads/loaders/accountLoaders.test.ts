import { beforeEach, describe, expect, it } from "vitest";
import { MAX_EDGE_CALLS } from "../../../../src/datasources/reads/loaders/accountLoaders.js";
import { startedForEach } from "../../../support/started.js";
import { twoGenerations } from "../../support/twoGenerations.js";

const HISTORY = "/api/v3/trade/history-orders";
const ORDER = "/api/v3/trade/order-info";
const FILLS = "/api/v3/trade/fills";

describe("the loaders of an account's records", () => {
  const world = startedForEach(twoGenerations);
  let now: number;
  beforeEach(async () => {
    const reads = world.request();
    await reads.modeOf(world.main);
    now = reads.now();
    world.upstream.on(HISTORY, { data: { list: [], cursor: null } });
    world.upstream.on(FILLS, { data: { list: [], cursor: null } });
    world.upstream.on(ORDER, ({ query }) => ({
      data: { orderId: query.get("orderId"), category: "SPOT", symbol: "BTCUSDT", orderStatus: "filled", side: "buy" },
    }));
  });

  const named = (orderId: string) => ({ category: "SPOT", symbol: "BTCUSDT", orderId, time: now }) as const;

  it("look one order up by its identifier, without its history", async () => {
    const { loaders } = world.request();
    expect(await loaders.account.order(world.main, named("1"))).toMatchObject({ orderId: "1" });
    expect(world.upstream.callsOf(HISTORY)).toHaveLength(0);
    expect(world.upstream.callsOf(ORDER)).toHaveLength(1);
  });

  it("look up what the history lacks one by one, each once, and keep accounts apart", async () => {
    const { loaders } = world.request();
    const ids = ["1", "2", "3", "1", "2"];
    const found = await Promise.all(ids.map((id) => loaders.account.order(world.main, named(id))));
    expect(found.map((order) => order?.orderId)).toEqual(ids);
    expect(world.upstream.callsOf(HISTORY)).toHaveLength(1);
    expect(world.upstream.callsOf(ORDER)).toHaveLength(3);
  });

  it("take no more calls for one edge and account than an operation may, and refuse the rest with what to do", async () => {
    const { loaders } = world.request();
    for (let call = 2; call < MAX_EDGE_CALLS; call++) loaders.account.spend("order", world.main);
    const found = await Promise.allSettled(["1", "2", "3", "4"].map((id) => loaders.account.order(world.main, named(id))));
    // One page of the history, and one order.
    expect(world.upstream.callsOf(HISTORY)).toHaveLength(1);
    expect(world.upstream.callsOf(ORDER)).toHaveLength(1);
    const refused = found.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({ reason: { code: "BAD_USER_INPUT", message: expect.stringContaining("fewer rows") } });
  });

  it("read an order's own list only where one list for several does not reach", async () => {
    const { loaders } = world.request();
    const thing = (orderId: string) => ({
      ...({ category: "SPOT", symbol: "BTCUSDT", orderId, posSide: null, first: 20, after: null } as const),
      from: now - 60_000,
      to: null,
    });
    await Promise.all(["1", "2", "3"].map((id) => loaders.account.executions(world.main, thing(id))));
    const [call, ...more] = world.upstream.callsOf(FILLS);
    expect(more).toEqual([]);
    expect(call?.target).not.toContain("orderId");
  });
});
