import { exact, plain } from "@exchange-graph/contract/decimal";
import type { Fill } from "@exchange-graph/sandbox/world/orders/order";
import { afterEach, describe, expect, it } from "vitest";
import type { TradingLimits } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { type PlaceOrderInput, placeOrder } from "../../../src/datasources/writes/mutations/placeOrder.js";
import { writesOn } from "../../support/writesOn.js";
import { resting } from "./support/limitOrder.js";
import { type AccountName, type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

/** What an order is worth before a limit: never less than what the exchange's ledger shows afterwards. */

let live: LiveExchange;
afterEach(() => live.close());

const start = async (limits: TradingLimits) => {
  const accounts = new Map([
    ["main", limits],
    ["classic", limits],
  ]);
  live = await startLiveExchange({ limits: { accounts, clients: new Map() } });
  await live.identified();
};
const money = (value: string) => ({ value, coins: new Map<string, string>() });

/** The outcome of an order, or its first error. */
const outcomeOf = async (input: PlaceOrderInput, account: AccountName = "main") => {
  const { outcome, problems } = await live.during(placeOrder(writesOn(live.exchange), live.account(account), input));
  return problems.map(({ code, message }) => `${code}: ${message}`)[0] ?? outcome;
};
const tickerOf = async (category: "SPOT" | "USDT-FUTURES") => {
  const ticker = await live.during(live.reads().loaders.marketTicker(category, "BTCUSDT"));
  if (!ticker?.lastPrice || !ticker.bid1Price || !ticker.ask1Price) throw new Error("no prices");
  return { last: exact(ticker.lastPrice), bid: exact(ticker.bid1Price), ask: exact(ticker.ask1Price) };
};
const higher = (one: ReturnType<typeof exact>, other: typeof one) => (one.gt(other) ? one : other);
const executed = (account: AccountName = "main") =>
  [...live.sandbox.world.state.orders.fills(UID[account])].reduce((sum, { value }: Fill) => sum.plus(value), exact("0"));
const PLACEMENTS = ["placeOrder", "classicPlaceSpotOrder", "classicPlaceFuturesOrder"];
const placements = () => PLACEMENTS.reduce((sum, name) => sum + live.sandbox.calls.of(name).total, 0);

const MARKET = { orderType: "market", price: null } as const;

describe("a market order with a price", () => {
  const cells = [
    ...(["SPOT", "MARGIN", "USDT-FUTURES", "USDC-FUTURES", "COIN-FUTURES"] as const).map(
      (category) => ["main", category] as const,
    ),
    ...(["SPOT", "USDT-FUTURES", "USDC-FUTURES", "COIN-FUTURES"] as const).map((category) => ["classic", category] as const),
  ];
  it.each(cells)("is refused on %s in %s, in dry runs too, and nothing is sent", async (account, category) => {
    await start({ order: money("1000"), day: money("3000") });
    const symbol = { "USDC-FUTURES": "BTCPERP", "COIN-FUTURES": "BTCUSD" }[category as string] ?? "BTCUSDT";
    for (const side of ["buy", "sell"] as const)
      for (const dryRun of [false, true])
        for (const reduceOnly of category.endsWith("FUTURES") ? [false, true] : [null]) {
          const order = resting("", {
            clientOid: null,
            category,
            symbol,
            side,
            orderType: "market",
            price: "1",
            dryRun,
            reduceOnly,
          });
          const isQuote = side === "buy" && !category.endsWith("FUTURES");
          const amount = isQuote ? { qty: null, quoteQty: "100000" } : { qty: "1" };
          expect(await outcomeOf({ ...order, ...amount }, account)).toBe(
            "BAD_USER_INPUT: price must not be given for a market order, which trades at the prices of the market",
          );
        }
    expect(placements()).toBe(0);
  });
});

describe("the value of an order", () => {
  it.each(["main", "classic"] as const)(
    "at market on %s is that at the market's prices with the price band above",
    async (account) => {
      await start({ order: money("1000") });
      for (const side of ["buy", "sell"] as const) {
        const { last, bid, ask } = await tickerOf("USDT-FUTURES");
        const value = higher(higher(last, bid), ask).times("1.05");
        const order = { ...MARKET, category: "USDT-FUTURES", side, qty: "1" } as const;
        expect(await outcomeOf(resting("", { clientOid: null, ...order }), account)).toContain(
          `within 1000 USDT in one order (accounts.${account}.order.value): this is ${plain(value)}`,
        );
      }
      expect(placements()).toBe(0);
    },
  );

  it("at market is never less than what it executes, however deep it reaches into the book", async () => {
    await start({ day: money("400000") });
    for (const at of Array.from({ length: 20 }, (_, number) => number)) {
      const side = at % 2 === 0 ? "buy" : "sell";
      await outcomeOf(resting(`deep-${at}`, { ...MARKET, category: "USDT-FUTURES", side, qty: "0.5" }));
    }
    expect(executed().gt("300000")).toBe(true);
    expect(executed().lte("400000")).toBe(true);
  });

  it.each(["main", "classic"] as const)(
    "that spends quote coin on %s is its amount, and its coins those at the lowest price",
    async (account) => {
      await start({ order: { value: "600", coins: new Map([["BTC", "0.0097"]]) } });
      const spends = (quoteQty: string) => outcomeOf(resting("", { clientOid: null, ...MARKET, qty: null, quoteQty }), account);
      expect(await spends("600.01")).toContain("within 600 USDT in one order");
      const { last, bid, ask } = await tickerOf("SPOT");
      const lowest = [bid, ask].reduce((one, other) => (one.lt(other) ? one : other), last).times("0.95");
      const coins = (quoteQty: string) => exact(quoteQty).div(lowest);
      expect(coins("620").gt("0.0097")).toBe(true);
      expect(await spends("620")).toContain(`within 0.0097 BTC in one order (accounts.${account}.order.coins.BTC)`);
      expect(await spends("560")).toBe("ACCEPTED");
    },
  );

  it("is for a sell below the bid that of the market, not that of the price that the client names", async () => {
    await start({ order: money("1000") });
    const { last, bid, ask } = await tickerOf("USDT-FUTURES");
    const below = plain(bid.times("0.96").round(0));
    const crossing = { category: "USDT-FUTURES", side: "sell", qty: "1" } as const;
    const value = higher(higher(last, bid), ask).times("1.05");
    expect(await outcomeOf(resting("crosses", { ...crossing, price: below }))).toContain(`this is ${plain(value)}`);
    const away = plain(ask.times("1.02").round(0));
    expect(await outcomeOf(resting("rests", { ...crossing, price: away }))).toContain(`this is ${away}`);
    expect(await outcomeOf(resting("buys", { ...crossing, side: "buy", price: away }))).toContain(`this is ${away}`);
  });

  it("that waits for a trigger and then trades at market is not that of a trigger price far from it", async () => {
    await start({ order: money("1000") });
    const { last, bid, ask } = await tickerOf("SPOT");
    const value = higher(higher(last, bid), ask).times("1.05");
    const waits = { ...MARKET, clientOid: null, side: "sell", qty: "1" } as const;
    expect(await outcomeOf(resting("", { ...waits, triggerPrice: "1" }), "classic")).toContain(`this is ${plain(value)}`);
    expect(await outcomeOf(resting("", { ...waits, triggerPrice: "100000" }), "classic")).toContain("this is 105000");
    expect(placements()).toBe(0);
  });
});

describe("a limit on what is open", () => {
  it("counts a waiting market buy by the amount that it will spend", async () => {
    await start({ open: money("1000") });
    const waits = { ...MARKET, clientOid: null, qty: null, quoteQty: "600", triggerPrice: "50000" } as const;
    expect(await outcomeOf(resting("", waits), "classic")).toBe("ACCEPTED");
    await live.pass(6_000);
    expect(await outcomeOf(resting("", waits), "classic")).toContain("600 are used, and this adds 600");
  });
});
