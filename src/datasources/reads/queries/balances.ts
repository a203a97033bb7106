import {
  classicSpotAssets,
  fundingAssets,
  type SpotBalance,
  type UnifiedAsset,
  unifiedAssets,
} from "@exchange-graph/contract/asset";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import { classicMarginMaxTransfer, type MaxTransfer, maxTransferable, maxWithdrawal } from "@exchange-graph/contract/maximum";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { sumIfKnown } from "../valuation/value.js";
import { type Names, named } from "./keptLists.js";

/**
 * An account's balance of one coin for trading, in that coin. Figures that the account's mode, or this answer, does not have are
 * `null`.
 */
export interface Balance {
  readonly coin: string;
  /** Including frozen margin and unrealised profit and loss; on Classic spot the balance itself. */
  readonly equity: DecimalText | null;
  /** On Classic spot the sum of the three figures below. */
  readonly balance: DecimalText | null;
  readonly available: DecimalText | null;
  /** Reserved for open orders; Classic only. */
  readonly frozen: DecimalText | null;
  readonly locked: DecimalText | null;
  /** Owed; unified only. */
  readonly debt: DecimalText | null;
  /** The equity in USD, as the exchange values it; unified only. */
  readonly valueUsd: DecimalText | null;
  /** Available for spot copy trading only; Classic only. */
  readonly limitAvailable: DecimalText | null;
  /** Unix ms; Classic only. */
  readonly updatedTime: number | null;
}

const NOT_CLASSIC = { frozen: null, limitAvailable: null, updatedTime: null };
const NOT_UNIFIED = { debt: null, valueUsd: null };

const fromUnified = (asset: UnifiedAsset): Balance => ({ ...NOT_CLASSIC, ...asset });

function fromSpot(spot: SpotBalance): Balance {
  const balance = sumIfKnown([spot.available, spot.frozen, spot.locked]);
  return { ...NOT_UNIFIED, ...spot, balance, equity: balance };
}

/**
 * The balances for trading, per coin: the unified account's assets, or the Classic account's spot assets; its futures accounts
 * are separate. The whole list is read, for any coins.
 */
export async function readBalances(reads: Reads, account: ExchangeAccount, coins?: Names): Promise<readonly Row<Balance>[]> {
  const balances =
    (await reads.modeOf(account)) === "UNIFIED"
      ? mapRows((await reads.read(unifiedAssets, {}, account)).assets, fromUnified)
      : mapRows(await reads.read(classicSpotAssets, {}, account), fromSpot);
  return named(balances, ({ coin }) => coin, "coins", coins);
}

/** The balances in a push of either API version. */
export const streamedBalances = (held: {
  readonly unified: { readonly assets: readonly Row<UnifiedAsset>[] } | null;
  readonly spot: readonly SpotBalance[];
}): readonly Row<Balance>[] => (held.unified === null ? held.spot.map(fromSpot) : mapRows(held.unified.assets, fromUnified));

export async function readFundingBalances(reads: Reads, account: ExchangeAccount, coins?: Names) {
  await reads.demand(account, "UNIFIED", "A funding account that can be read");
  return named(await reads.read(fundingAssets, {}, account), ({ coin }) => coin, "coins", coins);
}

/** A unified account's equity and margin as a whole. */
export async function readUnifiedAssets(reads: Reads, account: ExchangeAccount) {
  await reads.demand(account, "UNIFIED", "A list of unified assets");
  return reads.read(unifiedAssets, {}, account);
}

/** The most of a coin that can be transferred out of a unified account, or of the cross margin account of a Classic one. */
export const readMaxTransfer = async (reads: Reads, account: ExchangeAccount, coin: string): Promise<MaxTransfer> =>
  reads.read((await reads.modeOf(account)) === "UNIFIED" ? maxTransferable : classicMarginMaxTransfer, { coin }, account);

/** The most of a coin that can be withdrawn from a unified account. */
export async function readMaxWithdrawal(reads: Reads, account: ExchangeAccount, coin: string) {
  await reads.demand(account, "UNIFIED", "The most that can be withdrawn");
  return reads.read(maxWithdrawal, { coin }, account);
}
