import { STRATEGY_TYPES } from "@exchange-graph/contract/vocabulary";
import { beforeEach, describe, expect, it } from "vitest";
import type { Slice } from "../../../../src/datasources/reads/paging/pager.js";
import { readOpenPlanOrders, readPlanOrderHistory } from "../../../../src/datasources/reads/queries/planOrders.js";
import { startedForEach } from "../../../support/started.js";
import { rowsOf } from "../../support/rowsOf.js";
import { twoGenerations } from "../../support/twoGenerations.js";
import { classicPlan, unifiedPlan } from "../../support/wireRows.js";

const UNIFIED = "/api/v3/trade/unfilled-strategy-orders";
const CLASSIC = "/api/v2/mix/order/orders-plan-pending";
const UNIFIED_HISTORY = "/api/v3/trade/history-strategy-orders";
const CLASSIC_HISTORY = "/api/v2/mix/order/orders-plan-history";
const T0 = 1_767_225_600_000;

const trigger = (orderId: string, createdTime: number) =>
  unifiedPlan(orderId, createdTime, { type: "trigger", takeProfit: null, triggerPrice: "70000", triggerOrderType: "market" });

describe("plan orders", () => {
  const world = startedForEach(twoGenerations);
  beforeEach(() => {
    const { upstream } = world;
    const tpsl = [unifiedPlan("4", T0 + 4), unifiedPlan("2", T0 + 2, { symbol: "ETHUSDT" }), unifiedPlan("1", T0 + 1)];
    const triggers = [trigger("3", T0 + 3), trigger("0", T0)];
    // As an exchange that shows every kind in the one list.
    const open = { tpsl: [tpsl[0], triggers[0], ...tpsl.slice(1)], trigger: triggers };
    upstream.on(UNIFIED, ({ query }) => ({ data: new Map(Object.entries(open)).get(query.get("type") ?? "tpsl") ?? [] }));
    upstream.on(UNIFIED_HISTORY, ({ query }) => {
      const over = new Map([
        ["trigger", [trigger("8", T0 + 8), trigger("6", T0 + 6)]],
        ["tpsl", [unifiedPlan("9", T0 + 9), unifiedPlan("7", T0 + 7)]],
      ]);
      const list = (over.get(query.get("type") ?? "") ?? [])
        .filter(({ orderId }) => orderId < (query.get("cursor") ?? "99"))
        .slice(0, Number.parseInt(query.get("limit") ?? "100", 10));
      return { data: { list, cursor: Number.parseInt(list.at(-1)?.orderId ?? "0", 10) } };
    });
    const byKind: Record<string, object[]> = {
      normal_plan: [classicPlan("n1", T0 + 2, "normal_plan")],
      track_plan: [],
      profit_loss: [classicPlan("p2", T0 + 3, "loss_plan"), classicPlan("p1", T0 + 1, "pos_profit")],
    };
    for (const path of [CLASSIC, CLASSIC_HISTORY])
      upstream.on(path, ({ query }) => ({ data: { entrustedList: byKind[query.get("planType") ?? ""], endId: null } }));
  });
  const category = "USDT-FUTURES";
  const ids = (slice: Slice<{ orderId: string }>) => rowsOf(slice).map(({ orderId }) => orderId);

  it("that wait on a unified account are the lists of all kinds, each order once, filtered and paged by us", async () => {
    const reads = world.request();
    const inBitcoin = await readOpenPlanOrders(reads, world.main, { category, symbol: "btcusdt" }, {});
    expect(rowsOf(inBitcoin).map(({ orderId, planType }) => [orderId, planType])).toEqual([
      ["4", "tpsl"],
      ["3", "normal_plan"],
      ["1", "tpsl"],
      ["0", "normal_plan"],
    ]);
    const first = await readOpenPlanOrders(reads, world.main, { category }, { first: 3 });
    const rest = await readOpenPlanOrders(reads, world.main, { category }, { first: 3, after: first.rows.at(-1)?.cursor });
    expect([ids(first), first.hasNextPage, ids(rest), rest.hasNextPage]).toEqual([["4", "3", "2"], true, ["1", "0"], false]);
    expect(world.targets()).toEqual(STRATEGY_TYPES.map((type) => `${UNIFIED}?category=USDT-FUTURES&type=${type}`));
  });

  it("that are over on a unified account come from the histories of all kinds, page by page", async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (let more = true; more; ) {
      const slice = await readPlanOrderHistory(world.request(), world.main, { category }, { first: 1, after });
      seen.push(...ids(slice));
      after = slice.rows.at(-1)?.cursor;
      more = slice.hasNextPage && seen.length < 9;
    }
    expect(seen).toEqual(["9", "8", "7", "6"]);
  });

  it("that wait on a Classic account are three lists merged newest first, with their category", async () => {
    const slice = await readOpenPlanOrders(world.request(), world.classic, { category, symbol: "BTCUSDT" }, {});
    expect(rowsOf(slice).map((row) => [row.orderId, row.planType, row.category])).toEqual([
      ["p2", "loss_plan", category],
      ["n1", "normal_plan", category],
      ["p1", "pos_profit", category],
    ]);
    expect(world.targets()).toHaveLength(3);
    expect(world.targets()[0]).toContain("symbol=BTCUSDT");
  });

  it("of kinds that the exchange does not know are none, and the others are listed", async () => {
    const open = { tpsl: [unifiedPlan("4", T0 + 4)], trigger: [trigger("3", T0 + 3)] };
    const ended = { tpsl: [unifiedPlan("9", T0 + 9)], trigger: [] };
    const refused = { status: 400, code: "400172", msg: "type Illegal type" };
    const answer = (rows: object[] | undefined, data: unknown) => (rows === undefined ? refused : { data });
    world.upstream.on(UNIFIED, ({ query }) => {
      const rows = new Map(Object.entries(open)).get(query.get("type") ?? "");
      return answer(rows, rows);
    });
    world.upstream.on(UNIFIED_HISTORY, ({ query }) => {
      const rows = new Map<string, object[]>(Object.entries(ended)).get(query.get("type") ?? "");
      return answer(rows, { list: query.has("cursor") ? [] : rows, cursor: null });
    });
    expect(ids(await readOpenPlanOrders(world.request(), world.main, { category }, {}))).toEqual(["4", "3"]);
    expect(ids(await readPlanOrderHistory(world.request(), world.main, { category }, {}))).toEqual(["9"]);
    world.upstream.on(UNIFIED, () => refused);
    await expect(readOpenPlanOrders(world.request(), world.main, { category: "USDC-FUTURES" }, {})).rejects.toMatchObject({
      code: "EXCHANGE_REJECTED",
    });
  });

  it("on spot are those of unified accounts: Classic spot has them among its orders", async () => {
    await readOpenPlanOrders(world.request(), world.main, { category: "SPOT" }, {});
    expect(world.targets()).toEqual(STRATEGY_TYPES.map((type) => `${UNIFIED}?category=SPOT&type=${type}`));
    for (const read of [readOpenPlanOrders, readPlanOrderHistory])
      await expect(read(world.request(), world.classic, { category: "SPOT" }, {})).rejects.toMatchObject({
        code: "ACCOUNT_MODE_MISMATCH",
      });
  });

  it("that are over come from the history of either API version, between the times given", async () => {
    const asked = { from: T0, to: T0 + 5, first: 1 };
    expect(ids(await readPlanOrderHistory(world.request(), world.main, { category }, asked))).toEqual(["9"]);
    expect(ids(await readPlanOrderHistory(world.request(), world.classic, { category }, asked))).toEqual(["p2"]);
    for (const { query } of [...world.upstream.callsOf(UNIFIED_HISTORY), ...world.upstream.callsOf(CLASSIC_HISTORY)])
      expect([query.get("startTime"), query.get("endTime")]).toEqual([String(T0), String(T0 + 5)]);
  });

  it("give cursors that are good for the same times only", async () => {
    const { rows } = await readPlanOrderHistory(world.request(), world.main, { category }, { from: T0, first: 1 });
    const elsewhere = { from: T0 + 1, first: 1, after: rows[0]?.cursor };
    await expect(readPlanOrderHistory(world.request(), world.main, { category }, elsewhere)).rejects.toThrow(
      "after must be a cursor",
    );
  });
});
