import {
  brokerInfo,
  brokerSubAccountFuturesAssets,
  type SUB_ACCOUNT_ASSET_TYPES,
  type SUB_ACCOUNT_STATUSES,
  type SubAccount,
  subAccountEmail,
  subAccountList,
  subAccountSpotAssets,
  subAccountWithdrawals,
} from "@exchange-graph/contract/broker";
import type { FuturesProductType } from "@exchange-graph/contract/vocabulary";
import type { Withdrawal } from "@exchange-graph/contract/wallet";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { MAX_FIRST, type Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { rowWhere } from "../rows.js";
import { newestFirst, overTime } from "./pageCounts.js";
import { type HistoryArguments, latestQuery, pagedQuery } from "./pagedQuery.js";

/** How many sub-accounts an ND broker has and may have. */
export const readBrokerInfo = (reads: Reads, account: ExchangeAccount) => reads.read(brokerInfo, {}, account);

/** What one sub-account holds on spot. A coin, when given, decides alone. */
export const readSubAccountSpotAssets = async (
  reads: Reads,
  account: ExchangeAccount,
  subUid: string,
  {
    coin,
    assetType,
  }: {
    readonly coin?: string | null | undefined;
    readonly assetType?: (typeof SUB_ACCOUNT_ASSET_TYPES)[number] | null | undefined;
  },
) =>
  (await reads.read(subAccountSpotAssets, { subUid, coin: coin ?? undefined, assetType: assetType ?? undefined }, account))
    .assetsList;

/** How one sub-account is reached: its e-mail address and user name. */
export const readSubAccountEmail = (reads: Reads, account: ExchangeAccount, subUid: string) =>
  reads.read(subAccountEmail, { subUid }, account);

export const subAccountWithdrawalPages = overTime(subAccountWithdrawals);

/** What was withdrawn from sub-accounts, newest first. */
export const readSubAccountWithdrawals = (
  reads: Reads,
  account: ExchangeAccount,
  { subUid, orderId }: { readonly subUid?: string | null | undefined; readonly orderId?: string | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<Withdrawal>> =>
  pagedQuery(
    reads,
    { endpoint: subAccountWithdrawals, account, values: { userId: subUid, orderId }, rowKey: (row) => row.orderId },
    asked,
  );

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
