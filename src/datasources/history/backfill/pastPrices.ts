import { HOUR_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, isZero } from "@exchange-graph/contract/decimal";
import { isRead } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Fault } from "../../errors/index.js";
import { type Reads, readCandles } from "../../reads/index.js";
import { type Holdings, marginCoinOf, type PastPrices } from "./pastHoldings.js";

/** Prices of one market at the ends of hours; null if the exchange has no such market. */
type Closes = ReadonlyMap<number, DecimalText> | null;

const keyOf = (category: string, symbol: string): string => `${category} ${symbol}`;

/** A range of ends of hours, Unix ms, both included. */
export interface Hours {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads the prices that these holdings need, one market after the other: closing prices of hourly candles, of marks for contracts, and of
 * trades with USDT for coins, as for recorded samples. Rejects with `Fault`.
 */
export async function readPastPrices(
  newReads: () => Reads,
  holdings: readonly Holdings[],
  hours: Hours,
): Promise<(at: number) => PastPrices> {
  const markets = new Map<string, { readonly category: ProductCategory; readonly symbol: string }>();
  const add = (category: ProductCategory, symbol: string) => markets.set(keyOf(category, symbol), { category, symbol });
  const addCoin = (coin: string) => coin !== "USDT" && add("SPOT", `${coin}USDT`);
  for (const { purses, exposures } of holdings) {
    for (const { coin } of purses) addCoin(coin);
    for (const contract of exposures) {
      add(contract.category, contract.symbol);
      addCoin(marginCoinOf(contract));
    }
  }
  const closes = new Map<string, Closes>();
  for (const [key, { category, symbol }] of markets) closes.set(key, await readCloses(newReads(), category, symbol, hours));
  return (at) => ({
    coin: (coin) => {
      const found = closes.get(keyOf("SPOT", `${coin}USDT`));
      return coin === "USDT" ? "1" : found === null ? null : found?.get(at);
    },
    mark: (category, symbol) => closes.get(keyOf(category, symbol))?.get(at),
  });
}

async function readCloses(reads: Reads, category: ProductCategory, symbol: string, { first, last }: Hours): Promise<Closes> {
  try {
    const found = await readCandles(reads, {
      ...{ category, symbol, interval: "1H", price: category === "SPOT" ? "market" : "mark" },
      // A candle is known by its start.
      ...{ from: first - HOUR_MS, to: last - HOUR_MS, first: (last - first) / HOUR_MS + 1 },
    });
    const closes = found.flatMap((candle) =>
      !isRead(candle) || candle.close === null || isZero(candle.close)
        ? []
        : [[candle.startTime + HOUR_MS, candle.close] as const],
    );
    return new Map(closes);
  } catch (error) {
    // A market that the exchange does not have, or not any more.
    if (error instanceof Fault && error.code === "EXCHANGE_REJECTED") return null;
    throw error;
  }
}
