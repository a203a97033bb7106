import { type DecimalText, type Exact, exact, truncated } from "@exchange-graph/contract/decimal";
import type {
  SAVINGS_LEVELS,
  SAVINGS_PERIOD_TYPES,
  SAVINGS_PRODUCT_STATUSES,
  SAVINGS_RECORD_TYPES,
} from "@exchange-graph/contract/savings";
import { ZERO } from "../ledger.js";

export type SavingsPeriodType = (typeof SAVINGS_PERIOD_TYPES)[number];
export type SavingsRecordType = (typeof SAVINGS_RECORD_TYPES)[number];

/** Up to `upTo` of the coin earns `apy` percent per year; the rest falls into the next tier. */
export interface RateTier {
  readonly upTo: DecimalText;
  readonly apy: DecimalText;
}

export interface SavingsProduct {
  readonly productId: string;
  readonly coin: string;
  readonly periodType: SavingsPeriodType;
  /** Term in days; a flexible product has none. */
  readonly days: number | undefined;
  /** Whether a fixed term can be ended early, without interest. */
  readonly canEndEarly: boolean;
  readonly tiers: readonly [RateTier, ...RateTier[]];
  readonly status: (typeof SAVINGS_PRODUCT_STATUSES)[number];
  readonly level: (typeof SAVINGS_LEVELS)[number];
  readonly minRedemption: DecimalText;
}

const flexible = (
  productId: string,
  coin: string,
  minRedemption: DecimalText,
  ...tiers: SavingsProduct["tiers"]
): SavingsProduct => ({
  productId,
  coin,
  periodType: "flexible",
  days: undefined,
  canEndEarly: false,
  tiers,
  status: "in_progress",
  level: "normal",
  minRedemption,
});

const fixed = (
  productId: string,
  coin: string,
  days: number,
  apy: DecimalText,
  rest: Partial<Pick<SavingsProduct, "canEndEarly" | "status" | "level">> = {},
): SavingsProduct => ({
  productId,
  coin,
  periodType: "fixed",
  days,
  canEndEarly: true,
  tiers: [{ upTo: "1000000", apy }],
  status: "in_progress",
  level: "normal",
  minRedemption: "0.000001",
  ...rest,
});

export const SAVINGS_PRODUCTS: readonly SavingsProduct[] = [
  flexible("9001", "USDT", "0.1", { upTo: "300", apy: "9" }, { upTo: "100000", apy: "2.4" }),
  flexible("9002", "USDC", "0.1", { upTo: "300", apy: "8" }, { upTo: "100000", apy: "2.1" }),
  flexible("9003", "BTC", "0.00001", { upTo: "100", apy: "0.5" }),
  flexible("9004", "ETH", "0.0001", { upTo: "1000", apy: "1.2" }),
  fixed("9101", "USDT", 7, "4.5", { level: "beginner" }),
  fixed("9102", "USDT", 30, "5.5"),
  fixed("9103", "USDT", 90, "6.8", { level: "VIP" }),
  fixed("9104", "BTC", 30, "1.1", { canEndEarly: false }),
  fixed("9105", "ETH", 60, "2.6", { status: "sold_out" }),
  fixed("9106", "USDC", 14, "4.1", { status: "paused" }),
];

/** A user's coins in a product. A flexible product is one holding, every fixed subscription is its own. */
export interface SavingsHolding {
  /** Names the holding; the wire shows it for fixed terms only. */
  readonly orderId: string;
  readonly uid: string;
  readonly product: SavingsProduct;
  readonly amount: Exact;
  readonly lastProfit: Exact;
  readonly totalProfit: Exact;
  /** Unix ms. */
  readonly createdTime: number;
  /** Interest has been paid for every full day up to this time, Unix ms. */
  readonly paidUntil: number;
}

/** A payment into or out of a product. */
export interface SavingsRecord extends Pick<SavingsHolding, "orderId" | "product" | "amount" | "createdTime"> {
  readonly type: SavingsRecordType;
}

const INTEREST_PLACES = 8;
/** Percent, and days of a year. */
const PER_YEAR = exact("36500");

/** Interest on an amount over a number of days, tier by tier, in the product's coin. */
export function savingsInterest({ tiers }: SavingsProduct, amount: Exact, days: number): Exact {
  let from = ZERO;
  let yearly = ZERO;
  for (const { upTo, apy } of tiers) {
    const top = exact(upTo).lt(amount) ? exact(upTo) : amount;
    if (top.gt(from)) yearly = yearly.plus(top.minus(from).times(exact(apy)));
    from = exact(upTo);
  }
  return truncated(yearly.times(exact(String(days))).div(PER_YEAR), INTEREST_PLACES);
}
