import { beforeEach, describe, expect, it } from "vitest";
import { everyRow } from "../../../../packages/contract/test/support/everyRow.js";
import { MAX_SINGLE_READS } from "../../../../src/datasources/reads/loaders/accountLoaders.js";
import { readAutoMargin, readClosedPositions, readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { startedForEach } from "../../../support/started.js";
import { twoGenerations } from "../../support/twoGenerations.js";
import { classicClosed, classicPosition, unifiedPosition } from "../../support/wireRows.js";

const UNIFIED = "/api/v3/position/current-position";
const CLASSIC = "/api/v2/mix/position/all-position";
const CLASSIC_HISTORY = "/api/v2/mix/position/history-position";
const SYMBOLS: Record<string, string[]> = {
  "USDT-FUTURES": ["BTCUSDT", "ETHUSDT"],
  "USDC-FUTURES": ["BTCPERP"],
  "COIN-FUTURES": [],
};

describe("positions", () => {
  const world = startedForEach(twoGenerations);
  beforeEach(() => {
    world.upstream.on(UNIFIED, ({ query }) => {
      const category = query.get("category") ?? "";
      const list = (SYMBOLS[category] ?? []).map((symbol) => unifiedPosition(category, symbol));
      return { data: { list: list.length === 0 ? null : list } };
    });
    world.upstream.on(CLASSIC, ({ query }) => ({ data: (SYMBOLS[query.get("productType") ?? ""] ?? []).map(classicPosition) }));
  });

  it.each(["main", "classic"] as const)("of all categories have their category (%s)", async (name) => {
    const found = await readPositions(world.request(), world[name], {});
    expect(everyRow(found).map(({ category, categoryRaw, symbol }) => [category, categoryRaw, symbol])).toEqual([
      ["USDT-FUTURES", "USDT-FUTURES", "BTCUSDT"],
      ["USDT-FUTURES", "USDT-FUTURES", "ETHUSDT"],
      ["USDC-FUTURES", "USDC-FUTURES", "BTCPERP"],
    ]);
    expect(world.targets()).toHaveLength(3);
  });

  it("are read one by one for at most as many symbols of an account as an operation may, and again after a write", async () => {
    const SINGLE = "/api/v2/mix/position/single-position";
    world.upstream.on(SINGLE, ({ query }) => ({
      data: [{ ...classicPosition(query.get("symbol") ?? ""), autoMargin: "on" }],
    }));
    const [position] = everyRow(await readPositions(world.request(), world.classic, { symbol: "BTCUSDT" }));
    if (position === undefined) throw new Error("there is a position");
    const reads = world.request();
    const asked = (at: number) => readAutoMargin(reads, world.classic, { ...position, symbol: `COIN${at}USDT` });
    const before = world.targets().length;
    expect([await asked(0), await asked(0)]).toEqual([true, true]);
    const { account } = reads.loaders;
    for (let at = 1; at < MAX_SINGLE_READS; at++) account.single("autoMargin", world.classic, `another symbol ${at}`);
    await expect(asked(1)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
    expect(await asked(0)).toBe(true);
    expect(world.targets().length - before).toBe(1);
    reads.forget();
    expect(await asked(1)).toBe(true);
  });

  it("of one category and symbol come out of the category's list, which is read once", async () => {
    const reads = world.request();
    const asked = { category: "USDT-FUTURES" } as const;
    const [all, btc, eth] = await Promise.all([
      readPositions(reads, world.classic, asked),
      readPositions(reads, world.classic, { ...asked, symbol: "BTCUSDT" }),
      readPositions(reads, world.classic, { ...asked, symbol: "ethusdt" }),
    ]);
    expect([all.length, btc.length, everyRow(eth)[0]?.symbol]).toEqual([2, 1, "ETHUSDT"]);
    expect(world.targets()).toEqual([`${CLASSIC}?productType=USDT-FUTURES`]);
  });
});

describe("closed positions", () => {
  const world = startedForEach(twoGenerations);
  const newest = () => world.exchange.clock.now() - 1_000;

  it("of a Classic account page on by the last identifier, in one window", async () => {
    const rows = Array.from({ length: 130 }, (_, at) => classicClosed(String(1_000 - at), newest() - at));
    world.upstream.on(CLASSIC_HISTORY, ({ query }) => {
      const begin = rows.findIndex(({ positionId }) => positionId === query.get("idLessThan")) + 1;
      const list = rows.slice(begin, begin + Number.parseInt(query.get("limit") ?? "20", 10));
      return { data: { list, endId: list.at(-1)?.positionId ?? null } };
    });
    const { rows: found, hasNextPage } = await readClosedPositions(
      world.request(),
      world.classic,
      { category: "USDT-FUTURES" },
      { first: 500 },
    );
    expect(everyRow(found.map(({ row }) => row)).map(({ positionId }) => positionId)).toEqual(
      rows.map(({ positionId }) => positionId),
    );
    expect(hasNextPage).toBe(false);
    expect(world.upstream.callsOf(CLASSIC_HISTORY)).toHaveLength(2);
  });
});
