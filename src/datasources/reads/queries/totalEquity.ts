import { unifiedAssets } from "@exchange-graph/contract/asset";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import { futuresAccounts } from "@exchange-graph/contract/futuresAccount";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { everyRow } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";
import { sumIfKnown, sumOf, valueAt } from "../valuation/value.js";
import { type Balance, readBalances } from "./balances.js";

interface PricedReads extends Reads {
  readonly loaders: { usdtPrice(coin: string | null): Promise<DecimalText | null> };
}

/**
 * Total value of the account's trading accounts, in USDT. A unified account has its own figure; without it, and on a Classic
 * account, balances are valued at spot prices (coins without a USDT market count as zero), and a Classic account's futures
 * accounts are added at the exchange's values. Exact, not rounded. Funding account, loans and earn products are not included.
 * `null` if a part is not known; throws if a row could not be decoded.
 */
export async function readTotalEquity(reads: PricedReads, account: ExchangeAccount): Promise<DecimalText | null> {
  if ((await reads.modeOf(account)) === "UNIFIED") {
    const { equityUsdt } = await reads.read(unifiedAssets, {}, account);
    return equityUsdt ?? balancesInUsdt(reads, account);
  }
  const [spot, ...futures] = await Promise.all([
    balancesInUsdt(reads, account),
    ...FUTURES_CATEGORIES.map((productType) => reads.read(futuresAccounts, { productType }, account)),
  ]);
  return sumIfKnown([spot, ...everyRow(futures.flat()).map(({ equityUsdt }) => equityUsdt)]);
}

/** Value of a balance's equity, in USDT: exact; `null` if it is not known or the coin has no USDT market. */
export const balanceInUsdt = async (reads: PricedReads, { coin, equity }: Pick<Balance, "coin" | "equity">) =>
  valueAt(equity, await reads.loaders.usdtPrice(coin));

async function balancesInUsdt(reads: PricedReads, account: ExchangeAccount): Promise<DecimalText | null> {
  const balances = everyRow(await readBalances(reads, account));
  if (balances.some(({ equity }) => equity === null)) return null;
  return sumOf(await Promise.all(balances.map((balance) => balanceInUsdt(reads, balance))));
}
