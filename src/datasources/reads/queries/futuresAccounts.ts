import { futuresAccounts, subAccountFuturesAssets } from "@exchange-graph/contract/futuresAccount";
import type { FuturesProductType } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";

/** A Classic account's futures accounts of one product type, one per margin coin. */
export async function readFuturesAccounts(reads: Reads, account: ExchangeAccount, productType: FuturesProductType) {
  await reads.demand(account, "CLASSIC", "A futures account list");
  return reads.read(futuresAccounts, { productType }, account);
}

/** The futures assets of all sub-accounts. Only for Classic master accounts that are not ND brokers. */
export async function readSubAccountFuturesAssets(reads: Reads, account: ExchangeAccount, productType: FuturesProductType) {
  await reads.demand(account, "CLASSIC", "The list of sub-accounts' futures assets");
  return reads.read(subAccountFuturesAssets, { productType }, account);
}
