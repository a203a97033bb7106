import { exact } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { AMOUNT, sharedGraph, TIME } from "./support/sharedGraph.js";
import { placeClassicFutures, placeClassicPlan, placeClassicSpot, placeUnified, placeUnifiedPlan } from "./support/trade.js";

const live = sharedGraph({ hasPast: false });

/** A price at which a buy rests in the book: a share of the last price, rounded to the tick size. */
async function below(category: string, symbol: string, share: string, decimals: number): Promise<string> {
  const { data } = await live.run(`{ ticker(category: ${category}, symbol: "${symbol}") { lastPrice } }`);
  live.nextMinute();
  return exact(data.ticker.lastPrice).times(share).round(decimals).toFixed();
}

const ORDER = `
  id account { name } orderId clientOid category categoryRaw symbol orderType side posSide holdMode tradeSide price qty quoteQty cumExecQty
  cumExecValue avgPrice timeInForce status statusRaw isReduceOnly fees { coin amount } stpMode cancelReason execType marginMode
  marginCoin leverage realisedPnl tpslType triggerPrice positionAvgPrice liquidationPrice delegateType orderSource enterPointSource createdTime updatedTime
  takeProfit { triggerPrice triggerBy orderType limitPrice } stopLoss { triggerPrice } instrument { symbol } ticker { symbol }`;

describe("an order that rests", () => {
  const placed = {
    main: async () =>
      placeUnified(live, {
        category: "SPOT",
        side: "buy",
        orderType: "limit",
        price: await below("SPOT", "BTCUSDT", "0.97", 0),
        qty: "0.001",
      }),
    classic: async () => placeClassicSpot(live, { side: "buy", price: await below("SPOT", "BTCUSDT", "0.97", 0), size: "0.001" }),
  };

  it.each(["main", "classic"] as const)("reads the same on both API versions: %s", async (name) => {
    const { orderId } = await placed[name]();
    const { data } = await live.answer(
      `query ($name: String, $orderId: String) { account(name: $name) {
        openOrders { nodes { ${ORDER} } }
        order(by: { orderId: $orderId }, category: SPOT) { ${ORDER} }
      } }`,
      { name, orderId },
    );
    const listed = data.account.openOrders.nodes.find((order: { orderId: string }) => order.orderId === orderId);
    expect(listed).toMatchObject({
      account: { name },
      category: "SPOT",
      symbol: "BTCUSDT",
      orderType: "LIMIT",
      side: "BUY",
      posSide: null,
      price: AMOUNT,
      cumExecQty: AMOUNT,
      avgPrice: null,
      // The Classic list of spot orders has no time in force.
      timeInForce: name === "main" ? "GTC" : null,
      status: "NEW",
      takeProfit: null,
      instrument: { symbol: "BTCUSDT" },
      ticker: { symbol: "BTCUSDT" },
      createdTime: TIME,
      updatedTime: TIME,
    });
    expect(exact(listed.qty).eq("0.001")).toBe(true);
    expect(data.account.order).toMatchObject({ id: listed.id, orderId, status: "NEW" });
  });
});

describe("a single order", () => {
  const FIND = `query ($name: String, $by: OrderIdentifier!, $category: ProductCategoryInput, $symbol: String) {
    account(name: $name) { order(by: $by, category: $category, symbol: $symbol) { orderId clientOid } }
  }`;

  it("is found by the client's own identifier on both API versions", async () => {
    const price = await below("SPOT", "BTCUSDT", "0.97", 0);
    await placeUnified(live, { category: "SPOT", side: "buy", orderType: "limit", price, qty: "0.001", clientOid: "mine-1" });
    await placeClassicSpot(live, { side: "buy", price, size: "0.001", clientOid: "mine-2" });
    const unified = await live.run(FIND, { name: "main", by: { clientOid: "mine-1" } });
    const classic = await live.run(FIND, { name: "classic", by: { clientOid: "mine-2" }, category: "SPOT" });
    expect([unified.data.account.order.clientOid, classic.data.account.order.clientOid]).toEqual(["mine-1", "mine-2"]);
  });

  it("of another market is not found on either API version", async () => {
    const price = await below("SPOT", "BTCUSDT", "0.97", 0);
    await placeUnified(live, { category: "SPOT", side: "buy", orderType: "limit", price, qty: "0.001", clientOid: "theirs-1" });
    const found = async (market: object) =>
      (await live.run(FIND, { name: "main", by: { clientOid: "theirs-1" }, ...market })).data.account.order !== null;
    expect([await found({ symbol: "btcusdt" }), await found({ category: "SPOT" })]).toEqual([true, true]);
    expect([await found({ symbol: "ETHUSDT" }), await found({ category: "MARGIN" })]).toEqual([false, false]);
    await placeClassicSpot(live, { side: "buy", price, size: "0.001", clientOid: "theirs-2" });
    const elsewhere = { name: "classic", by: { clientOid: "theirs-2" }, category: "SPOT", symbol: "ETHUSDT" };
    expect((await live.run(FIND, elsewhere)).data.account.order).toBe(null);
  });

  it("is refused before anything is sent when its identifier is none", async () => {
    await live.run("{ accounts { mode } }");
    live.sandbox.calls.clear();
    const { errors } = await live.run(FIND, { name: "main", by: { clientOid: "with space" } });
    const message = "clientOid must be text of 1 to 32 letters, digits and . : / _ -";
    expect(errors.map((error) => [error.message, error.extensions.code])).toEqual([[message, "BAD_USER_INPUT"]]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});

describe("a position", () => {
  const open = {
    main: () => placeUnified(live, { symbol: "XRPUSDT", side: "buy", qty: "100" }),
    classic: () => placeClassicFutures(live, { symbol: "XRPUSDT", side: "buy", size: "100" }),
  };
  const close = {
    main: () => placeUnified(live, { symbol: "XRPUSDT", side: "sell", qty: "100", reduceOnly: "yes" }),
    classic: () => placeClassicFutures(live, { symbol: "XRPUSDT", side: "sell", size: "100", reduceOnly: "YES" }),
  };

  it.each(["main", "classic"] as const)("is followed from its opening to the history: %s", async (name) => {
    const { orderId } = await open[name]();
    live.nextMinute();
    const opened = await live.run(
      `query ($name: String, $orderId: String) { account(name: $name) {
        positions(category: USDT_FUTURES, symbol: "xrpusdt") {
          id account { name } category categoryRaw symbol marginCoin holdMode posSide marginMode qty availableQty frozenQty margin
          leverage avgPrice markPrice breakEvenPrice liquidationPrice unrealisedPnl profitRate realisedPnl maintenanceMarginRate totalFunding
          openFee closeFee cashDividend status openOrderQty marginRatio assetMode hasAutoMargin createdTime
          updatedTime notional takeProfit { triggerPrice planOrderId } stopLoss { triggerPrice }
          instrument { symbol category } ticker { symbol category }
        }
        orderHistory(category: USDT_FUTURES) { nodes { ${ORDER} } }
        fills(category: USDT_FUTURES, orderId: $orderId) { nodes {
          account { name } execId execLinkId orderId clientOid category symbol orderType side posSide holdMode tradeSide price qty
          value tradeScope fees { coin amount } realisedPnl isRPI enterPointSource createdTime updatedTime ticker { symbol }
        } }
      } }`,
      { name, orderId },
    );
    expect(opened.errors).toEqual([]);
    expect(opened.calls.filter((call) => call === "tickers" || call === "instruments").length).toBeLessThanOrEqual(2);
    const { positions, orderHistory, fills } = opened.data.account;
    expect(positions).toHaveLength(1);
    const [position] = positions;
    expect(position).toMatchObject({
      account: { name },
      category: "USDT_FUTURES",
      categoryRaw: "USDT-FUTURES",
      symbol: "XRPUSDT",
      marginCoin: "USDT",
      holdMode: "ONE_WAY_MODE",
      posSide: "LONG",
      marginMode: "CROSSED",
      avgPrice: AMOUNT,
      markPrice: AMOUNT,
      instrument: { symbol: "XRPUSDT", category: "USDT_FUTURES" },
      ticker: { symbol: "XRPUSDT", category: "USDT_FUTURES" },
    });
    const rate = exact(position.unrealisedPnl).div(exact(position.margin));
    // The exchange rounds it to eight places on a unified account.
    expect(rate.minus(position.profitRate).abs().lt("0.00000001")).toBe(true);
    expect(position.hasAutoMargin).toBe(name === "classic" ? false : null);
    expect(opened.calls.filter((call) => call === "classicPositionsOfSymbol")).toHaveLength(name === "classic" ? 1 : 0);
    expect(position.notional).toBe(exact(position.qty).times(position.markPrice).toFixed());
    const filled = orderHistory.nodes.find((order: { orderId: string }) => order.orderId === orderId);
    expect(filled).toMatchObject({
      category: "USDT_FUTURES",
      side: "BUY",
      orderType: "MARKET",
      status: "FILLED",
      price: null,
      avgPrice: AMOUNT,
    });
    expect(exact(filled.fees[0].amount).gt("0")).toBe(true);
    const quantity = fills.nodes.reduce((sum: ReturnType<typeof exact>, fill: { qty: string }) => sum.plus(fill.qty), exact("0"));
    expect(quantity.eq("100")).toBe(true);
    for (const fill of fills.nodes)
      expect(fill).toMatchObject({ orderId, category: "USDT_FUTURES", side: "BUY", tradeScope: "TAKER" });

    const again = await live.run("query ($id: ID!) { node(id: $id) { ... on Position { id symbol posSide } } }", position);
    expect(again.data.node).toEqual({ id: position.id, symbol: "XRPUSDT", posSide: "LONG" });

    live.nextMinute();
    await close[name]();
    live.nextMinute();
    const closed = await live.run(
      `query ($name: String) { account(name: $name) {
        positions(category: USDT_FUTURES, symbol: "XRPUSDT") { id }
        positionHistory(category: USDT_FUTURES, symbol: "XRPUSDT", first: 1) { nodes {
          id account { name } positionId category symbol marginCoin holdMode posSide marginMode avgPrice avgClosePrice openedQty
          closedQty realisedPnl netProfit totalFunding openFee closeFee cashDividend createdTime updatedTime
          instrument { symbol }
        } }
      } }`,
      { name },
    );
    expect(closed.errors).toEqual([]);
    expect(closed.data.account.positions).toEqual([]);
    const [history] = closed.data.account.positionHistory.nodes;
    expect(history).toMatchObject({
      account: { name },
      category: "USDT_FUTURES",
      posSide: "LONG",
      instrument: { symbol: "XRPUSDT" },
    });
    expect(exact(history.closedQty).eq("100")).toBe(true);
    const net = exact(history.realisedPnl).plus(history.totalFunding).minus(history.openFee).minus(history.closeFee);
    expect(net.eq(history.netProfit)).toBe(true);
    expect(exact(history.openFee).gt("0")).toBe(true);

    live.nextMinute();
    const found = await live.run("query ($id: ID!) { node(id: $id) { ... on HistoricalPosition { id positionId } } }", history);
    expect(found.errors).toEqual([]);
    expect(found.data.node).toEqual({ id: history.id, positionId: history.positionId });
  });
});

describe("plan orders", () => {
  it("show the prices of a stop-loss under the same fields on both API versions", async () => {
    await placeUnified(live, { symbol: "XRPUSDT", side: "buy", qty: "100" });
    await placeClassicFutures(live, { symbol: "XRPUSDT", side: "buy", size: "100" });
    const stop = await below("USDT_FUTURES", "XRPUSDT", "0.9", 4);
    const unified = await placeUnifiedPlan(live, {
      symbol: "XRPUSDT",
      posSide: "long",
      tpslMode: "full",
      stopLoss: stop,
      slTriggerBy: "mark",
    });
    const classic = await placeClassicPlan(live, {
      symbol: "XRPUSDT",
      planType: "pos_loss",
      triggerPrice: stop,
      holdSide: "buy",
      size: "",
    });
    live.nextMinute();
    const PLANS = `query ($name: String) { account(name: $name) { planOrders(category: USDT_FUTURES, symbol: "XRPUSDT") { nodes {
      orderId clientOid category symbol planType planTypeRaw status side posSide holdMode tradeSide orderType qty triggerPrice triggerBy
      executePrice callbackRate triggeredExit marginMode marginCoin orderSource enterPointSource createdTime updatedTime
      takeProfit { triggerPrice } stopLoss { triggerPrice triggerBy orderType limitPrice } instrument { symbol }
    } } } }`;
    for (const [name, { orderId }] of [
      ["main", unified],
      ["classic", classic],
    ] as const) {
      const { data, errors } = await live.run(PLANS, { name });
      expect(errors, name).toEqual([]);
      const plan = data.account.planOrders.nodes.find((one: { orderId: string }) => one.orderId === orderId);
      expect(plan, name).toMatchObject({
        category: "USDT_FUTURES",
        symbol: "XRPUSDT",
        status: "LIVE",
        takeProfit: null,
        stopLoss: { triggerBy: "MARK", orderType: "MARKET", limitPrice: null },
        instrument: { symbol: "XRPUSDT" },
      });
      expect(exact(plan.stopLoss.triggerPrice).eq(stop)).toBe(true);
    }
  });
});
