import { describe, expect, it } from "vitest";
import { type Input, mutate, w } from "./mutations/support/mutate.js";
import { sharedGraph } from "./support/sharedGraph.js";

/** The exchange lists symbols with non-ASCII letters. They are traded like all others. */

const live = sharedGraph({ hasPast: false });

const SYMBOL = "龙虾USDT";
const ask = async (document: string, variables?: Readonly<Record<string, unknown>>) => {
  const { data } = await live.while(live.answer(document, variables));
  return data;
};
const ACCEPTED = { outcome: "ACCEPTED", userErrors: [] };

describe("a symbol outside ASCII", () => {
  it.each(["SPOT", "USDT_FUTURES"])("is in every list of %s, in any letter case", async (category) => {
    for (const symbol of [SYMBOL, "龙虾usdt"]) {
      const about = `category: ${category}, symbol: "${symbol}"`;
      const data = await ask(`{
        instrument(${about}) { id symbol baseCoin }
        ticker(${about}) { symbol lastPrice }
        tickers(category: ${category}, symbols: ["${symbol}"]) { symbol }
        orderBook(${about}) { asks { price } bids { price } }
        candles(${about}, interval: HOUR_1, first: 3) { close }
        trades(${about}, first: 3) { price }
      }`);
      expect(data).toMatchObject({
        instrument: { symbol: SYMBOL, baseCoin: "龙虾" },
        ticker: { symbol: SYMBOL },
        tickers: [{ symbol: SYMBOL }],
      });
      expect(data.orderBook.asks.length).toBeGreaterThan(0);
      expect([data.candles.length, data.trades.length]).toEqual([3, 3]);
      const found = await ask("query ($id: ID!) { node(id: $id) { ... on Instrument { symbol } } }", { id: data.instrument.id });
      expect(found.node).toEqual({ symbol: SYMBOL });
      live.nextMinute();
    }
  });

  it("is found among the spot pairs, and has a fund flow", async () => {
    const data = await ask(
      `{ spotSymbol(symbol: "龙虾usdt") { id symbol } spotFundFlow(symbol: "${SYMBOL}") { whale { buyVolume } } }`,
    );
    expect(data.spotSymbol.symbol).toBe(SYMBOL);
    const found = await ask("query ($id: ID!) { node(id: $id) { ... on SpotSymbol { symbol } } }", { id: data.spotSymbol.id });
    expect(found.node).toEqual({ symbol: SYMBOL });
  });

  it.each(["main", "classic"])(
    "is bought on spot, looked up by its odd clientOid, and its coin is held, on %s",
    async (account) => {
      const about = { account, category: w("SPOT"), symbol: "龙虾usdt" };
      const order = { ...about, side: w("BUY"), orderType: w("LIMIT"), qty: "400", price: "0.028", clientOid: "a:b/1" };
      const placed = await mutate(live, "placeOrder", order, "orderId clientOid order { id symbol }");
      expect(placed).toMatchObject({ ...ACCEPTED, clientOid: "a:b/1", order: { symbol: SYMBOL } });
      const data = await ask(`{
      account(name: "${account}") {
        order(category: SPOT, symbol: "${SYMBOL}", by: { clientOid: "a:b/1" }) { orderId }
        openOrders(symbol: "${SYMBOL}") { nodes { orderId } }
      }
      node(id: "${placed.order.id}") { ... on Order { orderId } }
    }`);
      const { orderId } = placed;
      expect(data).toMatchObject({
        account: { order: { orderId }, openOrders: { nodes: [{ orderId }] } },
        node: { orderId },
      });
      const cancelled = await mutate(live, "cancelOrder", { ...about, by: { clientOid: "a:b/1" } });
      expect(cancelled).toMatchObject(ACCEPTED);
      const bought = await mutate(live, "placeOrder", { ...about, side: w("BUY"), orderType: w("MARKET"), quoteQty: "20" });
      expect(bought).toMatchObject(ACCEPTED);
      live.nextMinute();
      const after = await ask(`{ account(name: "${account}") {
      balances(coins: ["龙虾"]) { coin }
      orderHistory(category: SPOT, first: 1) { nodes { symbol } pageInfo { endCursor } }
      fills(category: SPOT, first: 1) { nodes { symbol } pageInfo { endCursor } }
    } }`);
      expect(after.account).toMatchObject({
        balances: [{ coin: "龙虾" }],
        orderHistory: { nodes: [{ symbol: SYMBOL }] },
        fills: { nodes: [{ symbol: SYMBOL }] },
      });
      live.nextMinute();
      const { endCursor } = after.account.orderHistory.pageInfo;
      const next = await ask(
        `{ account(name: "${account}") { orderHistory(category: SPOT, first: 1, after: "${endCursor}") { nodes { symbol } } } }`,
      );
      expect(next.account.orderHistory.nodes).toEqual([{ symbol: SYMBOL }]);
    },
  );

  it.each(["main", "classic"])("is opened, protected, given margin and closed as a position, on %s", async (account) => {
    const about = { account, category: w("USDT_FUTURES"), symbol: "龙虾usdt" };
    const write = async (name: string, input: Input, selection = "") => {
      const payload = await mutate(live, name, { ...about, ...input }, selection);
      expect(payload).toMatchObject(ACCEPTED);
      live.nextMinute();
      return payload;
    };
    const order = { side: w("BUY"), orderType: w("MARKET"), qty: "2000" };
    await write("setLeverage", { leverage: "5" });
    await write("placeOrder", { ...order, ...(account === "classic" ? { marginMode: w("ISOLATED") } : {}) });
    const held = () =>
      ask(
        `{ account(name: "${account}") { positions(category: USDT_FUTURES, symbol: "${SYMBOL}") { id symbol qty leverage } } }`,
      );
    const [position] = (await held()).account.positions;
    expect(position).toMatchObject({ symbol: SYMBOL, qty: "2000" });
    const found = await ask("query ($id: ID!) { node(id: $id) { ... on Position { symbol } } }", { id: position.id });
    expect(found.node).toEqual({ symbol: SYMBOL });
    if (account === "classic") {
      await write("adjustPositionMargin", { amount: "3", posSide: w("LONG") });
      const plan = { planType: w("POS_LOSS"), triggerPrice: "0.02", posSide: w("LONG"), clientOid: "p:1/" };
      await write("placeTpslOrder", plan);
      const plans = `planOrders(category: USDT_FUTURES, symbol: "${SYMBOL}") { nodes { symbol clientOid } }`;
      const { account: shown } = await ask(`{ account(name: "${account}") { ${plans} } }`);
      expect(shown.planOrders.nodes).toEqual([{ symbol: SYMBOL, clientOid: "p:1/" }]);
    }
    await write("placeOrder", { ...order, side: w("SELL"), reduceOnly: true });
    expect((await held()).account.positions).toEqual([]);
    const history = await ask(
      `{ account(name: "${account}") { positionHistory(category: USDT_FUTURES, first: 1) { nodes { id symbol } } } }`,
    );
    expect(history.account.positionHistory.nodes).toMatchObject([{ symbol: SYMBOL }]);
  });

  it("is refused by its own name where the exchange does not list it", async () => {
    const input = { category: w("SPOT"), symbol: "蝲蛄USDT", side: w("BUY"), orderType: w("LIMIT"), qty: "1", price: "1" };
    const payload = await mutate(live, "placeOrder", { ...input, account: "main" });
    expect(payload).toMatchObject({
      outcome: "REJECTED",
      userErrors: [{ field: ["symbol"], message: expect.stringContaining("there is no 蝲蛄USDT") }],
    });
  });
});
