import { beforeEach, describe, expect, it } from "vitest";
import { type OrderKey, readOrder } from "../../../../src/datasources/reads/queries/order.js";
import { readOrderHistory } from "../../../../src/datasources/reads/queries/orderHistory.js";
import { startedForEach } from "../../../support/started.js";
import { rowsOf } from "../../support/rowsOf.js";
import { twoGenerations } from "../../support/twoGenerations.js";
import { classicOrder, unifiedOrder } from "../../support/wireRows.js";

const DAY = 86_400_000;
const T0 = 1_767_225_600_000;

describe("one order", () => {
  const world = startedForEach(twoGenerations);
  beforeEach(() => {
    world.upstream.on("/api/v3/trade/order-info", { data: unifiedOrder("1", T0) });
    world.upstream.on("/api/v2/spot/trade/orderInfo", { data: [classicOrder("2", T0)] });
    world.upstream.on("/api/v2/mix/order/detail", { data: classicOrder("3", T0) });
  });

  it("of a unified account is found by either identifier alone", async () => {
    expect(await readOrder(world.request(), world.main, { orderId: "1" })).toMatchObject({
      orderId: "1",
      category: "USDT-FUTURES",
    });
    await readOrder(world.request(), world.main, { clientOid: "mine", category: "SPOT", symbol: "BTCUSDT" });
    expect(world.targets()).toEqual(["/api/v3/trade/order-info?orderId=1", "/api/v3/trade/order-info?clientOid=mine"]);
  });

  it("of a Classic account is looked for where the client says", async () => {
    const spot = await readOrder(world.request(), world.classic, { clientOid: "mine", category: "SPOT" });
    const futures = await readOrder(world.request(), world.classic, {
      orderId: "3",
      category: "USDC-FUTURES",
      symbol: "BTCPERP",
    });
    expect([spot?.category, futures?.category]).toEqual(["SPOT", "USDC-FUTURES"]);
    expect(world.targets()).toEqual([
      "/api/v2/spot/trade/orderInfo?clientOid=mine",
      "/api/v2/mix/order/detail?symbol=BTCPERP&productType=USDC-FUTURES&orderId=3",
    ]);
  });

  it("is null if the exchange has none, however the API version says so", async () => {
    world.upstream.on("/api/v3/trade/order-info", { code: "25204", msg: "Order does not exist" });
    world.upstream.on("/api/v2/spot/trade/orderInfo", { data: [] });
    for (const list of ["unfilled-orders", "history-orders"]) world.upstream.on(`/api/v2/spot/trade/${list}`, { data: [] });
    world.upstream.on("/api/v2/mix/order/detail", { code: "40109", msg: "The data of the order cannot be found" });
    const asked = { orderId: "9", symbol: "BTCUSDT" };
    expect(await readOrder(world.request(), world.main, asked)).toBeNull();
    expect(await readOrder(world.request(), world.classic, { ...asked, category: "SPOT" })).toBeNull();
    expect(await readOrder(world.request(), world.classic, { ...asked, category: "USDT-FUTURES" })).toBeNull();
  });

  describe("of Classic spot that waits for its trigger", () => {
    const INFO = "/api/v2/spot/trade/orderInfo";
    const OPEN = "/api/v2/spot/trade/unfilled-orders";
    const PAST = "/api/v2/spot/trade/history-orders";
    const TPSL = { tpslType: "tpsl", triggerPrice: "1" };
    const find = (key: OrderKey) => readOrder(world.request(), world.classic, { category: "SPOT", ...key });
    beforeEach(() => {
      world.upstream.on(INFO, { code: "43001", msg: "The order does not exist" });
      world.upstream.on(OPEN, { data: [classicOrder("5", T0, { ...TPSL, clientOid: "c-5" })] });
      world.upstream.on(PAST, { data: [classicOrder("4", T0, { ...TPSL, clientOid: "c-4", status: "executed" })] });
    });

    it("is found if the look-up has none: among the waiting orders, or in their history", async () => {
      expect(await find({ orderId: "5" })).toMatchObject({ orderId: "5", tpslType: "tpsl", status: "new" });
      expect(world.targets()).toEqual([`${INFO}?orderId=5`, `${OPEN}?orderId=5&tpslType=tpsl`]);
      expect(await find({ orderId: "4" })).toMatchObject({ orderId: "4", status: "triggered" });
      expect(await find({ clientOid: "c-4", symbol: "BTCUSDT" })).toMatchObject({ orderId: "4" });
      expect(await find({ orderId: "3" })).toBeNull();
    });

    it("is searched only there if it is known to wait, and only in the look-up if it is known not to", async () => {
      expect(await find({ orderId: "5", waits: true })).toMatchObject({ orderId: "5" });
      expect(await find({ orderId: "5", waits: false })).toBeNull();
      expect(world.targets()).toEqual([`${OPEN}?orderId=5&tpslType=tpsl`, `${INFO}?orderId=5`]);
    });

    it("is not a missing order if a row that may be it cannot be decoded", async () => {
      world.upstream.on(OPEN, { data: [classicOrder("5", T0, { ...TPSL, size: "much" })] });
      await expect(find({ orderId: "5" })).rejects.toMatchObject({ code: "EXCHANGE_BAD_RESPONSE" });
    });
  });

  it("is an error when the exchange refuses for another reason", async () => {
    world.upstream.on("/api/v3/trade/order-info", { code: "40014", msg: "Incorrect permissions" });
    await expect(readOrder(world.request(), world.main, { orderId: "1" })).rejects.toThrow("40014");
  });

  it("needs an identifier, and on a Classic account a place to look", async () => {
    await expect(readOrder(world.request(), world.main, {})).rejects.toThrow("orderId must be given: orderId or clientOid");
    await expect(readOrder(world.request(), world.classic, { orderId: "1" })).rejects.toThrow(
      "category must be given on a Classic account",
    );
    await expect(readOrder(world.request(), world.classic, { orderId: "1", category: "COIN-FUTURES" })).rejects.toThrow(
      "symbol must be given",
    );
    await expect(readOrder(world.request(), world.classic, { orderId: "1", category: "MARGIN" })).rejects.toMatchObject({
      code: "ACCOUNT_MODE_MISMATCH",
    });
    expect(world.targets()).toEqual([]);
  });
});

describe("finished orders", () => {
  const UNIFIED = "/api/v3/trade/history-orders";
  const SPOT = "/api/v2/spot/trade/history-orders";
  const FUTURES = "/api/v2/mix/order/orders-history";
  const world = startedForEach(twoGenerations);
  beforeEach(() => {
    world.upstream.on(UNIFIED, { data: { list: null, cursor: null } });
    world.upstream.on(SPOT, { data: [classicOrder("2", T0, { status: "filled" })] });
    world.upstream.on(FUTURES, { data: { entrustedList: [classicOrder("3", T0, { status: "canceled" })], endId: "3" } });
  });

  it("of a unified account are read in windows of thirty days, ninety days back", async () => {
    await readOrderHistory(world.request(), world.main, { category: "SPOT" }, {});
    const windows = world.upstream
      .callsOf(UNIFIED)
      .map(({ query }) => [query.get("startTime"), query.get("endTime")].map((at) => Number.parseInt(at ?? "", 10)));
    expect(windows).toHaveLength(3);
    for (const [from = 0, to = 0] of windows) expect(to - from).toBeLessThanOrEqual(30 * DAY);
  });

  it.each([
    ["SPOT", SPOT, "2", "filled"],
    ["COIN-FUTURES", FUTURES, "3", "cancelled"],
  ] as const)("of a Classic account's %s come from its own list", async (category, path, orderId, status) => {
    const { rows } = await readOrderHistory(world.request(), world.classic, { category, symbol: "X" }, {});
    expect(rows.map(({ row }) => row)).toMatchObject([{ orderId, status, category }]);
    const lists = world.upstream.calls.filter((call) => call.path.includes("order"));
    expect(new Set(lists.map((call) => call.path))).toEqual(new Set([path]));
  });

  it("of Classic spot are both lists, merged page by page over the same times", async () => {
    const lists = {
      normal: [9, 7, 4].map((at) => classicOrder(`${at}`, T0 - at, { status: "filled" })),
      tpsl: [8, 7, 5].map((at) => classicOrder(`${at}`, T0 - at, { status: "executed", triggerPrice: "1" })),
    };
    for (const list of Object.values(lists)) list.reverse();
    world.upstream.on(SPOT, ({ query }) => {
      const rows = lists[query.get("tpslType") === "tpsl" ? "tpsl" : "normal"];
      const begin = rows.findIndex(({ orderId }) => orderId === query.get("idLessThan")) + 1;
      return { data: rows.slice(begin, begin + Number.parseInt(query.get("limit") ?? "100", 10)) };
    });
    const seen: string[] = [];
    let after: string | undefined;
    for (let more = true; more; ) {
      const slice = await readOrderHistory(world.request(), world.classic, { category: "SPOT" }, { first: 2, after });
      seen.push(...rowsOf(slice).map(({ orderId }) => orderId));
      after = slice.rows.at(-1)?.cursor;
      more = slice.hasNextPage && seen.length < 9;
    }
    // The one that both lists show comes once.
    expect(seen).toEqual(["4", "5", "7", "8", "9"]);
    const times = world.upstream.callsOf(SPOT).map(({ query }) => `${query.get("startTime")} ${query.get("endTime")}`);
    expect(new Set(times.slice(0, 2)).size).toBe(1);
  });

  it("that waited for a trigger can be asked for alone", async () => {
    const asked = { tpslType: "tpsl" } as const;
    await readOrderHistory(world.request(), world.classic, { ...asked, category: "SPOT" }, {});
    expect(world.upstream.callsOf(SPOT)[0]?.query.get("tpslType")).toBe("tpsl");
    await expect(readOrderHistory(world.request(), world.classic, { ...asked, category: "USDT-FUTURES" }, {})).rejects.toThrow(
      "tpslType must be",
    );
    await expect(readOrderHistory(world.request(), world.main, { ...asked, category: "SPOT" }, {})).rejects.toMatchObject({
      code: "ACCOUNT_MODE_MISMATCH",
    });
  });
});
