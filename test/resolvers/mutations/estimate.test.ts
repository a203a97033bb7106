import { exact } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { sharedGraph } from "../support/sharedGraph.js";
import { type Input, mutate, w } from "./support/mutate.js";

const live = sharedGraph({ hasPast: false });

const ESTIMATE = `estimate { price cost costCoin feeRate fee leverage margin required requiredCoin available isAffordable
  maxQty maxQuoteQty }`;
const dry = (more: Input) =>
  mutate(
    live,
    "placeOrder",
    { symbol: "BTCUSDT", side: w("BUY"), orderType: w("LIMIT"), price: "60000", dryRun: true, ...more },
    ESTIMATE,
  );
const times = (one: string, other: string) => exact(one).times(other);

describe("a dry run of an order", () => {
  it.each(["main", "classic"])("shows on %s a spot order's cost, requirement and maximum quantity", async (account) => {
    const { outcome, userErrors, estimate } = await dry({ account, category: w("SPOT"), qty: "0.001" });
    expect([outcome, userErrors]).toEqual([null, []]);
    expect(estimate).toMatchObject({ price: "60000", cost: "60", costCoin: "USDT", required: "60", requiredCoin: "USDT" });
    expect(estimate).toMatchObject({ isAffordable: true, leverage: null, margin: null });
    expect(times(estimate.feeRate, "60").eq(estimate.fee)).toBe(true);
    expect(times(estimate.maxQty, "60000").lte(estimate.available)).toBe(true);
    expect(times(estimate.maxQty, "60001").plus("60001").gt(estimate.available)).toBe(true);
  });

  it.each(["main", "classic"])("is refused on %s if the balance is insufficient, with the figures", async (account) => {
    const bought = await dry({ account, category: w("SPOT"), qty: "900" });
    const { available, maxQty } = bought.estimate;
    expect(bought).toMatchObject({
      outcome: "REJECTED",
      estimate: { required: "54000000", isAffordable: false },
      userErrors: [
        {
          code: "INSUFFICIENT_BALANCE",
          field: ["qty"],
          message: `this needs 54000000 USDT, and ${available} are available; the most is ${maxQty} in base coin`,
        },
      ],
    });
    const sold = await dry({ account, category: w("SPOT"), side: w("SELL"), price: "200000", qty: "900" });
    expect(sold.userErrors[0].code).toMatch(/INSUFFICIENT_BALANCE|BAD_USER_INPUT/);
  });

  it.each(["main", "classic"])("shows on %s the margin that a futures order requires", async (account) => {
    await mutate(live, "setLeverage", { account, category: w("USDT_FUTURES"), symbol: "BTCUSDT", leverage: "20" });
    const { userErrors, estimate } = await dry({ account, category: w("USDT_FUTURES"), qty: "0.01" });
    expect(userErrors).toEqual([]);
    expect(estimate).toMatchObject({ cost: "600", costCoin: "USDT", requiredCoin: "USDT", isAffordable: true });
    const { leverage, margin, fee, required, available, maxQty } = estimate;
    expect(times(margin, leverage).minus("600").abs().lt("0.001")).toBe(true);
    expect(exact(margin).plus(fee).minus(required).abs().lt("0.000001")).toBe(true);
    expect(exact(available).gt("0") && exact(maxQty).gt("0")).toBe(true);
    const most = await dry({ account, category: w("USDT_FUTURES"), qty: maxQty });
    expect(most.userErrors).toEqual([]);
  });

  it("includes the borrowable amount on MARGIN, and uses the coin itself on COIN_FUTURES", async () => {
    const margin = await dry({ account: "main", category: w("MARGIN"), qty: "0.001" });
    expect(margin).toMatchObject({ outcome: null, estimate: { required: "60", requiredCoin: "USDT" } });
    const coin = await dry({ account: "main", category: w("COIN_FUTURES"), symbol: "BTCUSD", qty: "0.01" });
    expect(coin).toMatchObject({ estimate: { costCoin: "USD", requiredCoin: "BTC" } });
  });

  it("spends quote coin with a market buy, and says how much it could", async () => {
    const { estimate } = await dry({
      ...{ account: "main", category: w("SPOT"), orderType: w("MARKET"), price: undefined, quoteQty: "50" },
    });
    expect(estimate).toMatchObject({ cost: "50", required: "50", isAffordable: true });
    expect(exact(estimate.maxQuoteQty).lte(estimate.available)).toBe(true);
  });

  it("is not estimated if it is sent", async () => {
    const sent = await dry({ account: "main", category: w("SPOT"), qty: "0.001", dryRun: false });
    expect(sent).toMatchObject({ outcome: "ACCEPTED", estimate: null });
  });

  it("uses the position's leverage if the account never set one, and does not guess", async () => {
    const order = { account: "main", category: w("USDT_FUTURES"), symbol: "ETHUSDT", qty: "0.1", price: "3000" };
    expect((await dry(order)).estimate).toMatchObject({ leverage: null, margin: null, required: null, isAffordable: null });
    const market = { ...order, orderType: w("MARKET"), price: undefined };
    expect(await dry({ ...market, dryRun: false })).toMatchObject({ outcome: "ACCEPTED" });
    const { leverage, margin } = (await dry(order)).estimate;
    expect(times(margin, leverage).minus("300").abs().lt("0.001")).toBe(true);
    await dry({ ...market, side: w("SELL"), reduceOnly: true, dryRun: false });
  });
});

describe("a dry run of a change", () => {
  const change = (more: Input) =>
    mutate(live, "modifyOrder", { category: w("SPOT"), symbol: "BTCUSDT", dryRun: true, ...more }, ESTIMATE);

  it.each(["main", "classic"])("shows on %s the requirement beyond the order's reserved funds", async (account) => {
    const clientOid = `estimated-${account}`;
    const order = { account, category: w("SPOT"), qty: "0.001", clientOid };
    const before = (await dry(order)).estimate;
    await dry({ ...order, dryRun: false });
    const { estimate, userErrors } = await change({ account, by: { clientOid }, qty: "0.003", price: "50000" });
    expect(userErrors).toEqual([]);
    expect(estimate).toMatchObject({ price: "50000", cost: "150", costCoin: "USDT", required: "90", isAffordable: true });
    expect(times(before.available, "1").minus(estimate.available).eq("60")).toBe(true);
    expect(times(estimate.maxQty, "50000").lte(exact(estimate.available).plus("60"))).toBe(true);
    expect((await change({ account, by: { clientOid }, qty: "0.0005", price: "60000" })).estimate.required).toBe("0");
    const tooMuch = await change({ account, by: { clientOid }, qty: "900", price: "60000" });
    expect(tooMuch).toMatchObject({ outcome: "REJECTED", userErrors: [{ code: "INSUFFICIENT_BALANCE", field: ["qty"] }] });
    expect((await change({ account, by: { clientOid: "nobody" }, qty: "0.001", price: "60000" })).estimate).toBeNull();
  });

  it("covers on a Classic account the whole quantity of the order that replaces a partly filled one", async () => {
    const bid = (await live.run(`{ ticker(category: SPOT, symbol: "BTCUSDT") { bid1Price } }`)).data.ticker.bid1Price;
    const terms = { category: w("SPOT"), qty: "0.003", price: bid, dryRun: false };
    expect(await dry({ ...terms, account: "classic", clientOid: "partly" })).toMatchObject({ outcome: "ACCEPTED" });
    const sells = { ...terms, account: "main", side: w("SELL"), qty: "0.001", timeInForce: w("IOC") };
    expect(await dry(sells)).toMatchObject({ outcome: "ACCEPTED" });
    const { estimate } = await change({ account: "classic", by: { clientOid: "partly" }, qty: "0.003", price: "50000" });
    expect(estimate).toMatchObject({ price: "50000", cost: "150" });
  });

  it.each(["main", "classic"])("counts on %s the margin that a futures order adds", async (account) => {
    const futures = { account, category: w("USDT_FUTURES") };
    const clientOid = `futures-${account}`;
    await mutate(live, "setLeverage", { account, category: w("USDT_FUTURES"), symbol: "BTCUSDT", leverage: "20" });
    const placed = (await dry({ ...futures, clientOid, qty: "0.01" })).estimate;
    expect(await dry({ ...futures, clientOid, qty: "0.01", dryRun: false })).toMatchObject({ outcome: "ACCEPTED" });
    const { estimate } = await change({ ...futures, by: { clientOid }, qty: "0.03", price: "60000" });
    expect(times(placed.required, "2").minus(estimate.required).abs().lt("0.000001")).toBe(true);
    expect(times(placed.margin, "3").minus(estimate.margin).abs().lt("0.000001")).toBe(true);
  });
});

describe("a dry run of a take-profit or stop-loss", () => {
  it.each(["main", "classic"])("shows on %s the cost of closing a part and the whole", async (account) => {
    const position = { account, category: w("USDT_FUTURES"), symbol: "BTCUSDT" };
    await dry({ ...position, orderType: w("MARKET"), price: undefined, qty: "0.02", dryRun: false });
    const tpsl = (more: Input) =>
      mutate(
        live,
        "placeTpslOrder",
        { ...position, posSide: w("LONG"), triggerPrice: "200000", dryRun: true, ...more },
        ESTIMATE,
      );
    const part = await tpsl({ planType: w("PROFIT_PLAN"), qty: "0.01" });
    expect(part.userErrors).toEqual([]);
    expect(part.estimate).toMatchObject({ price: "200000", cost: "2000", margin: "0", required: "0", maxQty: "0.02" });
    expect(times(part.estimate.feeRate, "2000").eq(part.estimate.fee)).toBe(true);
    const whole = await tpsl({ planType: w("POS_PROFIT"), executePrice: "190000" });
    expect(whole.estimate).toMatchObject({ price: "190000", cost: "3800", isAffordable: true });
    expect((await tpsl({ planType: w("POS_LOSS"), posSide: w("SHORT") })).estimate).toBeNull();
  });
});

describe.each(["main", "classic"])("a dry run of a batch on %s", (account) => {
  const TOTAL = `estimate { isAffordable maxFactor funds { cost costCoin fee margin required requiredCoin available isAffordable } }
    orders { outcome ${ESTIMATE} userErrors { code message } }`;
  const limit = { symbol: "BTCUSDT", side: w("BUY"), orderType: w("LIMIT"), price: "60000" };
  const spot = { ...limit, category: w("SPOT") };
  const futures = { ...limit, category: w("USDT_FUTURES") };
  const batch = (orders: readonly Input[]) => mutate(live, "placeOrders", { account, orders, dryRun: true }, TOTAL);
  const sum = (orders: readonly { readonly estimate: Readonly<Record<string, string>> }[], name: string) =>
    orders.reduce((total, { estimate }) => total.plus(estimate[name] ?? "none"), exact("0")).toFixed();
  beforeEach(() => mutate(live, "setLeverage", { account, category: w("USDT_FUTURES"), symbol: "BTCUSDT", leverage: "20" }));

  it("sums what its orders cost, by the funds that they draw on", async () => {
    const { outcome, estimate, orders } = await batch([
      { ...spot, qty: "0.001" },
      { ...futures, qty: "0.01" },
      { ...spot, qty: "0.002", price: "59000" },
      { ...futures, qty: "0.02", price: "59000" },
    ]);
    expect(outcome).toBe(null);
    const [first, second, third, fourth] = orders;
    for (const [at, [one, other]] of [
      [first, third],
      [second, fourth],
    ].entries()) {
      const pair = [one, other];
      const { available, costCoin, requiredCoin } = one.estimate;
      expect(estimate.funds[at]).toEqual({
        ...{ available, costCoin, requiredCoin, isAffordable: true },
        ...Object.fromEntries(["cost", "fee", "required"].map((name) => [name, sum(pair, name)])),
        margin: at === 0 ? null : sum(pair, "margin"),
      });
    }
    expect(estimate.funds).toHaveLength(2);
    const [bought, opened] = estimate.funds;
    expect(estimate.isAffordable).toBe(true);
    const factors = [bought, opened].map(({ available, required }) => exact(available).div(required));
    for (const factor of factors) expect(factor.gte(estimate.maxFactor)).toBe(true);
    expect(factors.some((factor) => factor.minus(estimate.maxFactor).lt("0.00000001"))).toBe(true);
  });

  it("refuses the order that the orders before it leave too little for, though it could be placed alone", async () => {
    const { estimate: one } = await dry({ account, category: w("SPOT"), qty: "0.001" });
    const qty = exact(one.maxQty).times("0.6").round(4).toFixed();
    const { outcome, userErrors, estimate, orders } = await batch([
      { ...spot, qty },
      { ...spot, qty },
    ]);
    const left = exact(one.available).minus(times(qty, "60000")).toFixed();
    const message = `this needs ${times(qty, "60000").toFixed()} USDT, and the orders before it leave ${left}`;
    expect(orders.map((order: { readonly userErrors: unknown }) => order.userErrors)).toEqual([
      [],
      [{ code: "INSUFFICIENT_BALANCE", message }],
    ]);
    expect(orders.map((order: Input) => (order.estimate as Input).isAffordable)).toEqual([true, true]);
    expect([outcome, userErrors]).toMatchObject(["REJECTED", [{ code: "INSUFFICIENT_BALANCE", field: ["orders", "1", "qty"] }]]);
    expect(estimate).toMatchObject({ isAffordable: false, funds: [{ isAffordable: false }] });
    expect(exact(estimate.maxFactor).lt("1")).toBe(true);
  });

  it("closes a position with the first of two orders alone, and counts the second as opening", async () => {
    const eth = { ...futures, symbol: "ETHUSDT", price: "3000", qty: "0.2" };
    await mutate(live, "setLeverage", { account, category: eth.category, symbol: eth.symbol, leverage: "20" });
    const held = { ...eth, orderType: w("MARKET"), price: undefined, side: w("SELL") };
    expect(await mutate(live, "placeOrder", { account, ...held })).toMatchObject({ outcome: "ACCEPTED" });
    live.nextMinute();
    const { estimate, orders } = await batch([eth, eth]);
    expect(orders.map((order: Input) => (order.estimate as Input).margin)).toEqual(["0", "0"]);
    expect(estimate.funds).toMatchObject([{ cost: "1200", margin: "30" }]);
    // Twice the quantities require three times the margin.
    expect([estimate.isAffordable, estimate.maxFactor]).toEqual([true, null]);
    expect(await mutate(live, "placeOrder", { account, ...held, side: w("BUY") })).toMatchObject({ outcome: "ACCEPTED" });
  });

  it("has no total while an order breaks a rule, and outside of a dry run", async () => {
    expect(
      (
        await batch([
          { ...spot, qty: "-1" },
          { ...spot, qty: "0.001" },
        ])
      ).estimate,
    ).toBe(null);
    const sent = await mutate(live, "placeOrders", { account, orders: [{ ...spot, qty: "0.001" }] }, TOTAL);
    expect(sent).toMatchObject({ outcome: "ACCEPTED", estimate: null });
  });
});

it.each(["main", "classic"])(
  "the maximum quantity on %s includes what closes an opposite position, and is that of the position for a close",
  async (account) => {
    const futures = { account, category: w("USDT_FUTURES"), symbol: "BTCUSDT" };
    await mutate(live, "setLeverage", { ...futures, leverage: "20" });
    const held = { ...futures, orderType: w("MARKET"), qty: "0.5" };
    expect(await mutate(live, "placeOrder", { ...held, side: w("BUY") })).toMatchObject({ outcome: "ACCEPTED" });
    live.nextMinute();
    const sell = (qty: string) => dry({ ...futures, side: w("SELL"), price: "90000", qty });
    const closing = (await sell("0.5")).estimate;
    expect(closing).toMatchObject({ margin: "0", required: "0", isAffordable: true });
    const [most, more] = [await sell(closing.maxQty), await sell(exact(closing.maxQty).plus("0.0001").toFixed())];
    expect([most.estimate.isAffordable, more.estimate.isAffordable]).toEqual([true, false]);
    const close = await dry({ ...futures, side: w("SELL"), price: "90000", qty: "0.1", reduceOnly: true });
    const { data } = await live.run(`{ account(name: "${account}") { positions(symbol: "BTCUSDT") { qty } } }`);
    expect(close.estimate).toMatchObject({ required: "0", maxQty: data.account.positions[0].qty });
    expect(await mutate(live, "placeOrder", { ...held, side: w("SELL") })).toMatchObject({ outcome: "ACCEPTED" });
  },
);

describe("a dry run is refused, as the write would be,", () => {
  const MARKET = { category: w("USDT_FUTURES"), symbol: "BTCUSDT" };
  const XRP = { category: w("USDT_FUTURES"), symbol: "XRPUSDT" };
  /** The first error of a dry run, after the exchange has refused the write itself. */
  const refused = async (name: string, input: Input) => {
    const { outcome, userErrors } = await mutate(live, name, { ...input, dryRun: true });
    expect(outcome).toBe("REJECTED");
    const written = await mutate(live, name, input);
    expect(written).toMatchObject({ outcome: "REJECTED", userErrors: [{ code: "EXCHANGE_REJECTED" }] });
    const [{ code, field, message }] = userErrors;
    expect(code).toBe("BAD_USER_INPUT");
    return `${field.join(".")}: ${message}`;
  };

  /** A price at this distance from the market. */
  const priced = (factor: string) => {
    const { markets } = live.sandbox.world.state;
    return markets.of("USDT-FUTURES", "BTCUSDT").listing.price(markets.tick).times(factor).round(0).toFixed();
  };

  it.each(["main", "classic"])("if an exit of an order on %s is on the wrong side", async (account) => {
    const [low, high] = [priced("0.97"), priced("1.03")];
    const buy = { ...MARKET, account, side: w("BUY"), orderType: w("LIMIT"), price: low, qty: "0.01" };
    const sell = { ...buy, side: w("SELL"), price: high };
    const wrong = (more: Input) => refused("placeOrder", more);
    const above = (price: string) => `must be above ${price} for a long position`;
    expect(await wrong({ ...buy, takeProfit: { triggerPrice: priced("0.96") } })).toContain(
      `takeProfit.triggerPrice ${above(low)}`,
    );
    expect(await wrong({ ...buy, stopLoss: { triggerPrice: low } })).toContain(`must be below ${low} for a long position`);
    expect(await wrong({ ...sell, takeProfit: { triggerPrice: priced("1.04") } })).toContain(
      `must be below ${high} for a short position`,
    );
    const sound = { takeProfit: { triggerPrice: priced("1.1") }, stopLoss: { triggerPrice: priced("0.9") } };
    expect(await dry({ ...buy, ...sound })).toMatchObject({ outcome: null, userErrors: [] });
  });

  it("if an exit of a Classic spot order is on the wrong side", async () => {
    const buy = {
      account: "classic",
      category: w("SPOT"),
      symbol: "BTCUSDT",
      side: w("BUY"),
      orderType: w("LIMIT"),
      qty: "0.01",
    };
    expect(await refused("placeOrder", { ...buy, price: priced("0.97"), stopLoss: { triggerPrice: priced("0.98") } })).toMatch(
      /^stopLoss/,
    );
  });

  it.each(["main", "classic"])(
    "if a close on %s has no position, but not where an order before it may open one",
    async (account) => {
      const order = { ...XRP, account, orderType: w("MARKET"), qty: "20" };
      const close = { ...order, side: w("SELL"), reduceOnly: true };
      expect(await refused("placeOrder", close)).toContain("there is no long position to close");
      expect(await refused("placeOrder", { ...close, reduceOnly: undefined, posSide: w("LONG") })).toMatch(/^posSide/);
      const orders = [{ ...order, side: w("BUY") }, close].map(({ account: _, ...one }) => one);
      expect(await mutate(live, "placeOrders", { account, orders, dryRun: true })).toMatchObject({ outcome: null });
    },
  );

  it.each(["main", "classic"])("if an exit of a position on %s has none, is larger, or on the wrong side", async (account) => {
    const exit = { ...XRP, account, planType: w("LOSS_PLAN"), posSide: w("LONG"), qty: "20", triggerPrice: "0.5" };
    expect(await refused("placeTpslOrder", exit)).toContain("posSide must name a position that is held");
    const opened = await mutate(live, "placeOrder", { ...XRP, account, side: w("BUY"), orderType: w("MARKET"), qty: "20" });
    expect(opened.outcome).toBe("ACCEPTED");
    expect(await refused("placeTpslOrder", { ...exit, qty: "21" })).toContain("qty must be at most 20");
    expect(await refused("placeTpslOrder", { ...exit, triggerPrice: "900" })).toMatch(/^triggerPrice: .*below \d/);
    const terms = { tpsl: { takeProfit: { triggerPrice: "0.5" } } };
    const plan = { ...XRP, account, posSide: w("LONG"), terms };
    expect(await refused("placePlanOrder", plan)).toMatch(/^terms.tpsl.takeProfit.triggerPrice: .*above \d/);
    expect(await mutate(live, "placeTpslOrder", { ...exit, dryRun: true })).toMatchObject({ outcome: null, userErrors: [] });
    await mutate(live, "placeOrder", { ...XRP, account, side: w("SELL"), orderType: w("MARKET"), qty: "20", reduceOnly: true });
  });

  it.each(["main", "classic"])("if a change on %s has an exit on the wrong side or a price too far away", async (account) => {
    const high = priced("1.03");
    const order = { ...MARKET, account, side: w("SELL"), orderType: w("LIMIT"), price: priced("1.02"), qty: "0.01" };
    const { orderId } = await mutate(live, "placeOrder", { ...order, clientOid: `change-${account}` }, "orderId");
    const change = { ...MARKET, account, by: { orderId }, price: high, qty: "0.01" };
    expect(await refused("modifyOrder", { ...change, stopLoss: { triggerPrice: priced("0.97") } })).toContain(
      `must be above ${high} for a short`,
    );
    expect(await refused("modifyOrder", { ...change, price: priced("0.6") })).toMatch(/^price: .*below the market/);
    await mutate(live, "cancelOrder", { ...MARKET, account, by: { orderId } });
  });
});
