import { exact } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { UNDERLYINGS } from "../../src/world/catalogue/underlyings.js";
import { Catalogue } from "../../src/world/catalogue.js";

const START = Date.UTC(2026, 10, 20);
const catalogue = new Catalogue(START);
const named = catalogue.instruments.map((instrument) => [`${instrument.category} ${instrument.symbol}`, instrument] as const);

describe("the catalogue", () => {
  it("lists what is promised: a dozen spot pairs, futures in all three categories, a delivery", () => {
    const symbols = (category: "SPOT" | "USDT-FUTURES" | "USDC-FUTURES" | "COIN-FUTURES") =>
      catalogue.list(category).map(({ symbol }) => symbol);
    expect(symbols("SPOT").length).toBeGreaterThanOrEqual(12);
    expect(symbols("SPOT")).toEqual(expect.arrayContaining(["BTCUSDT", "ETHUSDT", "SOLUSDT"]));
    expect(symbols("USDT-FUTURES")).toEqual(expect.arrayContaining(["BTCUSDT", "ETHUSDT", "SOLUSDT"]));
    expect(symbols("USDC-FUTURES")).toEqual(expect.arrayContaining(["BTCPERP", "ETHPERP"]));
    expect(symbols("COIN-FUTURES")).toEqual(expect.arrayContaining(["BTCUSD", "ETHUSD", "BTCUSDH27"]));
    expect(new Set(catalogue.list("SPOT").map(({ status }) => status))).toEqual(new Set(["online", "gray", "halt", "offline"]));
    expect(catalogue.list("MARGIN")).toEqual(catalogue.list("SPOT"));
  });

  it.each(named)(
    "%s counts in steps that its price path and its volume fit into",
    (_, { pricePrecision, quantityPrecision, making, ...rest }) => {
      const underlying = UNDERLYINGS.get(making.underlying);
      expect(underlying?.places).toBeGreaterThanOrEqual(pricePrecision);
      for (const quantity of [making.lot, making.depth, rest.minQuantity, rest.maxQuantity]) {
        expect(exact(quantity).round(quantityPrecision).eq(quantity)).toBe(true);
      }
      const largest = exact(rest.maxQuantity).times(exact(String(10 ** quantityPrecision)));
      expect(largest.lte(String(Number.MAX_SAFE_INTEGER))).toBe(true);
    },
  );

  it("delivers on the last Friday of a quarter at 08:00 UTC, and names the contract by it", () => {
    const delivery = catalogue.futures.find(({ contract }) => contract.delivery !== undefined);
    expect(delivery?.symbol).toBe("BTCUSDH27");
    expect(new Date(delivery?.contract.delivery?.time ?? 0).toISOString()).toBe("2027-03-26T08:00:00.000Z");
    const later = new Catalogue(Date.UTC(2027, 1, 1)).futures.find(({ contract }) => contract.delivery !== undefined);
    expect(later?.symbol).toBe("BTCUSDM27");
  });

  it("finds a symbol in any letter case, and a futures symbol only among futures", () => {
    expect(catalogue.find("SPOT", "btcusdt")?.contract).toBeUndefined();
    expect(catalogue.find("USDT-FUTURES", "btcusdt")?.contract?.marginCoin).toBe("USDT");
    expect(catalogue.find("COIN-FUTURES", "BTCUSD")?.contract).toMatchObject({ marginCoin: "BTC", isInverse: true });
    expect(catalogue.find("USDC-FUTURES", "BTCUSDT")).toBeUndefined();
  });

  it("has ladders in which more value means less leverage and more maintenance margin", () => {
    for (const { contract } of catalogue.futures) {
      for (const [at, tier] of contract.tiers.entries()) {
        const before = contract.tiers[at - 1];
        if (before === undefined) continue;
        expect(exact(tier.maxValue).gt(before.maxValue)).toBe(true);
        expect(tier.leverage).toBeLessThan(before.leverage);
        expect(exact(tier.maintenanceRate).gt(before.maintenanceRate)).toBe(true);
      }
      for (const { leverage, maintenanceRate } of contract.tiers) {
        expect(exact("1").div(String(leverage)).gt(maintenanceRate)).toBe(true);
      }
    }
  });

  it("pledges and lends only on what it lists", () => {
    for (const { symbol } of catalogue.marginPairs) expect(catalogue.find("SPOT", symbol)).toBeDefined();
    for (const { coin } of catalogue.collateral) expect(catalogue.coins).toContain(coin);
  });
});
