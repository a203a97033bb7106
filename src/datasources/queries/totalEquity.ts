import { unifiedAssets } from "@exchange-graph/contract/asset";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import { futuresAccounts } from "@exchange-graph/contract/futuresAccount";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { RequestReads } from "../requestReads.js";
import { everyRow } from "../rows.js";
import { sumIfKnown, sumOf, valueAt } from "../valuation/value.js";
import { type Balance, readBalances } from "./balances.js";

/**
 * What the account's trading accounts are worth, in USDT. A unified account says it itself; where it does not, and on a
 * Classic account, the balances are valued at their spot prices (coins without a USDT market count as nothing), and the
 * Classic account's futures wallets are added as the exchange values them. Exact, not rounded. Funding account, loans
 * and earn products are not in it. `null` where a part is not known; throws where a row of it could not be read.
 */
export async function readTotalEquity(reads: RequestReads, account: ExchangeAccount): Promise<DecimalText | null> {
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

/** What a balance's equity is worth, in USDT: exact, `null` where it is not known or the coin has no USDT market. */
export const balanceInUsdt = async (reads: RequestReads, { coin, equity }: Pick<Balance, "coin" | "equity">) =>
  valueAt(equity, await reads.loaders.usdtPrice(coin));

async function balancesInUsdt(reads: RequestReads, account: ExchangeAccount): Promise<DecimalText | null> {
  const balances = everyRow(await readBalances(reads, account));
  if (balances.some(({ equity }) => equity === null)) return null;
  return sumOf(await Promise.all(balances.map((balance) => balanceInUsdt(reads, balance))));
}
