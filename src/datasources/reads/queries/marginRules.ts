import type { AccountSettings } from "@exchange-graph/contract/account";
import { exact, isZero } from "@exchange-graph/contract/decimal";
import type { Position } from "@exchange-graph/contract/position";
import { isRead, rowsRead } from "@exchange-graph/contract/rows";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { Reads } from "../reader/reads.js";
import type { ContractRules, DiscountTier, MarginRules } from "../valuation/marginRules.js";
import { isFuturesCategory } from "./categories.js";
import { readPositionTiers } from "./funding.js";
import { readInstruments } from "./instruments.js";
import { readDiscountRates } from "./reference.js";

const keyOf = (category: string, symbol: string): string => `${category} ${symbol}`;

/** A contract, as positions and orders name it. */
type Contract = Pick<Position, "categoryRaw" | "symbol"> & { readonly category: string };

/**
 * The margin rules of these contracts, and of every coin that counts as margin. They are reference data. `settings`: the account's
 * own, where they are known.
 */
export async function readMarginRules(
  reads: Reads,
  needed: readonly Contract[],
  settings?: Pick<AccountSettings, "symbolSettings" | "coinSettings">,
): Promise<MarginRules> {
  const contracts = new Map<string, ContractRules | undefined>();
  const wanted = new Map(needed.map((contract) => [keyOf(contract.categoryRaw, contract.symbol), contract]));
  const [discounts] = await Promise.all([
    readDiscountRates(reads),
    ...[...wanted].map(async ([key, { category, symbol }]) => {
      if (isFuturesCategory(category)) contracts.set(key, await contractRules(reads, category, symbol));
    }),
  ]);
  const tiers = new Map(rowsRead(discounts).map((coin) => [coin.coin, discountTiers(rowsRead(coin.tiers))]));
  const leverages = new Map(
    rowsRead(settings?.symbolSettings ?? []).map((one) => [keyOf(one.categoryRaw, one.symbol), exactOrNone(one.leverage)]),
  );
  const coinLeverages = new Map(rowsRead(settings?.coinSettings ?? []).map((one) => [one.coin, exactOrNone(one.leverage)]));
  return {
    contract: (category, symbol) => contracts.get(keyOf(category, symbol)),
    discount: (coin) => tiers.get(coin) ?? [],
    leverage: (category, symbol) => leverages.get(keyOf(category, symbol)),
    coinLeverage: (coin) => coinLeverages.get(coin),
  };
}

const exactOrNone = (leverage: string | null) => (leverage === null || isZero(leverage) ? undefined : exact(leverage));

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
  return { marginCoin: marginCoinOf(category, instrument), takerFeeRate: exact(takerFeeRate), pricePrecision, tiers };
}

/** Coin-margined contracts are settled in their base coin. */
const marginCoinOf = (category: FuturesCategory, { baseCoin }: { readonly baseCoin: string | null }): string | undefined => {
  if (category === "COIN-FUTURES") return baseCoin ?? undefined;
  return category === "USDT-FUTURES" ? "USDT" : "USDC";
};

const discountTiers = (
  rows: readonly { readonly minAmount: string | null; readonly discountRate: string | null }[],
): readonly DiscountTier[] =>
  rows.flatMap(({ minAmount, discountRate: rate }) =>
    minAmount === null || rate === null ? [] : [{ minAmount: exact(minAmount), rate: exact(rate) }],
  );
