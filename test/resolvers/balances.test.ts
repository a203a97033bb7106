import { exact } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

interface Valued {
  readonly coin: string;
  readonly equity: string;
  readonly valueUsdt: string | null;
}

const sum = (values: readonly (string | null)[]) => values.reduce((all, value) => all.plus(value ?? "0"), exact("0"));

const BALANCES = `query ($name: String, $coins: [String!]) { account(name: $name) { totalEquity balances(coins: $coins) {
  coin equity balance available frozen locked debt valueUsd limitAvailable updatedTime valueUsdt
} } }`;

describe("balances", () => {
  it.each(["main", "classic"])("have one shape on both API versions: %s", async (name) => {
    const { data } = await live.answer(BALANCES, { name, coins: ["BTC", "usdt"] });
    expect(data.account.balances.map(({ coin }: Valued) => coin).toSorted()).toEqual(["BTC", "USDT"]);
  });

  it.each(["main", "classic"])("are valued in USDT at the price of each coin, exactly: %s", async (name) => {
    const prices = await live.run("{ tickers(category: SPOT) { symbol lastPrice } }");
    const priceOf = new Map(prices.data.tickers.map((row: { symbol: string; lastPrice: string }) => [row.symbol, row.lastPrice]));
    const { data } = await live.run(BALANCES, { name });
    for (const { coin, equity, valueUsdt } of data.account.balances as readonly Valued[]) {
      const price = coin === "USDT" ? "1" : String(priceOf.get(`${coin}USDT`));
      expect(valueUsdt, coin).toBe(exact(equity).times(price).toFixed());
    }
  });

  it("add up to a Classic account's total, together with its futures accounts", async () => {
    const { data, calls } = await live.answer(`{ account(name: "classic") {
      totalEquity
      balances { valueUsdt }
      usdt: futuresAccounts(productType: USDT_FUTURES) { equityUsdt }
      coin: futuresAccounts(productType: COIN_FUTURES) { equityUsdt }
      usdc: futuresAccounts(productType: USDC_FUTURES) { equityUsdt }
    } }`);
    // The lists of wallets are those of the total.
    expect(calls.filter((call) => call === "futuresAccounts")).toHaveLength(3);
    const { totalEquity, balances, usdt, coin, usdc } = data.account;
    const futures = [...usdt, ...coin, ...usdc].map(({ equityUsdt }: { equityUsdt: string }) => equityUsdt);
    expect(totalEquity).toBe(sum([...balances.map(({ valueUsdt }: Valued) => valueUsdt), ...futures]).toFixed());
  });

  it("are a unified account's own figures if it has them", async () => {
    const { data, calls } = await live.run(
      '{ account(name: "main") { totalEquity unifiedAssets { equityUsdt assets { coin equity valueUsd balance available debt locked } } } }',
    );
    expect(data.account.totalEquity).toBe(data.account.unifiedAssets.equityUsdt);
    expect(data.account.unifiedAssets.assets.length).toBeGreaterThan(3);
    expect(calls).toEqual(["unifiedAssets"]);
  });

  it("cost one call for all coins, and one for all prices", async () => {
    const { calls } = await live.run(BALANCES, { name: "main" });
    expect(calls.toSorted()).toEqual(["tickers", "unifiedAssets"]);
  });

  it("of the funding account are valued as well", async () => {
    const { data } = await live.answer(
      '{ account(name: "main") { fundingBalances { coin available frozen balance valueUsdt } } }',
    );
    const usdt = data.account.fundingBalances.find(({ coin }: Valued) => coin === "USDT");
    expect(usdt.valueUsdt).toBe(usdt.balance);
  });

  it("are returned without their values when prices cannot be read", async () => {
    const rule = live.sandbox.faults.add({
      endpoint: "tickers",
      fault: { kind: "answer", status: 400, code: "40034", msg: "no" },
    });
    const { data, errors } = await live.run(
      '{ account(name: "main") { balances(coins: ["BTC", "USDT"]) { coin balance valueUsdt } } }',
    );
    live.sandbox.faults.remove(rule);
    expect(data.account.balances).toEqual([
      { coin: "BTC", balance: expect.any(String), valueUsdt: null },
      { coin: "USDT", balance: expect.any(String), valueUsdt: expect.any(String) },
    ]);
    expect(errors.map(({ path, extensions }) => [path?.join("."), extensions.code])).toEqual([
      ["account.balances.0.valueUsdt", "EXCHANGE_REJECTED"],
    ]);
  });
});
