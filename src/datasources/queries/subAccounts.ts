import {
  brokerSubAccountFuturesAssets,
  type SUB_ACCOUNT_STATUSES,
  type SubAccount,
  subAccountList,
} from "@exchange-graph/contract/broker";
import type { FuturesProductType } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { MAX_FIRST, type Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { rowWhere } from "../rows.js";
import { newestFirst } from "./pageCounts.js";
import { type HistoryArguments, latestQuery } from "./pagedQuery.js";

export const subAccountPages = newestFirst(subAccountList);

/** An ND broker's sub-accounts, newest first. */
export const readSubAccounts = (
  reads: Reads,
  account: ExchangeAccount,
  values: { readonly status?: (typeof SUB_ACCOUNT_STATUSES)[number] | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<SubAccount>> =>
  latestQuery(reads, { endpoint: subAccountList, account, values, rowKey: ({ subUid }) => subUid }, asked);

/** One sub-account, or `null`. It is looked for in the list: there is no call for one. */
export async function findSubAccount(reads: Reads, account: ExchangeAccount, subUid: string): Promise<SubAccount | null> {
  const { rows } = await readSubAccounts(reads, account, {}, { first: MAX_FIRST });
  return rowWhere(
    rows.map(({ row }) => row),
    (row) => row.subUid === subUid,
  );
}

/** What one sub-account holds on futures, as its broker sees it. */
export const readFuturesAssetsOf = async (
  reads: Reads,
  account: ExchangeAccount,
  subUid: string,
  productType: FuturesProductType,
) => (await reads.read(brokerSubAccountFuturesAssets, { subUid, productType }, account)).assetsList;
