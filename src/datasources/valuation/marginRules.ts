import { type Exact, exact } from "@exchange-graph/contract/decimal";

/** What an account's figures follow from besides what it holds: prices, and the exchange's rules of margin. */

/** Prices of one moment; nothing where one is not known. */
export interface Prices {
  /** The mark price of a contract, in quote coin. */
  mark(category: string, symbol: string): Exact | undefined;
  /** What one unit of a coin is worth, in USDT. */
  coin(coin: string): Exact | undefined;
}

/** A step of a contract's ladder. `maxValue`: the largest value of a position in it, in quote coin. */
interface Tier {
  readonly maxValue: Exact;
  readonly rate: Exact;
}

/** How much margin a contract asks for. */
export interface ContractRules {
  readonly takerFeeRate: Exact;
  /** Decimals of a price. */
  readonly pricePrecision: number;
  /** From the smallest value up; at least one. */
  readonly tiers: readonly Tier[];
}

/** From `minAmount` of a coin on, `rate` of it counts as margin. */
export interface DiscountTier {
  readonly minAmount: Exact;
  readonly rate: Exact;
}

/** What the exchange's rules say; nothing where they do not name it. */
export interface MarginRules {
  contract(category: string, symbol: string): ContractRules | undefined;
  /** How much of a coin counts as margin, from the smallest amount up; nothing of a coin without tiers. */
  discount(coin: string): readonly DiscountTier[];
}

/** The rate of maintenance margin for a value in quote coin. Above the last step the last one holds. */
export function maintenanceRateAt({ tiers }: ContractRules, value: Exact): Exact {
  const tier = tiers.find(({ maxValue }) => value.lte(maxValue)) ?? tiers.at(-1);
  if (tier === undefined) throw new RangeError("a contract has at least one tier");
  return tier.rate;
}

const ZERO = exact("0");

/** How much of an amount of a coin counts as margin: what lies between two bounds at the rate of its tier, a debt in full. */
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
