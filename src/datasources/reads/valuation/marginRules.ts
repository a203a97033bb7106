import { type Exact, exact } from "@exchange-graph/contract/decimal";

/** Inputs of an account's figures besides its holdings: prices, and the exchange's margin rules. */

/** Prices at one time; undefined if not known. */
export interface Prices {
  /** The mark price of a contract, in quote coin. */
  mark(category: string, symbol: string): Exact | undefined;
  /** Price of one unit of a coin, in USDT. */
  coin(coin: string): Exact | undefined;
}

/** A tier of a contract. `maxValue`: maximum value of a position in it, in quote coin. */
interface Tier {
  readonly maxValue: Exact;
  readonly rate: Exact;
}

export interface ContractRules {
  /** The coin of its margin; undefined if the exchange does not name it. */
  readonly marginCoin: string | undefined;
  readonly takerFeeRate: Exact;
  /** Decimals of a price. */
  readonly pricePrecision: number;
  /** From the smallest value up; at least one. */
  readonly tiers: readonly Tier[];
}

/** Above `minAmount` of a coin, the share `rate` of it counts as margin. */
export interface DiscountTier {
  readonly minAmount: Exact;
  readonly rate: Exact;
}

/** The exchange's margin rules; undefined for unknown contracts. */
export interface MarginRules {
  contract(category: string, symbol: string): ContractRules | undefined;
  /** Discount tiers of a coin, from the smallest amount up; a coin without tiers does not count as margin. */
  discount(coin: string): readonly DiscountTier[];
  /** The account's configured leverage of a contract; undefined if it is not configured or not known. */
  leverage(category: string, symbol: string): Exact | undefined;
  /** The account's configured leverage of a borrowed coin; undefined if it is not configured or not known. */
  coinLeverage(coin: string): Exact | undefined;
}

/** The maintenance margin rate for a value in quote coin. Above the last tier its rate applies. */
export function maintenanceRateAt({ tiers }: ContractRules, value: Exact): Exact {
  const tier = tiers.find(({ maxValue }) => value.lte(maxValue)) ?? tiers.at(-1);
  if (tier === undefined) throw new RangeError("a contract has at least one tier");
  return tier.rate;
}

const ZERO = exact("0");

/** The part of an amount of a coin that counts as margin: each range at the rate of its tier, a debt in full. */
export function discounted(amount: Exact, tiers: readonly DiscountTier[]): Exact {
  if (amount.lte(ZERO)) return amount;
  let sum = ZERO;
  for (const [at, { minAmount, rate }] of tiers.entries()) {
    if (amount.lte(minAmount)) break;
    const end = tiers[at + 1]?.minAmount;
    const upTo = end === undefined || amount.lt(end) ? amount : end;
    sum = sum.plus(upTo.minus(minAmount).times(rate));
  }
  return sum;
}

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
