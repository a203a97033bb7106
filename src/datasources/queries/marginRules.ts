import { exact } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { isRead, rowsRead } from "@exchange-graph/contract/rows";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reads/reads.js";
import type { ContractRules, DiscountTier, MarginRules } from "../valuation/marginRules.js";
import { isFuturesCategory } from "./category.js";
import { readPositionTiers } from "./funding.js";
import { readInstruments } from "./instruments.js";
import { readDiscountRates } from "./reference.js";

const keyOf = (category: string, symbol: string): string => `${category} ${symbol}`;

/** The margin rules of these positions' contracts, and of every coin that counts as margin. They are reference data. */
export async function readMarginRules(reads: Reads, positions: readonly Position[]): Promise<MarginRules> {
  const contracts = new Map<string, ContractRules | undefined>();
  const wanted = new Map(positions.map((position) => [keyOf(position.categoryRaw, position.symbol), position]));
  const [discounts] = await Promise.all([
    readDiscountRates(reads),
    ...[...wanted].map(async ([key, { category, symbol }]) => {
      if (isFuturesCategory(category)) contracts.set(key, await contractRules(reads, category, symbol));
    }),
  ]);
  const tiers = new Map(rowsRead(discounts).map((coin) => [coin.coin, discountTiers(rowsRead(coin.tiers))]));
  return {
    contract: (category, symbol) => contracts.get(keyOf(category, symbol)),
    discount: (coin) => tiers.get(coin) ?? [],
  };
}

/** Undefined if one of them cannot be read. */
async function contractRules(reads: Reads, category: FuturesCategory, symbol: string): Promise<ContractRules | undefined> {
  const [[instrument], ladder] = await Promise.all([
    readInstruments(reads, category, [symbol]),
    readPositionTiers(reads, { category, symbol }),
  ]);
  if (instrument === undefined || !isRead(instrument) || !ladder.every(isRead)) return undefined;
  const { takerFeeRate, pricePrecision } = instrument;
  const tiers = ladder.flatMap(({ maxValue, maintenanceMarginRate: rate }) =>
    maxValue === null || rate === null ? [] : [{ maxValue: exact(maxValue), rate: exact(rate) }],
  );
  if (takerFeeRate === null || pricePrecision === null || tiers.length === 0 || tiers.length < ladder.length) return undefined;
  return { takerFeeRate: exact(takerFeeRate), pricePrecision, tiers };
}

const discountTiers = (
  rows: readonly { readonly minAmount: string | null; readonly discountRate: string | null }[],
): readonly DiscountTier[] =>
  rows.flatMap(({ minAmount, discountRate: rate }) =>
    minAmount === null || rate === null ? [] : [{ minAmount: exact(minAmount), rate: exact(rate) }],
  );
