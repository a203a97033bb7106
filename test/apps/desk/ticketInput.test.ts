import { describe, expect, it } from "vitest";
import { orderInput, qtyOf, tpslInput } from "../../../apps/desk/src/panels/trade/ticketInput.js";
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

  it("of a take-profit or stop-loss depends on the side of the price on which it triggers", () => {
    const of = (side: "BUY" | "SELL", triggerPrice: string) =>
      tpslInput(ticket({ kind: "TPSL", side, triggerPrice, size: "1" }), terms());
    expect(of("SELL", "70000")).toMatchObject({ posSide: "LONG", planType: "PROFIT_PLAN" });
    expect(of("SELL", "50000")).toMatchObject({ posSide: "LONG", planType: "LOSS_PLAN" });
    expect(of("BUY", "70000")).toMatchObject({ posSide: "SHORT", planType: "LOSS_PLAN" });
    expect(of("BUY", "50000")).toMatchObject({ posSide: "SHORT", planType: "PROFIT_PLAN" });
  });
});

describe("the exits of an order", () => {
  const exits = (part: Partial<Ticket>) => {
    const { takeProfit, stopLoss } = orderInput(ticket({ size: "1", price: "60000.1", ...part }), terms()) ?? {};
    return [takeProfit?.triggerPrice, stopLoss?.triggerPrice];
  };

  it("are prices as they were typed, and none where none was", () => {
    expect(exits({ takeProfit: "66000", stopLoss: "57000" })).toEqual(["66000", "57000"]);
    expect(exits({ takeProfit: "", stopLoss: "0" })).toEqual([undefined, undefined]);
  });

  it("are distances in percent of the entry, in favour and against, on the ticks of the market", () => {
    expect(exits({ exitsBy: "percent", takeProfit: "5", stopLoss: "2.5" })).toEqual(["63000.1", "58500.1"]);
    expect(exits({ exitsBy: "percent", side: "SELL", takeProfit: "5", stopLoss: "2.5" })).toEqual(["57000.1", "61500.1"]);
    expect(exits({ exitsBy: "percent", kind: "MARKET", takeProfit: "1", stopLoss: "1" })).toEqual(["60600", "59400"]);
  });

  it("are a stop, and a multiple of its distance", () => {
    expect(exits({ exitsBy: "r", takeProfit: "3", stopLoss: "59000" })).toEqual(["63000.4", "59000"]);
    expect(exits({ exitsBy: "r", side: "SELL", takeProfit: "2", stopLoss: "61000" })).toEqual(["58000.3", "61000"]);
    expect(exits({ exitsBy: "r", takeProfit: "2", stopLoss: "" })).toEqual([undefined, undefined]);
  });

  it("are missing where they would be at zero or below", () => {
    expect(exits({ exitsBy: "percent", takeProfit: "", stopLoss: "100" })).toEqual([undefined, undefined]);
    expect(exits({ exitsBy: "r", side: "SELL", takeProfit: "100", stopLoss: "61000" })).toEqual([undefined, "61000"]);
  });
});
