import { beforeEach, describe, expect, it } from "vitest";
import type { Slice } from "../../../../src/datasources/reads/paging/pager.js";
import { readOpenOrders } from "../../../../src/datasources/reads/queries/openOrders.js";
import { startedForEach } from "../../../support/started.js";
import { rowsOf } from "../../support/rowsOf.js";
import { twoGenerations } from "../../support/twoGenerations.js";
import { classicOrder, unifiedOrder, wireInstrument } from "../../support/wireRows.js";

const UNIFIED = "/api/v3/trade/unfilled-orders";
const SPOT = "/api/v2/spot/trade/unfilled-orders";
const FUTURES = "/api/v2/mix/order/orders-pending";
const INSTRUMENTS = "/api/v3/market/instruments";
const T0 = 1_767_225_600_000;

describe("open orders", () => {
  const world = startedForEach(twoGenerations);
  beforeEach(() => {
    const { upstream } = world;
    upstream.on(UNIFIED, {
      data: { list: [unifiedOrder("3", T0 + 3), unifiedOrder("1", T0 + 1, { category: "SPOT" })], cursor: "1" },
    });
    const paged = (rows: { orderId: string }[], query: URLSearchParams) => {
      const begin = rows.findIndex(({ orderId }) => orderId === query.get("idLessThan")) + 1;
      return rows.slice(begin, begin + Number.parseInt(query.get("limit") ?? "100", 10));
    };
    upstream.on(SPOT, ({ query }) => ({
      data:
        query.get("tpslType") === "tpsl"
          ? paged(
              [
                classicOrder("90", T0 + 15, { triggerPrice: "1" }),
                classicOrder("80", T0, { tpslType: "tpsl", triggerPrice: "1" }),
              ],
              query,
            )
          : paged([classicOrder("s2", T0 + 40), classicOrder("s1", T0 + 10)], query),
    }));
    const futures: Record<string, { orderId: string }[]> = {
      "USDT-FUTURES": [classicOrder("u3", T0 + 30), classicOrder("u2", T0 + 20), classicOrder("u1", T0 + 5)],
      "COIN-FUTURES": [],
      "USDC-FUTURES": [classicOrder("p1", T0 + 25)],
    };
    upstream.on(FUTURES, ({ query }) => {
      const list = paged(futures[query.get("productType") ?? ""] ?? [], query);
      return { data: { entrustedList: list.length === 0 ? null : list, endId: list.at(-1)?.orderId ?? null } };
    });
    upstream.on(INSTRUMENTS, ({ query }) => ({
      data: { SPOT: ["BTCUSDT", "ONLYSPOT"], "USDT-FUTURES": ["BTCUSDT"], "COIN-FUTURES": [], "USDC-FUTURES": [] }[
        query.get("category") ?? ""
      ]?.map(wireInstrument),
    }));
  });
  const ids = (slice: Slice<{ orderId: string }>) => rowsOf(slice).map(({ orderId }) => orderId);

  it("of a unified account are one call, for any category", async () => {
    expect(ids(await readOpenOrders(world.request(), world.main, {}, {}))).toEqual(["3", "1"]);
    await readOpenOrders(world.request(), world.main, { category: "MARGIN", symbol: "BTCUSDT" }, { first: 7 });
    expect(world.targets()).toEqual([`${UNIFIED}?limit=20`, `${UNIFIED}?category=MARGIN&symbol=BTCUSDT&limit=7`]);
  });

  it("of a Classic account are two lists of spot and three product types, merged newest first, each with its category", async () => {
    const slice = await readOpenOrders(world.request(), world.classic, {}, {});
    expect(rowsOf(slice).map((row) => [row.orderId, row.category])).toEqual([
      ["s2", "SPOT"],
      ["u3", "USDT-FUTURES"],
      ["p1", "USDC-FUTURES"],
      ["u2", "USDT-FUTURES"],
      ["90", "SPOT"],
      ["s1", "SPOT"],
      ["u1", "USDT-FUTURES"],
      ["80", "SPOT"],
    ]);
    expect(rowsOf(slice).flatMap(({ orderId, tpslType }) => (tpslType === "tpsl" ? [orderId] : []))).toEqual(["90", "80"]);
    expect(slice.hasNextPage).toBe(false);
    expect(world.targets()).toHaveLength(5);
  });

  it("of a Classic account page on through the merged list", async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (let more = true; more; ) {
      const slice = await readOpenOrders(world.request(), world.classic, {}, { first: 2, after });
      seen.push(...ids(slice));
      after = slice.rows.at(-1)?.cursor;
      more = slice.hasNextPage;
    }
    expect(seen).toEqual(["s2", "u3", "p1", "u2", "90", "s1", "u1", "80"]);
  });

  it("of a Classic account's one category ask that list alone", async () => {
    expect(
      ids(await readOpenOrders(world.request(), world.classic, { category: "USDC-FUTURES", symbol: "BTCPERP" }, {})),
    ).toEqual(["p1"]);
    expect(world.targets()).toEqual([`${FUTURES}?productType=USDC-FUTURES&symbol=BTCPERP&limit=20`]);
  });

  it("of a Classic account ask for a symbol only where it is listed", async () => {
    await readOpenOrders(world.request(), world.classic, { symbol: "BTCUSDT" }, {});
    const asked = world.targets().filter((target) => !target.startsWith(INSTRUMENTS));
    expect(asked.sort()).toEqual([
      `${FUTURES}?productType=USDT-FUTURES&symbol=BTCUSDT&limit=20`,
      `${SPOT}?symbol=BTCUSDT&tpslType=normal&limit=20`,
      `${SPOT}?symbol=BTCUSDT&tpslType=tpsl&limit=20`,
    ]);
    expect(await readOpenOrders(world.request(), world.classic, { symbol: "NOPE" }, {})).toEqual({
      rows: [],
      hasNextPage: false,
      total: 0,
    });
  });

  it("of Classic spot are both lists or one of them, and a row that both show comes once", async () => {
    const spot = { category: "SPOT" } as const;
    const kind = async (more: object) => ids(await readOpenOrders(world.request(), world.classic, { ...spot, ...more }, {}));
    expect(await kind({})).toEqual(["s2", "90", "s1", "80"]);
    expect(await kind({ tpslType: "normal" })).toEqual(["s2", "s1"]);
    const all = [classicOrder("9", T0 + 9), classicOrder("8", T0 + 8, { triggerPrice: "1" }), classicOrder("7", T0 + 7)];
    world.upstream.on(SPOT, { data: all });
    expect(await kind({ symbol: "BTCUSDT" })).toEqual(["9", "8", "7"]);
  });

  it("that wait for a trigger can be asked for alone", async () => {
    const asked = { tpslType: "tpsl" } as const;
    expect(ids(await readOpenOrders(world.request(), world.classic, asked, {}))).toEqual(["90", "80"]);
    await expect(readOpenOrders(world.request(), world.classic, { ...asked, category: "USDT-FUTURES" }, {})).rejects.toThrow(
      "tpslType must be normal",
    );
    await expect(readOpenOrders(world.request(), world.main, asked, {})).rejects.toMatchObject({ code: "ACCOUNT_MODE_MISMATCH" });
  });
});
