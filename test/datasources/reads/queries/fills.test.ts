import { beforeEach, describe, expect, it } from "vitest";
import { readFills } from "../../../../src/datasources/reads/queries/fills.js";
import { startedForEach } from "../../../support/started.js";
import { rowsOf } from "../../support/rowsOf.js";
import { twoGenerations } from "../../support/twoGenerations.js";
import { classicFill, unifiedFill } from "../../support/wireRows.js";

const UNIFIED = "/api/v3/trade/fills";
const SPOT = "/api/v2/spot/trade/fills";
const LATEST = "/api/v2/mix/order/fills";
const HISTORY = "/api/v2/mix/order/fill-history";
const DAY = 86_400_000;

describe("executions", () => {
  const world = startedForEach(twoGenerations);
  beforeEach(() => {
    const now = world.exchange.clock.now();
    world.upstream.on(UNIFIED, { data: { list: [unifiedFill("1", now)], cursor: "1" } });
    world.upstream.on(SPOT, { data: [classicFill("2", now)] });
    for (const path of [LATEST, HISTORY]) world.upstream.on(path, { data: { fillList: [classicFill("3", now)], endId: "3" } });
  });
  const spanOf = (path: string) =>
    world.upstream.callsOf(path).map(({ query }) => {
      const [from = 0, to = 0] = ["startTime", "endTime"].map((name) => Number.parseInt(query.get(name) ?? "", 10));
      return to - from;
    });

  it("have one shape on both API versions, in every category", async () => {
    const found = await Promise.all([
      readFills(world.request(), world.main, { category: "SPOT" }, { first: 1 }),
      readFills(world.request(), world.classic, { category: "SPOT" }, { first: 1 }),
      readFills(world.request(), world.classic, { category: "USDC-FUTURES" }, { first: 1 }),
    ]);
    const rows = found.map((slice) => rowsOf(slice)[0]);
    expect(rows.map((row) => [row?.execId, row?.category])).toEqual([
      ["1", "SPOT"],
      ["2", "SPOT"],
      ["3", "USDC-FUTURES"],
    ]);
    expect(
      new Set(
        rows.map((row) =>
          Object.keys(row ?? {})
            .sort()
            .join(),
        ),
      ).size,
    ).toBe(1);
  });

  it("of one order are found without walking through time", async () => {
    const reads = world.request();
    await readFills(reads, world.main, { category: "SPOT", orderId: "7" }, {});
    await readFills(reads, world.classic, { category: "SPOT", orderId: "7" }, {});
    await readFills(reads, world.classic, { category: "USDT-FUTURES", orderId: "7" }, {});
    expect(world.targets()).toEqual([
      `${UNIFIED}?category=SPOT&orderId=7&limit=20`,
      `${SPOT}?orderId=7&limit=20`,
      `${LATEST}?productType=USDT-FUTURES&orderId=7&limit=20`,
    ]);
  });

  it("of Classic futures are the latest without a time, and a history by weeks with one", async () => {
    await readFills(world.request(), world.classic, { category: "USDT-FUTURES" }, {});
    expect(world.targets()).toEqual([`${LATEST}?productType=USDT-FUTURES&limit=20`]);
    const to = world.exchange.clock.now();
    await readFills(world.request(), world.classic, { category: "USDT-FUTURES" }, { from: to - 20 * DAY, to });
    expect(spanOf(HISTORY)).toEqual([7 * DAY, 7 * DAY, 6 * DAY]);
  });

  it("of a unified account are read in windows of thirty days", async () => {
    await readFills(world.request(), world.main, { category: "SPOT" }, { first: 50 });
    expect(spanOf(UNIFIED).every((span) => span <= 30 * DAY)).toBe(true);
    expect(spanOf(UNIFIED)).toHaveLength(3);
  });
});
