import {
  brokerInfo,
  type SUB_ACCOUNT_ASSET_TYPES,
  subAccountEmail,
  subAccountSpotAssets,
  subAccountWithdrawals,
} from "@exchange-graph/contract/broker";
import type { Withdrawal } from "@exchange-graph/contract/wallet";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { overTime } from "./pageCounts.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

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
