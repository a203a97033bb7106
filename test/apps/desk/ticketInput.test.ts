import { addDecimals, trimDecimal } from "@exchange-graph/client";
import { describe, expect, it } from "vitest";
import { exitSideFault } from "../../../apps/desk/src/panels/trade/bracket.js";
import { strategyRequest } from "../../../apps/desk/src/panels/trade/planInput.js";
import { averageOf, partsOf } from "../../../apps/desk/src/panels/trade/scale.js";
import { fieldsOf, type Strategy, strategiesOf, type Values } from "../../../apps/desk/src/panels/trade/strategies.js";
import { orderInput, qtyOf } from "../../../apps/desk/src/panels/trade/ticketInput.js";
import { EMPTY, type Terms, type Ticket } from "../../../apps/desk/src/panels/trade/ticketState.js";

const orderSize = { min: "0.0001", max: "1000", maxMarket: "200", minAmount: "5", step: "0.0001" };

const terms = (part: Partial<Terms> = {}): Terms => ({
  account: "main",
  market: { category: "USDT_FUTURES", symbol: "BTCUSDT" },
  instrument: {
    id: "1",
    symbol: "BTCUSDT",
    baseCoin: "BTC",
    quoteCoin: "USDT",
    status: "ONLINE",
    precision: { price: 1, quantity: 4, quote: 2 },
    orderSize,
    leverage: { min: "1", max: "125" },
    fees: { maker: "0.0002", taker: "0.0006" },
    fundInterval: null,
    supportMarginCoins: ["USDT"],
  },
  isHedge: false,
  last: "60000",
  maxQty: "2",
  maxQuoteQty: "1000",
  equity: "10000",
  ...part,
});

const ticket = (part: Partial<Ticket>): Ticket => ({ ...EMPTY, ...part });

describe("the size of an order", () => {
  it("is a share of the largest order, cut to the step of the market", () => {
    expect(qtyOf(ticket({ by: "share", size: "25" }), terms())).toBe("0.5");
    expect(qtyOf(ticket({ by: "share", size: "33.333" }), terms({ maxQty: "0.01" }))).toBe("0.0033");
    expect(qtyOf(ticket({ by: "share", size: "100" }), terms())).toBe("2");
  });

  it("is missing for a share while the largest order is not known", () => {
    expect(qtyOf(ticket({ by: "share", size: "25" }), terms({ maxQty: undefined }))).toBeUndefined();
  });

  it("of a value follows from the limit price, the trigger price, or the last price", () => {
    expect(qtyOf(ticket({ by: "value", size: "3000", price: "30000" }), terms())).toBe("0.1");
    expect(qtyOf(ticket({ kind: "MARKET", by: "value", size: "3000", price: "30000" }), terms())).toBe("0.05");
    expect(qtyOf(ticket({ kind: "TPSL", by: "value", size: "3000", triggerPrice: "20000" }), terms())).toBe("0.15");
  });

  it("by risk is the quantity that loses the share of the equity between entry and stop loss", () => {
    const of = (part: Partial<Ticket>) => qtyOf(ticket({ by: "risk", size: "1", ...part }), terms());
    expect(of({ price: "60000", stopLoss: "59000" })).toBe("0.1");
    expect(of({ kind: "MARKET", side: "SELL", stopLoss: "62500" })).toBe("0.04");
    expect(of({ price: "60000" })).toBeUndefined();
    expect(of({ price: "60000", stopLoss: "60000" })).toBeUndefined();
  });

  it("by risk follows from a stop loss in percent of the entry", () => {
    const risky = ticket({ by: "risk", size: "1", price: "60000", exitsBy: "percent", stopLoss: "2" });
    expect(qtyOf(risky, terms())).toBe("0.0833");
  });

  it.each(["", "0", "-1", "abc", "1e3"])("is missing if %j is typed", (size) => {
    expect(qtyOf(ticket({ size }), terms())).toBeUndefined();
  });
});

describe("the input of an order", () => {
  it("of a spot market buy names the amount to spend, at the last price of the edit", () => {
    const spot = terms({ market: { category: "SPOT", symbol: "BTCUSDT" } });
    const input = orderInput(ticket({ kind: "MARKET", size: "0.01" }), spot);
    expect(input).toMatchObject({ orderType: "MARKET", quoteQty: "600.00" });
    expect(input).not.toHaveProperty("qty");
    expect(input).not.toHaveProperty("price");
  });

  it("of a market order has no price, even if one was typed before", () => {
    expect(orderInput(ticket({ kind: "MARKET", size: "1", price: "1" }), terms())).not.toHaveProperty("price");
  });

  it("names the position side in hedge mode, and reduceOnly in one-way mode alone", () => {
    const closing = ticket({ side: "SELL", effect: "CLOSE", size: "1", price: "60000", reduceOnly: true });
    expect(orderInput(closing, terms({ isHedge: true }))).toMatchObject({ posSide: "LONG" });
    expect(orderInput(closing, terms({ isHedge: true }))).not.toHaveProperty("reduceOnly");
    expect(orderInput(closing, terms())).toMatchObject({ reduceOnly: true });
  });

  it("is missing while a limit order has no price", () => {
    expect(orderInput(ticket({ size: "1" }), terms())).toBeUndefined();
  });
});

describe("the exits of an order", () => {
  const exits = (part: Partial<Ticket>) => {
    const { takeProfit, stopLoss } = orderInput(ticket({ size: "1", price: "60000.1", ...part }), terms()) ?? {};
    return [takeProfit?.triggerPrice, stopLoss?.triggerPrice];
  };

  it("are prices as they were typed, and none where none was", () => {
    expect(exits({ takeProfit: "66000", stopLoss: "57000" })).toEqual(["66000", "57000"]);
    expect(exits({ takeProfit: "", stopLoss: "57000" })).toEqual([undefined, "57000"]);
  });

  it("are distances in percent of the entry, in favour and against, on the ticks of the market", () => {
    expect(exits({ exitsBy: "percent", takeProfit: "5", stopLoss: "2.5" })).toEqual(["63000.1", "58500.1"]);
    expect(exits({ exitsBy: "percent", side: "SELL", takeProfit: "5", stopLoss: "2.5" })).toEqual(["57000.1", "61500.1"]);
    expect(exits({ exitsBy: "percent", kind: "MARKET", takeProfit: "1", stopLoss: "1" })).toEqual(["60600", "59400"]);
  });

  it("are a stop, and a multiple of its distance", () => {
    expect(exits({ exitsBy: "r", takeProfit: "3", stopLoss: "59000" })).toEqual(["63000.4", "59000"]);
    expect(exits({ exitsBy: "r", side: "SELL", takeProfit: "2", stopLoss: "61000" })).toEqual(["58000.3", "61000"]);
  });

  it.each<[string, Partial<Ticket>]>([
    ["is no number", { stopLoss: "57e3" }],
    ["is zero", { stopLoss: "0" }],
    ["has no stop loss to follow from", { exitsBy: "r", takeProfit: "2", stopLoss: "" }],
    ["would be at zero", { exitsBy: "percent", stopLoss: "100" }],
    ["would be below zero", { exitsBy: "r", side: "SELL", takeProfit: "100", stopLoss: "61000" }],
  ])("are never left out: there is no order with one that %s", (_, part) => {
    expect(orderInput(ticket({ size: "1", price: "60000.1", ...part }), terms())).toBeUndefined();
  });
});

describe("the side of an exit", () => {
  const faultOf = (exit: "takeProfit" | "stopLoss", part: Partial<Ticket>, given: Partial<Terms> = {}) =>
    exitSideFault(exit, ticket({ size: "1", price: "60000", ...part }), terms(given));

  it.each<["takeProfit" | "stopLoss", Partial<Ticket>, string]>([
    ["stopLoss", { stopLoss: "60000" }, "below"],
    ["takeProfit", { takeProfit: "59000" }, "above"],
    ["stopLoss", { side: "SELL", stopLoss: "59000" }, "above"],
    ["takeProfit", { side: "SELL", kind: "MARKET", price: "", takeProfit: "61000" }, "below"],
  ])("is wrong for %s with %j: it must be %s the entry", (exit, part, side) => {
    expect(faultOf(exit, part)).toContain(side);
  });

  it("is right in favour of the order, or against it; and without a meaning for what closes a position", () => {
    expect(faultOf("stopLoss", { stopLoss: "59000" })).toBeUndefined();
    expect(faultOf("takeProfit", { side: "SELL", takeProfit: "59000" })).toBeUndefined();
    expect(faultOf("stopLoss", { stopLoss: "61000", reduceOnly: true })).toBeUndefined();
    expect(faultOf("stopLoss", { stopLoss: "61000", effect: "CLOSE" }, { isHedge: true })).toBeUndefined();
  });
});

describe("the input of a strategy order", () => {
  const of = (strategy: Strategy, values: Values, part: Partial<Ticket> = {}, given: Partial<Terms> = {}) => {
    const about = terms(given);
    const fields = fieldsOf(strategy, about.market.category, "UNIFIED", "USDT");
    return strategyRequest(strategy, fields, ticket({ kind: "STRATEGY", size: "1", values, ...part }), about)?.input;
  };

  it.each<[Strategy, Values, object]>([
    [
      "trigger",
      { trigger: "50000", limit: "50100", by: "MARK" },
      { triggerPrice: "50000", limitPrice: "50100", triggerBy: "MARK" },
    ],
    ["trigger", { trigger: "50000" }, { triggerPrice: "50000" }],
    ["oco", { limit: "50000", trigger: "70000" }, { limitPrice: "50000", triggerPrice: "70000" }],
    ["trailingStop", { distance: "1.5" }, { distance: { rate: "0.015" } }],
    [
      "trailingStop",
      { distance: "150", distanceBy: "quote", activation: "61000" },
      { distance: { spread: "150" }, activationPrice: "61000" },
    ],
    ["iceberg", { parts: "5" }, { parts: { count: 5 }, price: { bookPlace: "QUEUE1" } }],
    [
      "iceberg",
      { parts: "0.2", partsBy: "qty", priceBy: "fixed", at: "60000", worst: "1" },
      { parts: { qty: "0.2" }, price: { fixedPrice: "60000" } },
    ],
    [
      "iceberg",
      { parts: "5", priceBy: "percent", at: "0.1", worst: "61000" },
      { parts: { count: 5 }, price: { distancePercentage: "0.1" }, priceLimit: "61000" },
    ],
    [
      "twap",
      { minutes: "30", interval: "SECONDS_60", offset: "0.01" },
      { durationMinutes: 30, intervalSeconds: "SECONDS_60", limitOffset: { percentage: "0.01" } },
    ],
  ])("has the terms of %s alone", (strategy, values, expected) => {
    expect(of(strategy, values)).toEqual({
      ...{ account: "main", category: "USDT_FUTURES", symbol: "BTCUSDT", side: "BUY", qty: "1" },
      terms: { [strategy]: expected },
    });
  });

  it("of exits names the position that the side closes, and all of it without a quantity", () => {
    const values = { takeProfit: "70000", stopLoss: "50000", stopLossLimit: "49900" };
    const tpsl = { takeProfit: { triggerPrice: "70000" }, stopLoss: { triggerPrice: "50000", limitPrice: "49900" } };
    expect(of("tpsl", values, { side: "SELL", size: "" })).toEqual({
      ...{ account: "main", category: "USDT_FUTURES", symbol: "BTCUSDT", posSide: "LONG", terms: { tpsl } },
    });
    expect(of("tpsl", values, { side: "BUY" })).toMatchObject({ posSide: "SHORT", qty: "1" });
  });

  it("names the position side in hedge mode", () => {
    const closing = { side: "SELL", effect: "CLOSE" } as const;
    expect(of("trigger", { trigger: "50000" }, closing, { isHedge: true })).toMatchObject({ side: "SELL", posSide: "LONG" });
  });

  it("is missing while a term or the size is", () => {
    expect(of("oco", { limit: "50000" })).toBeUndefined();
    expect(of("trigger", { trigger: "50000" }, { size: "" })).toBeUndefined();
    expect(of("iceberg", { parts: "5", priceBy: "fixed" })).toBeUndefined();
    expect(of("twap", { minutes: "1.5" })).toBeUndefined();
  });

  it.each<[string, Strategy, Values, Partial<Ticket>]>([
    ["a limit price that is no number", "trigger", { trigger: "50000", limit: "50 1OO" }, {}],
    ["a limit price of zero", "oco", { limit: "50000", trigger: "70000", execute: "0" }, {}],
    ["a limit price without the exit that it is for", "tpsl", { stopLoss: "50000", takeProfitLimit: "70000" }, {}],
    ["a part of the position that is no number", "tpsl", { stopLoss: "50000" }, { size: "0,1,2" }],
  ])("is missing with %s: it is not left out", (_, strategy, values, part) => {
    expect(of(strategy, values, part)).toBeUndefined();
  });

  it("has what an account of its mode has: a Classic one needs an activation price, and lacks four kinds", () => {
    const kinds = (mode: "CLASSIC" | "UNIFIED", category: "SPOT" | "USDT_FUTURES") =>
      strategiesOf(category, mode).map(({ value }) => value);
    expect(kinds("CLASSIC", "USDT_FUTURES")).not.toContain("oco");
    expect(kinds("CLASSIC", "SPOT")).not.toContain("trigger");
    expect(kinds("UNIFIED", "SPOT")).not.toContain("tpsl");
    const fields = fieldsOf("trailingStop", "USDT_FUTURES", "CLASSIC", "USDT");
    const request = (values: Values) =>
      strategyRequest("trailingStop", fields, ticket({ kind: "STRATEGY", size: "1", values }), terms());
    expect(request({ distance: "1" })).toBeUndefined();
    expect(request({ distance: "1", activation: "61000" })).toBeDefined();
  });
});

describe("the orders of a scale", () => {
  const steps = { price: "0.1", qty: "0.001" };
  const scale = { from: "60000", to: "61000", count: 5, qty: "1", distribution: "equal" } as const;
  const sum = (parts: readonly { readonly qty: string }[]) =>
    trimDecimal(parts.reduce((all, { qty }) => addDecimals(all, qty), "0"));

  it("lie at equal distances between both prices, on the ticks of the market", () => {
    expect(partsOf(scale, steps).map(({ price }) => price)).toEqual(["60000", "60250", "60500", "60750", "61000"]);
    expect(partsOf({ ...scale, to: "59999", count: 4 }, steps).map(({ price }) => price)).toEqual([
      "60000",
      "59999.7",
      "59999.3",
      "59999",
    ]);
  });

  it("have the same quantity each, or more at one end", () => {
    expect(partsOf(scale, steps).map(({ qty }) => qty)).toEqual(["0.2", "0.2", "0.2", "0.2", "0.2"]);
    const four = { ...scale, count: 4 };
    expect(partsOf({ ...four, distribution: "rising" }, steps).map(({ qty }) => qty)).toEqual(["0.1", "0.2", "0.3", "0.4"]);
    expect(partsOf({ ...four, distribution: "falling" }, steps).map(({ qty }) => qty)).toEqual(["0.4", "0.3", "0.2", "0.1"]);
  });

  it("have the whole quantity together, to the last step, whatever the number of orders", () => {
    for (const distribution of ["equal", "rising", "falling"] as const)
      for (const count of [2, 3, 7, 11, 50])
        for (const qty of ["1", "0.997", "123456.789", "3.3339"]) {
          const parts = partsOf({ ...scale, count, qty, distribution }, steps);
          expect(sum(parts), `${distribution} ${count} ${qty}`).toBe(qty === "3.3339" ? "3.333" : qty);
        }
  });

  it("have an average price by their quantities", () => {
    expect(
      averageOf(
        [
          { price: "100", qty: "1" },
          { price: "200", qty: "3" },
        ],
        2,
      ),
    ).toBe("175.00");
  });

  it("are limit orders of one batch, and none while one of them would be empty", () => {
    const fields = fieldsOf("scale", "USDT_FUTURES", "UNIFIED", "USDT");
    const values = { from: "60000", to: "59000", count: "3", distribution: "rising" };
    const of = (size: string) => strategyRequest("scale", fields, ticket({ kind: "STRATEGY", size, values }), terms())?.input;
    const common = { category: "USDT_FUTURES", symbol: "BTCUSDT", side: "BUY", orderType: "LIMIT" };
    expect(of("0.6")).toEqual({
      account: "main",
      orders: [
        { ...common, price: "60000", qty: "0.1" },
        { ...common, price: "59500", qty: "0.2" },
        { ...common, price: "59000", qty: "0.3" },
      ],
    });
    expect(of("0.0002")).toBeUndefined();
  });
});
