import { beforeAll, describe, expect, it } from "vitest";
import { sharedGraph } from "../support/sharedGraph.js";
import { type Input, mutate, sentBy, w } from "./support/mutate.js";

const live = sharedGraph({ hasPast: false });

const SPOT = { category: w("SPOT"), symbol: "BTCUSDT", side: w("BUY") };
const FUTURES = { category: w("USDT_FUTURES"), symbol: "BTCUSDT", side: w("BUY") };
const LIMIT = { orderType: w("LIMIT"), price: "60000" };
const ORDER = "orderId clientOid order { status side price qty quoteQty isReduceOnly takeProfit { triggerPrice } }";
const place = (input: Input, selection = ORDER) => mutate(live, "placeOrder", input, selection);

const ACCOUNTS = ["main", "classic"] as const;

describe("placeOrder", () => {
  it.each([
    ["main", "placeOrder", { qty: "0.001" }],
    ["classic", "classicPlaceSpotOrder", { size: "0.001", force: "gtc" }],
  ])("places a spot limit order on %s, in its API version's words", async (account, endpoint, wire) => {
    const payload = await place({ ...SPOT, ...LIMIT, account, qty: "0.001" });
    expect(payload).toMatchObject({ outcome: "ACCEPTED", userErrors: [], order: { status: "NEW", side: "BUY" } });
    expect(sentBy(payload)).toMatchObject({ endpoint, symbol: "BTCUSDT", side: "buy", price: "60000", ...wire });
    expect(sentBy(payload).clientOid).toBe(payload.clientOid);
  });

  it.each([
    ["main", "qty"],
    ["classic", "size"],
  ])("spends quote coin with a market buy on %s, and calls it so", async (account, wire) => {
    const payload = await place({ ...SPOT, account, orderType: w("MARKET"), quoteQty: "50" });
    expect(payload).toMatchObject({ outcome: "ACCEPTED", order: { status: "FILLED", qty: null } });
    expect(Number.parseInt(payload.order.quoteQty, 10)).toBe(50);
    expect(sentBy(payload)[wire]).toBe("50");
  });

  it.each(ACCOUNTS)("refuses a market buy in base coin, and a limit order in quote coin, on %s", async (account) => {
    const inBase = await place({ ...SPOT, account, orderType: w("MARKET"), qty: "0.001" });
    const inQuote = await place({ ...SPOT, ...LIMIT, account, quoteQty: "50", qty: "0.001" });
    expect(inBase.userErrors[0]).toMatchObject({
      field: ["qty"],
      message: "qty must not be given for a market buy, which spends quoteQty of quote coin",
    });
    expect(inQuote.userErrors[0].field).toEqual(["quoteQty"]);
    expect([inBase.journalEntry, inQuote.journalEntry]).toEqual([null, null]);
  });

  it("places a margin order on a unified account, and reports that a Classic one has none", async () => {
    const margin = { ...SPOT, ...LIMIT, category: w("MARGIN"), qty: "0.001" };
    expect((await place({ ...margin, account: "main" })).outcome).toBe("ACCEPTED");
    expect(await place({ ...margin, account: "classic" })).toMatchObject({
      outcome: "REJECTED",
      userErrors: [
        {
          code: "ACCOUNT_MODE_MISMATCH",
          field: ["category"],
          message: "category must not be MARGIN on a Classic account",
        },
      ],
    });
  });

  it("places a futures order on a Classic account with the account's settings", async () => {
    const payload = await place({ ...FUTURES, ...LIMIT, account: "classic", qty: "0.01", takeProfit: { triggerPrice: "80000" } });
    expect(payload).toMatchObject({ outcome: "ACCEPTED", order: { takeProfit: { triggerPrice: "80000" } } });
    expect(sentBy(payload)).toEqual({
      endpoint: "classicPlaceFuturesOrder",
      symbol: "BTCUSDT",
      productType: "USDT-FUTURES",
      marginMode: "crossed",
      marginCoin: "USDT",
      clientOid: payload.clientOid,
      side: "buy",
      orderType: "limit",
      price: "60000",
      size: "0.01",
      presetStopSurplusPrice: "80000",
    });
  });

  it("attaches take-profit and stop-loss with each API version's parameters", async () => {
    const tpsl = { takeProfit: { triggerPrice: "80000" }, stopLoss: { triggerPrice: "50000", limitPrice: "49000" } };
    const unified = await place({ ...FUTURES, ...LIMIT, account: "main", qty: "0.01", ...tpsl });
    const classic = await place({ ...SPOT, ...LIMIT, account: "classic", qty: "0.001", ...tpsl });
    expect(sentBy(unified)).toMatchObject({
      takeProfit: "80000",
      tpOrderType: "market",
      stopLoss: "50000",
      slOrderType: "limit",
      slLimitPrice: "49000",
    });
    expect(sentBy(classic)).toMatchObject({
      presetTakeProfitPrice: "80000",
      presetStopLossPrice: "50000",
      executeStopLossPrice: "49000",
    });
  });

  it("lets a Classic spot order wait for a trigger price, without a clientOid", async () => {
    const waiting = { ...SPOT, ...LIMIT, qty: "0.001", triggerPrice: "61000" };
    const payload = await place({ ...waiting, account: "classic" });
    expect(payload.outcome).toBe("ACCEPTED");
    expect(sentBy(payload)).toMatchObject({ tpslType: "tpsl", triggerPrice: "61000" });
    expect(sentBy(payload)).not.toHaveProperty("clientOid");
    const named = await place({ ...waiting, account: "classic", clientOid: "mine" });
    const message = "clientOid must not be given for an order that waits for a trigger price";
    expect(named.userErrors).toMatchObject([{ code: "BAD_USER_INPUT", field: ["clientOid"], message }]);
    const unified = await place({ ...waiting, account: "main" });
    expect(unified.userErrors).toMatchObject([{ code: "ACCOUNT_MODE_MISMATCH", field: ["triggerPrice"] }]);
  });

  it("sends the receive window with its reference time, and refuses one where it is not supported", async () => {
    const guarded = { ...LIMIT, receiveWindow: 5_000 };
    const spot = sentBy(await place({ ...SPOT, ...guarded, account: "classic", qty: "0.001" }));
    expect(spot.receiveWindow).toBe(5_000);
    expect(Math.abs(Number(spot.requestTime) - live.now())).toBeLessThan(1_000);
    const futures = await place({ ...FUTURES, ...guarded, account: "classic", qty: "0.01" });
    expect(futures.userErrors).toMatchObject([{ code: "ACCOUNT_MODE_MISMATCH", field: ["receiveWindow"] }]);
  });

  it("has no margin mode on SPOT, for any account", async () => {
    const isolated = { ...SPOT, ...LIMIT, qty: "0.001", marginMode: w("ISOLATED") };
    const payloads = [await place({ ...isolated, account: "main" }), await place({ ...isolated, account: "classic" })];
    expect(payloads).toMatchObject([
      { outcome: "REJECTED", journalEntry: null, userErrors: [{ code: "BAD_USER_INPUT", field: ["marginMode"] }] },
      { outcome: "REJECTED", journalEntry: null, userErrors: [{ code: "ACCOUNT_MODE_MISMATCH", field: ["marginMode"] }] },
    ]);
  });

  it.each([
    ["main", "SPOT"],
    ["main", "MARGIN"],
    ["classic", "SPOT"],
  ])("has no side of a position on %s in %s", async (account, category) => {
    const order = { ...SPOT, ...LIMIT, account, category: w(category), qty: "0.001", posSide: w("LONG") };
    const message = `posSide must not be given on ${category}, which has no positions`;
    const payload = await place(order);
    expect(payload).toMatchObject({ outcome: "REJECTED", journalEntry: null, userErrors: [{ field: ["posSide"], message }] });
  });

  it.each(["main", "classic"])(
    "has no time in force of a market order on %s, which the exchange would ignore",
    async (account) => {
      for (const market of [SPOT, FUTURES]) {
        const order = { ...market, account, side: w("SELL"), orderType: w("MARKET"), qty: "0.01", timeInForce: w("POST_ONLY") };
        const payload = await place(order);
        expect(payload).toMatchObject({ outcome: "REJECTED", journalEntry: null, userErrors: [{ field: ["timeInForce"] }] });
      }
    },
  );

  it("has no exits of an order that only closes a position on a unified account", async () => {
    const close = { ...FUTURES, ...LIMIT, account: "main", qty: "0.01", reduceOnly: true, stopLoss: { triggerPrice: "50000" } };
    const message = "stopLoss must not be given for an order that only closes a position";
    expect(await place(close)).toMatchObject({ outcome: "REJECTED", journalEntry: null, userErrors: [{ message }] });
  });

  it("takes a symbol in any case and names it as the exchange does", async () => {
    const payload = await place({ ...SPOT, ...LIMIT, account: "main", symbol: "btcusdt", qty: "0.001" });
    expect(sentBy(payload).symbol).toBe("BTCUSDT");
  });

  it("returns the exchange's rejections with their codes", async () => {
    const payload = await place({ ...SPOT, ...LIMIT, account: "classic", qty: "9000" });
    expect(payload).toMatchObject({
      outcome: "REJECTED",
      orderId: null,
      order: null,
      userErrors: [{ code: "INSUFFICIENT_BALANCE", exchange: { code: "43012" }, isRetryable: false }],
      journalEntry: { status: "REJECTED" },
    });
  });
});

describe("modifyOrder", () => {
  it("changes a unified order in place", async () => {
    const { orderId } = await place({ ...SPOT, ...LIMIT, account: "main", qty: "0.001" });
    const changed = await mutate(
      live,
      "modifyOrder",
      { account: "main", category: w("SPOT"), symbol: "BTCUSDT", by: { orderId }, qty: "0.002", autoCancel: true },
      ORDER,
    );
    expect(changed).toMatchObject({ outcome: "ACCEPTED", orderId, order: { qty: "0.002", price: "60000" } });
    expect(sentBy(changed)).toMatchObject({ endpoint: "modifyOrder", autoCancel: "yes" });
  });

  it.each([
    ["SPOT", "BTCUSDT", "0.001", "0.002", "classicReplaceSpotOrder"],
    ["USDT_FUTURES", "BTCUSDT", "0.01", "0.02", "classicModifyFuturesOrder"],
  ])("puts a new order in a Classic one's place on %s", async (category, symbol, qty, newQty, endpoint) => {
    const market = { account: "classic", category: w(category), symbol };
    const { orderId } = await place({ ...market, ...LIMIT, side: w("BUY"), qty });
    const changed = await mutate(live, "modifyOrder", { ...market, by: { orderId }, qty: newQty, price: "61000" }, ORDER);
    expect(changed).toMatchObject({ outcome: "ACCEPTED", order: { status: "NEW" } });
    expect(changed.orderId).not.toBe(orderId);
    expect(changed.clientOid).toBe(sentBy(changed).newClientOid);
    expect(sentBy(changed).endpoint).toBe(endpoint);
  });

  it.each([
    ["orderId", {}, { takeProfit: "80000", stopLoss: "40000", stopLossLimit: "39900" }],
    ["clientOid", { stopLoss: { triggerPrice: "41000" } }, { takeProfit: "80000", stopLoss: "41000" }],
    ["orderId", { takeProfit: { triggerPrice: "0" } }, { stopLoss: "40000", stopLossLimit: "39900" }],
    ["clientOid", { takeProfit: { triggerPrice: "0" }, stopLoss: { triggerPrice: "0.0" } }, {}],
  ])("keeps the exits of a Classic spot order that do not change: by %s, %o", async (name, exits, kept) => {
    const market = { account: "classic", category: w("SPOT"), symbol: "BTCUSDT" };
    const stopLoss = { triggerPrice: "40000", limitPrice: "39900" };
    const order = { ...market, ...LIMIT, side: w("BUY"), qty: "0.001", takeProfit: { triggerPrice: "80000" }, stopLoss };
    const { orderId, clientOid } = await place(order);
    const by = name === "orderId" ? { orderId } : { clientOid };
    const changed = await mutate(live, "modifyOrder", { ...market, by, qty: "0.002", price: "61000", ...exits }, ORDER);
    expect(changed.outcome).toBe("ACCEPTED");
    const { presetTakeProfitPrice, presetStopLossPrice, executeStopLossPrice } = sentBy(changed);
    expect({
      takeProfit: presetTakeProfitPrice,
      stopLoss: presetStopLossPrice,
      stopLossLimit: executeStopLossPrice,
    }).toEqual(kept);
  });

  it("requires both numbers on Classic spot, and refuses autoCancel on Classic", async () => {
    const market = { account: "classic", category: w("SPOT"), symbol: "BTCUSDT", by: { orderId: "1" } };
    const half = await mutate(live, "modifyOrder", { ...market, qty: "0.002" });
    expect(half.userErrors).toMatchObject([{ field: ["price"], code: "BAD_USER_INPUT" }]);
    const auto = await mutate(live, "modifyOrder", { ...market, qty: "0.002", price: "61000", autoCancel: true });
    expect(auto.userErrors).toMatchObject([{ field: ["autoCancel"], code: "ACCOUNT_MODE_MISMATCH" }]);
  });

  it.each([
    ["main", "SPOT", { qty: "0.00001" }, "qty must be worth at least 1 USDT at this price; the nearest is 0.000017"],
    ["main", "USDT_FUTURES", { qty: "1200.1" }, "qty must be at most 1200; the nearest is 1200"],
    ["classic", "SPOT", { qty: "0.00001" }, "qty must be worth at least 1 USDT at this price; the nearest is 0.000017"],
    ["classic", "USDT_FUTURES", { qty: "1200.1" }, "qty must be at most 1200; the nearest is 1200"],
    ["classic", "USDT_FUTURES", { qty: "0.00005" }, "qty must be a multiple of 0.0001; the nearest is 0.0001"],
  ])("keeps to the symbol's rules on %s: %s %o", async (account, category, numbers, message) => {
    const change = { account, category: w(category), symbol: "BTCUSDT", by: { orderId: "1" }, price: "60000", ...numbers };
    const broken = await mutate(live, "modifyOrder", change);
    expect(broken).toMatchObject({ outcome: "REJECTED", journalEntry: null, userErrors: [{ field: ["qty"], message }] });
  });

  it.each(ACCOUNTS)("that changes nothing is not sent on %s", async (account) => {
    const nothing = await mutate(live, "modifyOrder", { ...FUTURES, side: undefined, account, by: { orderId: "1" } });
    expect(nothing).toMatchObject({
      outcome: "REJECTED",
      journalEntry: null,
      userErrors: [{ code: "BAD_USER_INPUT", field: ["qty"] }],
    });
  });
});

describe("cancelOrder", () => {
  it.each([
    ["main", "SPOT", "0.001"],
    ["main", "USDT_FUTURES", "0.01"],
    ["classic", "SPOT", "0.001"],
    ["classic", "USDT_FUTURES", "0.01"],
  ])("cancels by either name on %s, %s", async (account, category, qty) => {
    const market = { account, category: w(category), symbol: "BTCUSDT" };
    const one = await place({ ...market, ...LIMIT, side: w("BUY"), qty });
    const other = await place({ ...market, ...LIMIT, side: w("BUY"), qty });
    const byId = await mutate(live, "cancelOrder", { ...market, by: { orderId: one.orderId } }, ORDER);
    const byName = await mutate(live, "cancelOrder", { ...market, by: { clientOid: other.clientOid } }, ORDER);
    for (const payload of [byId, byName]) expect(payload).toMatchObject({ outcome: "ACCEPTED", order: { status: "CANCELLED" } });
  });

  it("is sent without a read, because the account's mode is known", async () => {
    const { orderId } = await place({ ...SPOT, ...LIMIT, account: "main", qty: "0.001" });
    live.nextMinute();
    await mutate(live, "cancelOrder", { account: "main", category: w("SPOT"), by: { orderId } });
    expect(live.sandbox.calls.latest().map(({ endpoint }) => endpoint)).toEqual(["cancelOrder"]);
  });

  it("takes exactly one identifier, and names the path of a wrong one", async () => {
    const cancelBy = (by: Input) => mutate(live, "cancelOrder", { account: "main", category: w("SPOT"), by });
    await expect(cancelBy({})).rejects.toThrow("exactly one key");
    await expect(cancelBy({ orderId: "1", clientOid: "a" })).rejects.toThrow("exactly one key");
    expect((await cancelBy({ clientOid: "with space" })).userErrors).toMatchObject([{ field: ["by", "clientOid"] }]);
  });
});

describe("a Classic spot order that waits for its trigger", () => {
  const WAITING = "id orderId account { name } category tpslType triggerPrice price qty side status";
  const spot = { ...SPOT, ...LIMIT, account: "classic", qty: "0.001", triggerPrice: "61000" };
  const list = (of: string) =>
    live.run(`{ account(name: "classic") { list: ${of} { nodes { ${WAITING} } } } }`).then(({ data, errors }) => {
      expect(errors).toEqual([]);
      return data.account.list.nodes;
    });

  it("is in its payload, its list, its look-up and under its identifier, and is cancelled", async () => {
    const { orderId, order } = await place(spot, `orderId order { ${WAITING} }`);
    expect(order).toMatchObject({
      ...{ orderId, account: { name: "classic" }, category: "SPOT", tpslType: "TPSL", status: "NEW" },
      ...{ triggerPrice: "61000", price: "60000", qty: "0.001", side: "BUY" },
    });
    live.nextMinute();
    for (const of of ["openOrders", "openOrders(category: SPOT)", "openOrders(tpslType: TPSL)"])
      expect(await list(of)).toContainEqual(order);
    expect(await list("openOrders(tpslType: NORMAL)")).not.toContainEqual(order);
    live.nextMinute();
    const found = `query ($orderId: String!, $id: ID!) {
      account(name: "classic") { order(by: { orderId: $orderId }, category: SPOT) { ${WAITING} } }
      node(id: $id) { ... on Order { ${WAITING} } }
    }`;
    const { data } = await live.run(found, order);
    expect(data).toEqual({ account: { order }, node: order });
    const input = { account: "classic", category: w("SPOT"), by: { orderId }, kind: w("PLAN_ORDER") };
    const cancelled = await mutate(live, "cancelOrder", input, `order { ${WAITING} }`);
    expect(cancelled).toMatchObject({ outcome: "ACCEPTED", order: { ...order, status: "CANCELLED" } });
    live.nextMinute();
    expect(await list("orderHistory(category: SPOT)")).toContainEqual(cancelled.order);
    expect(await list("openOrders")).not.toContainEqual(expect.objectContaining({ orderId }));
    live.nextMinute();
    expect((await live.run(found, order)).data).toEqual({ account: { order: cancelled.order }, node: cancelled.order });
  });

  it("costs two calls if it is in the payload, and one otherwise", async () => {
    const join = async (input: Input) => {
      live.nextMinute();
      await place(input, "order { orderId }");
      return live.sandbox.calls
        .latest()
        .map(({ endpoint }) => endpoint)
        .filter((name) => /SpotOrderInfo|SpotOpenOrders|SpotOrderHistory/.test(name));
    };
    expect(await join(spot)).toEqual(["classicSpotOpenOrders"]);
    expect(await join({ ...spot, triggerPrice: undefined })).toEqual(["classicSpotOrderInfo"]);
  });
});

describe("placeTpslOrder", () => {
  const plan = (account: string, planType: string, more: Input) =>
    mutate(
      live,
      "placeTpslOrder",
      { account, category: w("USDT_FUTURES"), symbol: "SOLUSDT", planType: w(planType), posSide: w("LONG"), ...more },
      "orderId clientOid planOrder { id orderId clientOid status symbol account { name } takeProfit { triggerPrice } stopLoss { triggerPrice } }",
    );
  beforeAll(async () => {
    for (const account of ACCOUNTS) {
      live.nextMinute();
      const market = { account, category: w("USDT_FUTURES"), symbol: "SOLUSDT", posSide: w("LONG") };
      await place({ ...market, side: w("BUY"), orderType: w("MARKET"), qty: "5" });
    }
  });

  it("takes the demo twin of a category on a Classic account, and refuses it on a unified one", async () => {
    const twin = { category: w("SUSDT_FUTURES"), triggerPrice: "900", qty: "1" };
    const placed = await plan("classic", "PROFIT_PLAN", twin);
    expect([placed.outcome, placed.userErrors]).toEqual(["ACCEPTED", []]);
    expect(sentBy(placed)).toMatchObject({ endpoint: "placeTpslOrder", productType: "SUSDT-FUTURES", marginCoin: "USDT" });
    const refused = await plan("main", "PROFIT_PLAN", twin);
    expect([
      refused.outcome,
      refused.userErrors.map(({ code, field }: { code: string; field: readonly string[] }) => [code, field.join(".")]),
    ]).toEqual(["REJECTED", [["ACCOUNT_MODE_MISMATCH", "category"]]]);
  });

  it.each([
    ["classic", "PROFIT_PLAN", { triggerPrice: "900", qty: "1" }, { planType: "profit_plan", size: "1" }],
    ["classic", "LOSS_PLAN", { triggerPrice: "50", qty: "1", executePrice: "49" }, { planType: "loss_plan", executePrice: "49" }],
    [
      "classic",
      "MOVING_PLAN",
      { triggerPrice: "900", qty: "1", callbackRate: "0.02" },
      { planType: "moving_plan", rangeRate: "2" },
    ],
    [
      "classic",
      "POS_PROFIT",
      { triggerPrice: "900", triggerBy: w("MARK") },
      { planType: "pos_profit", triggerType: "mark_price" },
    ],
    ["classic", "POS_LOSS", { triggerPrice: "50" }, { planType: "pos_loss" }],
    ["main", "PROFIT_PLAN", { triggerPrice: "900", qty: "1" }, { takeProfit: "900", tpslMode: "partial", qty: "1" }],
    ["main", "LOSS_PLAN", { triggerPrice: "50", qty: "1", executePrice: "49" }, { stopLoss: "50", slLimitPrice: "49" }],
    ["main", "POS_PROFIT", { triggerPrice: "900" }, { takeProfit: "900", tpslMode: "full" }],
    ["main", "POS_LOSS", { triggerPrice: "50", triggerBy: w("MARK") }, { stopLoss: "50", slTriggerBy: "mark" }],
  ])("on %s places %s", async (account, planType, more, wire) => {
    const payload = await plan(account, planType, more);
    expect(payload).toMatchObject({ outcome: "ACCEPTED", orderId: expect.any(String), clientOid: expect.any(String) });
    expect(sentBy(payload)).toMatchObject(wire);
    const { orderId, clientOid, planOrder } = payload;
    expect(planOrder).toMatchObject({ orderId, clientOid, status: "LIVE", symbol: "SOLUSDT", account: { name: account } });
    if (planType.endsWith("PROFIT_PLAN") || planType === "POS_PROFIT")
      expect(planOrder.takeProfit).toEqual({ triggerPrice: "900" });
    if (planType.endsWith("LOSS_PLAN") || planType === "POS_LOSS") expect(planOrder.stopLoss).toEqual({ triggerPrice: "50" });
    live.nextMinute();
    const again = await live.run("query ($id: ID!) { node(id: $id) { ... on PlanOrder { orderId } } }", planOrder);
    expect(again).toMatchObject({ errors: [], data: { node: { orderId } } });
  });

  it.each(ACCOUNTS)("can be cancelled on %s", async (account) => {
    const { orderId } = await plan(account, "LOSS_PLAN", { triggerPrice: "50", qty: "1" });
    const input = { account, category: w("USDT_FUTURES"), symbol: "SOLUSDT", by: { orderId }, kind: w("PLAN_ORDER") };
    expect(await mutate(live, "cancelOrder", input, "orderId")).toMatchObject({ outcome: "ACCEPTED", orderId });
    // The error may result from a request that was sent twice: the plan order is cancelled.
    expect((await mutate(live, "cancelOrder", input)).outcome).toBe("ACCEPTED");
    live.nextMinute();
    expect((await mutate(live, "cancelOrder", input)).outcome).toBe("REJECTED");
  });

  it.each(ACCOUNTS)("returns the current order for a replay, and none without a write, on %s", async (account) => {
    const once = { triggerPrice: "50", qty: "1", idempotencyKey: `once-${account}` };
    const { orderId, planOrder } = await plan(account, "LOSS_PLAN", once);
    expect(planOrder).toMatchObject({ orderId, status: "LIVE" });
    await mutate(live, "cancelOrder", {
      account,
      category: w("USDT_FUTURES"),
      symbol: "SOLUSDT",
      by: { orderId },
      kind: w("PLAN_ORDER"),
    });
    live.nextMinute();
    expect((await plan(account, "LOSS_PLAN", once)).planOrder).toMatchObject({ orderId, status: "CANCELLED" });
    expect((await plan(account, "LOSS_PLAN", { triggerPrice: "50", qty: "1", dryRun: true })).planOrder).toBeNull();
  });

  it.each([
    ["main", "USDT_FUTURES"],
    ["classic", "USDT_FUTURES"],
    ["classic", "SPOT"],
  ])("is ORDER_NOT_FOUND where there is none to cancel, on %s, %s", async (account, category) => {
    for (const name of [{ orderId: "12345" }, { clientOid: "nobody" }]) {
      const input = { account, category: w(category), symbol: "SOLUSDT", kind: w("PLAN_ORDER"), by: name };
      const payload = await mutate(live, "cancelOrder", input);
      expect(payload).toMatchObject({ outcome: "REJECTED", userErrors: [{ code: "ORDER_NOT_FOUND", isRetryable: false }] });
    }
  });

  it("reports that a unified account has no trailing stop", async () => {
    const payload = await plan("main", "MOVING_PLAN", { triggerPrice: "900", qty: "1" });
    expect(payload).toMatchObject({ outcome: "REJECTED", userErrors: [{ code: "ACCOUNT_MODE_MISMATCH", field: ["planType"] }] });
  });

  it.each([
    ["classic", "MOVING_PLAN", { triggerPrice: "900", qty: "1", callbackRate: "0.02", executePrice: "800" }, "executePrice"],
    ["classic", "MOVING_PLAN", { triggerPrice: "900", qty: "1" }, "callbackRate"],
    ["classic", "PROFIT_PLAN", { triggerPrice: "900" }, "qty"],
    ["classic", "LOSS_PLAN", { triggerPrice: "50", qty: "0" }, "qty"],
    ["main", "PROFIT_PLAN", { triggerPrice: "900" }, "qty"],
    ["main", "POS_PROFIT", { triggerPrice: "900.12345" }, "triggerPrice"],
    ["main", "POS_PROFIT", { triggerPrice: "900", qty: "1" }, "qty"],
    ["classic", "POS_LOSS", { triggerPrice: "50", qty: "1" }, "qty"],
    ["classic", "LOSS_PLAN", { triggerPrice: "50", qty: "1", callbackRate: "0.02" }, "callbackRate"],
  ])("on %s refuses %s %o", async (account, planType, more, field) => {
    const payload = await plan(account, planType, more);
    expect(payload).toMatchObject({
      outcome: "REJECTED",
      userErrors: [{ code: "BAD_USER_INPUT", field: [field] }],
      journalEntry: null,
    });
  });
});
