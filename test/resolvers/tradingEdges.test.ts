import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";
import { placeUnifiedPlan } from "./support/trade.js";

const live = sharedGraph({ hasLimits: false });
beforeAll(async () => {
  // The modes of the accounts are known.
  await live.run("{ accounts { mode } }");
});

const of = (name: string, fields: string) => `{ account(name: "${name}") { ${fields} } }`;
const tally = (calls: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const call of calls) counts[call] = (counts[call] ?? 0) + 1;
  return counts;
};
const CATEGORIES = ["USDT_FUTURES", "COIN_FUTURES", "USDC_FUTURES"];

interface Row {
  readonly symbol: string;
  readonly orderId: string;
  readonly planOrder?: object | null;
}

describe.each(["main", "classic"] as const)("edges of trading on %s", (name) => {
  const lists =
    name === "main"
      ? { fills: "fills", history: "orderHistory", one: "orderInfo" }
      : {
          fills: "classicFuturesFillHistory",
          history: "classicFuturesOrderHistory",
          one: "classicFuturesOrderDetail",
        };

  it("lead from each position to its open orders and trigger orders, as the account's lists have them", async () => {
    const fields = "positions { symbol openOrders { id symbol } planOrders { id symbol } }";
    const { data, calls } = await live.while(live.answer(of(name, fields)));
    live.nextMinute();
    const plans = CATEGORIES.map((category) => `${category}: planOrders(category: ${category}) { nodes { id symbol } }`);
    const all = await live.while(live.run(of(name, `openOrders { nodes { id symbol category } } ${plans.join(" ")}`)));
    const { openOrders, ...planOrders } = all.data.account;
    const symbols = new Set(data.account.positions.map(({ symbol }: Row) => symbol));
    const idsOf = (rows: readonly { id: string; symbol: string }[]) =>
      rows
        .filter(({ symbol }) => symbols.has(symbol))
        .map(({ id }) => id)
        .sort();
    const found = data.account.positions;
    const futures = openOrders.nodes.filter(({ category }: { category: string }) => category !== "SPOT");
    expect(found.flatMap((position: { openOrders: { id: string }[] }) => position.openOrders.map(({ id }) => id)).sort()).toEqual(
      idsOf(futures),
    );
    expect(found.flatMap((position: { planOrders: { id: string }[] }) => position.planOrders.map(({ id }) => id)).sort()).toEqual(
      idsOf(Object.values(planOrders).flatMap((list) => (list as { nodes: { id: string; symbol: string }[] }).nodes)),
    );
    expect(found.some((position: { openOrders: object[] }) => position.openOrders.length > 0)).toBe(true);
    expect(found.some((position: { planOrders: object[] }) => position.planOrders.length > 0)).toBe(true);
    const counts = tally(calls);
    if (name === "main") expect(counts.openOrders).toBe(1);
    else expect(counts.classicFuturesOpenOrders).toBe(3);
  });

  it("lead from a position to the executions since it was opened, which make up its quantity, in one call per category", async () => {
    const fields =
      "positions { symbol qty createdTime fills(first: 50) { nodes { symbol qty side createdTime } pageInfo { hasNextPage } } }";
    const { data, calls } = await live.while(live.answer(of(name, fields)));
    for (const { symbol, qty, createdTime, fills } of data.account.positions) {
      expect(fills.pageInfo.hasNextPage).toBe(false);
      expect(
        fills.nodes.every((fill: Row & { createdTime: string }) => fill.symbol === symbol && fill.createdTime >= createdTime),
      ).toBe(true);
      const sum = fills.nodes.reduce(
        (total: number, fill: { qty: string }) => total + Math.round(Number.parseFloat(fill.qty) * 1e6),
        0,
      );
      expect(sum, symbol).toBe(Math.round(Number.parseFloat(qty) * 1e6));
    }
    expect(tally(calls)[lists.fills]).toBe(3);
  });

  it("lead from a position to the funding since it was opened, which adds up, with the calls of one list per category", async () => {
    const fields = "positions { symbol createdTime totalFunding fundingPaid { symbol kind change createdTime } }";
    const { data, calls } = await live.while(live.answer(of(name, fields)));
    for (const { symbol, createdTime, totalFunding, fundingPaid } of data.account.positions) {
      expect(fundingPaid.length, symbol).toBeGreaterThan(0);
      for (const one of fundingPaid) expect(one).toMatchObject({ symbol, kind: "FUNDING" });
      for (const one of fundingPaid) expect(one.createdTime >= createdTime).toBe(true);
      const sum = fundingPaid.reduce((total: Exact, { change }: { change: string }) => total.plus(change), exact("0"));
      // The exchange rounds the sum.
      expect(sum.minus(totalFunding).abs().lt("0.00000001"), symbol).toBe(true);
    }
    const counts = tally(calls);
    // A unified account has a list for each of four words.
    expect(name === "main" ? counts.financialRecords : counts.classicFuturesBills).toBe(name === "main" ? 12 : 3);
  });

  it("page through the executions of a position, each once", async () => {
    const page = (after?: string) =>
      live.while(
        live.run(
          `query ($after: String) { account(name: "${name}") { positions(category: USDT_FUTURES) { symbol fills(first: 1, after: $after) { nodes { execId } pageInfo { hasNextPage endCursor } } } } }`,
          { after },
        ),
      );
    const whole = await live.while(
      live.run(of(name, "positions(category: USDT_FUTURES) { symbol fills(first: 100) { nodes { execId } } }")),
    );
    const long = whole.data.account.positions.findIndex(({ fills }: { fills: { nodes: object[] } }) => fills.nodes.length > 1);
    const expected = whole.data.account.positions[long].fills.nodes.map(({ execId }: { execId: string }) => execId);
    expect(expected.length).toBeGreaterThan(1);
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const { data } = await page(after);
      const { nodes, pageInfo } = data.account.positions[long].fills;
      seen.push(...nodes.map(({ execId }: { execId: string }) => execId));
      after = pageInfo.endCursor;
      more = pageInfo.hasNextPage;
    }
    expect(seen).toEqual(expected);
  });

  it("lead from executions to their orders and back, fewer calls than orders", async () => {
    const fields =
      "fills(category: USDT_FUTURES, first: 50) { nodes { execId orderId order { orderId cumExecQty fills(first: 100) { nodes { execId } } } } }";
    const { data, calls } = await live.while(live.answer(of(name, fields)));
    const { nodes } = data.account.fills;
    expect(nodes.length).toBeGreaterThan(20);
    for (const { execId, orderId, order } of nodes) {
      expect(order.orderId).toBe(orderId);
      expect(order.fills.nodes.map((fill: { execId: string }) => fill.execId)).toContain(execId);
    }
    const orders = new Set(nodes.map(({ orderId }: Row) => orderId)).size;
    const counts = tally(calls);
    expect((counts[lists.history] ?? 0) + (counts[lists.one] ?? 0)).toBeLessThan(orders);
    expect(counts[lists.fills]).toBeLessThan(orders);
  });

  it("take no call for the executions of orders without any", async () => {
    const { data, calls } = await live.while(
      live.answer(of(name, "openOrders { nodes { cumExecQty fills { nodes { execId } } } }")),
    );
    const untouched = data.account.openOrders.nodes.filter(
      ({ cumExecQty }: { cumExecQty: string }) => Number.parseFloat(cumExecQty) === 0,
    );
    expect(untouched.length).toBeGreaterThan(1);
    const touched = data.account.openOrders.nodes.length - untouched.length;
    expect(calls.filter((call) => /[fF]ill/.test(call)).length).toBeLessThanOrEqual(touched);
    for (const { fills } of untouched) expect(fills).toEqual({ nodes: [] });
  });

  it("lead from a closed position to its executions and orders", async () => {
    const fields =
      "positionHistory(category: USDT_FUTURES, first: 5) { nodes { symbol openedQty closedQty createdTime updatedTime fills(first: 100) { nodes { symbol orderId createdTime } } orders { symbol orderId } } }";
    const { data } = await live.while(live.answer(of(name, fields)));
    const { nodes } = data.account.positionHistory;
    expect(nodes).toHaveLength(5);
    for (const { symbol, createdTime, updatedTime, fills, orders } of nodes) {
      for (const fill of fills.nodes) {
        expect(fill.symbol).toBe(symbol);
        expect(fill.createdTime >= createdTime && fill.createdTime <= updatedTime).toBe(true);
      }
      expect(new Set(orders.map(({ orderId }: Row) => orderId))).toEqual(new Set(fills.nodes.map(({ orderId }: Row) => orderId)));
    }
  });

  it("lead from a stop to its trigger order without a call for each position", async () => {
    const fields =
      "positions(category: USDT_FUTURES) { symbol stopLoss { planOrderId planOrder { orderId symbol planType } } takeProfit { planOrderId planOrder { orderId symbol } } }";
    const { data, calls } = await live.while(live.answer(of(name, fields)));
    const exits = data.account.positions.flatMap(
      ({ symbol, stopLoss, takeProfit }: Row & { stopLoss: object; takeProfit: object }) =>
        [stopLoss, takeProfit].filter((exit) => exit !== null).map((exit) => ({ symbol, ...exit })),
    );
    expect(exits.length).toBeGreaterThan(1);
    for (const { symbol, planOrderId, planOrder } of exits) expect(planOrder).toMatchObject({ orderId: planOrderId, symbol });
    expect(calls.filter((call) => /Plan/.test(call))).toHaveLength(1);
  });

  it("are null with their reason, each alone, when their list fails", async () => {
    const endpoint = lists.fills;
    const rule = live.sandbox.faults.add({ endpoint, fault: { kind: "answer", status: 400, code: "40034", msg: "no" } });
    const fields = "positions(category: USDT_FUTURES) { symbol openOrders { id } fills { nodes { id } } }";
    const { data, errors } = await live.while(live.run(of(name, fields)));
    live.sandbox.faults.remove(rule);
    const { positions } = data.account;
    expect(positions.length).toBeGreaterThan(1);
    expect(errors.map(({ path }) => path?.join(".")).sort()).toEqual(
      positions.map((_: unknown, at: number) => `account.positions.${at}.fills`),
    );
    for (const position of positions)
      expect(position).toMatchObject({ symbol: expect.any(String), openOrders: expect.any(Array), fills: null });
  });
});

describe("a trigger order and the order that it has placed", () => {
  /** The trigger order once it has ended: the market moves, so its price is reached. */
  const ended = async (name: string, orderId: string, fields: string) => {
    for (let minute = 0; minute < 600; minute++) {
      live.nextMinute();
      const { data } = await live.while(
        live.answer(of(name, `planOrderHistory(category: USDT_FUTURES, first: 5) { ${fields} }`)),
      );
      const plan = data.account.planOrderHistory.nodes.find((one: Row) => one.orderId === orderId);
      if (plan !== undefined) return plan;
    }
    throw new Error("its price was not reached");
  };

  it.each(["classic", "main"])("lead to each other on %s", async (name) => {
    const { data } = await live.run('{ ticker(category: USDT_FUTURES, symbol: "BTCUSDT") { lastPrice } }');
    const triggerPrice = `${Number.parseInt(data.ticker.lastPrice, 10) - 2}`;
    const placed = await live.while(
      live.run(`mutation { placeTpslOrder(input: { account: "${name}", category: USDT_FUTURES, symbol: "BTCUSDT", posSide: LONG,
        planType: LOSS_PLAN, qty: "0.01", triggerPrice: "${triggerPrice}" }) { outcome orderId userErrors { message } } }`),
    );
    expect(placed.data.placeTpslOrder.userErrors).toEqual([]);
    const { orderId } = placed.data.placeTpslOrder;
    const fields = `nodes { orderId executeOrderId order {
      orderId symbol status planOrder { orderId } } subOrders { nodes { subOrderId } } }`;
    const plan = await ended(name, orderId, fields);
    expect(plan.order).toEqual({
      ...{ orderId: plan.executeOrderId ?? expect.any(String), symbol: "BTCUSDT", status: "FILLED" },
      planOrder: { orderId },
    });
    expect(plan.subOrders.nodes).toEqual([{ subOrderId: plan.order.orderId }]);
  });

  it.each(["NORMAL", "TRACK"] as const)(
    "are listed for a %s_PLAN on Classic futures, with what the exchange names",
    async (kind) => {
      const { data } = await live.run('{ ticker(category: USDT_FUTURES, symbol: "ETHUSDT") { lastPrice } }');
      const track = kind === "TRACK" ? { callbackPercent: exact("0.01") } : {};
      const { planId } = live.sandbox.world.plans.placeEntry({
        ...{
          kind: kind === "TRACK" ? "track_plan" : "normal_plan",
          triggerPrice: exact(data.ticker.lastPrice),
          triggerBy: "market",
        },
        ...track,
        order: {
          ...{ uid: "8800112244", category: "USDT-FUTURES", symbol: "ETHUSDT", side: "buy", orderType: "market" },
          quantity: exact("0.1"),
        },
      });
      const NODES =
        "nodes { orderId subOrders { nodes { id subOrderId status symbol category orderType qty order { orderId status } } } }";
      const waiting = await live.while(live.run(of("classic", `planOrders(category: USDT_FUTURES, first: 5) { ${NODES} }`)));
      expect(waiting.errors).toEqual([]);
      for (const { subOrders } of waiting.data.account.planOrders.nodes) expect(subOrders.nodes).toEqual([]);
      const plan = await ended("classic", planId, NODES);
      const orderId = live.sandbox.world.planStore.ended("8800112244").find((one) => one.planId === planId)?.orderId;
      expect(plan.subOrders.nodes).toEqual([
        {
          ...{
            id: expect.any(String),
            subOrderId: orderId,
            status: "PLACED",
            symbol: "ETHUSDT",
            category: "USDT_FUTURES",
            orderType: "MARKET",
            qty: null,
          },
          order: { orderId, status: "FILLED" },
        },
      ]);
      live.nextMinute();
      const again = await live.while(
        live.run("query ($id: ID!) { node(id: $id) { id ... on SubOrder { subOrderId planOrderId } } }", plan.subOrders.nodes[0]),
      );
      expect(again.data.node).toEqual({ id: plan.subOrders.nodes[0].id, subOrderId: orderId, planOrderId: planId });
    },
  );

  it("lead to each other for each part of a TWAP order, whose own order there is not", async () => {
    const { orderId } = await placeUnifiedPlan(live, {
      ...{ type: "twap", side: "buy", posSide: "long", qty: "0.12" },
      twapParams: [{ duration: "12", interval: "60" }] as unknown as string,
    });
    for (let minute = 0; minute < 4; minute++) live.nextMinute();
    const { data, calls } = await live.while(
      live.answer(
        of(
          "main",
          "planOrders(category: USDT_FUTURES, first: 20) { nodes { orderId order { orderId } subOrders { nodes { subOrderId order { orderId planOrder { orderId } } } } } }",
        ),
      ),
    );
    const twap = data.account.planOrders.nodes.find((plan: Row) => plan.orderId === orderId);
    expect(twap.order).toBeNull();
    expect(twap.subOrders.nodes.length).toBeGreaterThan(2);
    for (const { subOrderId, order } of twap.subOrders.nodes)
      expect(order).toEqual({ orderId: subOrderId, planOrder: { orderId } });
    // The parts share the list of their trigger order, and one page of the history.
    expect(calls.filter((call) => call === "orderHistory")).toHaveLength(1);
  });

  it("take no call for the orders of trigger orders that have placed none, and none per order without one", async () => {
    const waiting = await live.while(live.run(of("main", "planOrders(category: USDC_FUTURES) { nodes { order { orderId } } }")));
    expect(waiting.calls.filter((call) => !/openPlanOrders|accountSettings/.test(call))).toEqual([]);
    const fields = "orderHistory(category: USDC_FUTURES, first: 20) { nodes { orderId planOrder { orderId } } }";
    const { data, calls } = await live.while(live.run(of("main", fields)));
    expect(data.account.orderHistory.nodes.length).toBeGreaterThan(5);
    expect(data.account.orderHistory.nodes.filter(({ planOrder }: Row) => planOrder !== null)).toEqual([]);
    // Those of trigger orders that ended at that time, once each.
    expect(calls.filter((call) => call === "strategySubOrders").length).toBeLessThan(5);
    expect(calls.filter((call) => call === "planOrderHistory").length).toBeLessThanOrEqual(6);
  });
});
