import type { Exact } from "@exchange-graph/contract/decimal";
import type { Prices } from "./marginRules.js";

/** Prices that record which of them are read. A result computed from them holds for all prices that agree in those. */
export class PriceReads implements Prices {
  readonly #reads: { readonly read: (prices: Prices) => Exact | undefined; readonly price: Exact | undefined }[] = [];

  constructor(private readonly prices: Prices) {}

  mark(category: string, symbol: string): Exact | undefined {
    return this.#noted((prices) => prices.mark(category, symbol));
  }

  coin(coin: string): Exact | undefined {
    return this.#noted((prices) => prices.coin(coin));
  }

  /** Whether these prices are the same ones, as far as they were read. */
  isAt(prices: Prices): boolean {
    return this.#reads.every(({ read, price }) => read(prices) === price);
  }

  #noted(read: (prices: Prices) => Exact | undefined): Exact | undefined {
    const price = read(this.prices);
    this.#reads.push({ read, price });
    return price;
  }
}
