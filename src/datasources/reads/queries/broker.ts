import {
  brokerInfo,
  brokerSubAccountFuturesAssets,
  type SUB_ACCOUNT_ASSET_TYPES,
  type SubAccount,
  subAccountEmail,
  subAccountList,
  subAccountSpotAssets,
  subAccountWithdrawals,
} from "@exchange-graph/contract/broker";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { FuturesProductType } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { rowWhere } from "../../errors/index.js";
import { rowsOf } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { listNewestFirst, listOverTime } from "./pagedList.js";

/** Number of sub-accounts of an ND broker, and the maximum. */
export const readBrokerInfo = (reads: Reads, account: ExchangeAccount) => reads.read(brokerInfo, {}, account);

/** Spot assets of one sub-account. If a coin is given, other filters have no effect. */
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

/** Contact data of one sub-account: e-mail address and user name. */
export const readSubAccountEmail = (reads: Reads, account: ExchangeAccount, subUid: string) =>
  reads.read(subAccountEmail, { subUid }, account);

/** Withdrawals from sub-accounts, newest first. */
export const withdrawalsOfSubAccounts = listOverTime(subAccountWithdrawals, ({ orderId }) => orderId);

/** An ND broker's sub-accounts, newest first. */
export const subAccounts = listNewestFirst(subAccountList, ({ subUid }) => subUid);

/** Pages of the list in which a sub-account is searched, and their length. */
export const SEARCHED_PAGES = 5;
const SEARCHED = 100;

/** One sub-account, or `null`. The list is searched up to it, because the exchange has no call for one. */
export async function findSubAccount(reads: Reads, account: ExchangeAccount, subUid: string): Promise<SubAccount | null> {
  const before: Row<SubAccount>[] = [];
  for (let page = 0, after: string | undefined; page < SEARCHED_PAGES; page++) {
    const { rows, hasNextPage } = await subAccounts.read(reads, account, {}, { first: SEARCHED, after });
    const found = rows.find(({ row }) => isRead(row) && row.subUid === subUid)?.row;
    if (found !== undefined && isRead(found)) return found;
    before.push(...rowsOf({ rows, hasNextPage }));
    after = rows.at(-1)?.cursor;
    if (!hasNextPage || after === undefined) break;
  }
  // One that could not be read may be it.
  return rowWhere(before, () => false);
}

/** Futures assets of one sub-account, as its broker sees them. */
export const readFuturesAssetsOf = async (
  reads: Reads,
  account: ExchangeAccount,
  subUid: string,
  productType: FuturesProductType,
) => (await reads.read(brokerSubAccountFuturesAssets, { subUid, productType }, account)).assetsList;
