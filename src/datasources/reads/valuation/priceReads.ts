import type { Exact } from "@exchange-graph/contract/decimal";
import type { Prices } from "./marginRules.js";

/** Prices that note which of them are read: what is computed from them is the same wherever those are. */
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
