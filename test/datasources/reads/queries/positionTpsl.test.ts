import { beforeEach, describe, expect, it } from "vitest";
import { everyRow } from "../../../../src/datasources/errors/unread.js";
import { readPositions } from "../../../../src/datasources/reads/queries/positions.js";
import { readPositionTpsl } from "../../../../src/datasources/reads/queries/positionTpsl.js";
import { startedForEach } from "../../../support/started.js";
import { twoGenerations } from "../../support/twoGenerations.js";
import { classicPosition, unifiedPlan, unifiedPosition } from "../../support/wireRows.js";

const PLANS = "/api/v3/trade/unfilled-strategy-orders";
const CLASSIC = "/api/v2/mix/position/all-position";
const category = "USDT-FUTURES" as const;

describe("the take-profit and stop-loss of a position", () => {
  const world = startedForEach(twoGenerations);
  let plans: object[];
  beforeEach(() => {
    plans = [];
    const positions = ["BTCUSDT", "ETHUSDT"].map((symbol) => unifiedPosition(category, symbol));
    world.upstream.on("/api/v3/position/current-position", ({ query }) => ({
      data: { list: query.get("category") === category ? positions : null },
    }));
    world.upstream.on(PLANS, () => ({ data: plans }));
    world.upstream.on(CLASSIC, {
      data: [
        { ...classicPosition("BTCUSDT"), takeProfit: "70000", takeProfitId: "7", stopLoss: "", stopLossId: "" },
        { ...classicPosition("ETHUSDT"), takeProfit: "", stopLoss: "" },
      ],
    });
  });

  const plan = (orderId: string, more: object) => unifiedPlan(orderId, 1_767_225_600_000, { takeProfit: null, ...more });
  /** Take-profit and stop-loss of each position, as price and order. */
  async function tpslOf(changes: object = {}, isPushed = false, account = world.main) {
    const reads = world.request();
    const rows = everyRow(await readPositions(reads, account, { category }));
    const each = rows.flatMap((row) =>
      (["takeProfit", "stopLoss"] as const).map((role) =>
        readPositionTpsl(reads, account, { ...row, ...changes }, role, isPushed),
      ),
    );
    return (await Promise.all(each)).map((one) => one && `${one.triggerPrice} ${one.planOrderId}`);
  }

  it("of a unified account are joined from its trigger orders, read once for all positions", async () => {
    plans = [plan("1", { takeProfit: "70000", stopLoss: "60000" }), plan("2", { symbol: "ETHUSDT", stopLoss: "2000" })];
    expect(await tpslOf()).toEqual(["70000 1", "60000 1", null, "2000 2"]);
    expect(world.upstream.callsOf(PLANS).map(({ query }) => query.toString())).toEqual([`category=${category}&type=tpsl`]);
  });

  it.each([
    ["another side's", { posSide: "short", takeProfit: "70000" }, {}, null],
    ["one without a side in one-way mode", { posSide: "", takeProfit: "70000" }, {}, "70000 1"],
    ["one without a side in hedge mode", { posSide: "", takeProfit: "70000" }, { holdMode: "hedge_mode" }, null],
    ["a part's", { qty: "0.01", takeProfit: "70000" }, {}, null],
    ["one that covers it by its quantity", { qty: "0.0200", takeProfit: "70000" }, {}, "70000 1"],
    ["one with a quantity, of a position without one", { qty: "9", takeProfit: "70000" }, { qty: null }, null],
    ["one of a position that has ended", { takeProfit: "70000" }, { qty: "0" }, null],
    ["one of a position whose status is ended", { takeProfit: "70000" }, { status: "ended" }, null],
  ])("are those of the whole position: %s", async (_, wire, position, takeProfit) => {
    plans = [plan("1", wire)];
    expect((await tpslOf(position))[0]).toBe(takeProfit);
  });

  it.each([
    ["long", ["65000 2", "63000 1"]],
    ["short", ["62000 1", "64000 2"]],
  ])("of several orders are the one that the price reaches first: %s", async (posSide, expected) => {
    const prices = {
      long: [
        ["66000", "63000"],
        ["65000", "62000"],
      ],
      short: [
        ["62000", "65000"],
        ["61000", "64000"],
      ],
    };
    plans = prices[posSide === "long" ? "long" : "short"].map(([takeProfit, stopLoss], at) =>
      plan(`${at + 1}`, { posSide, takeProfit, stopLoss }),
    );
    expect((await tpslOf({ posSide })).slice(0, 2)).toEqual(expected);
  });

  it("fail if a trigger order that may be one of them cannot be decoded", async () => {
    plans = [plan("1", { takeProfit: "much" }), plan("2", { symbol: "ETHUSDT", stopLoss: "2000" })];
    const reads = world.request();
    const [bitcoin, ether] = everyRow(await readPositions(reads, world.main, { category }));
    if (bitcoin === undefined || ether === undefined) throw new Error("there are no positions");
    await expect(readPositionTpsl(reads, world.main, bitcoin, "takeProfit", false)).rejects.toMatchObject({
      code: "EXCHANGE_BAD_RESPONSE",
    });
    expect(await readPositionTpsl(reads, world.main, ether, "stopLoss", false)).toMatchObject({ planOrderId: "2" });
  });

  it("of a Classic account come with the list of positions, which is read for a position that was pushed", async () => {
    expect(await tpslOf({}, false, world.classic)).toEqual(["70000 7", null, null, null]);
    const pushed = { takeProfit: null, takeProfitId: null };
    expect(await tpslOf(pushed, false, world.classic)).toEqual([null, null, null, null]);
    expect(await tpslOf(pushed, true, world.classic)).toEqual(["70000 7", null, null, null]);
    // Nothing but the list that the positions themselves came from.
    expect(new Set(world.targets())).toEqual(new Set([`${CLASSIC}?productType=${category}`]));
  });
});
