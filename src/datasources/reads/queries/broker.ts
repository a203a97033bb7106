import {
  brokerInfo,
  brokerSubAccountFuturesAssets,
  subAccountEmail,
  subAccountList,
  subAccountSpotAssets,
  subAccountWithdrawals,
} from "@exchange-graph/contract/broker";
import type { FuturesProductType } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { listNewestFirst, listOverTime } from "./pagedList.js";
import { type FilterOf, withoutNulls } from "./pagedQuery.js";

/** Number of sub-accounts of an ND broker, and the maximum. */
export const readBrokerInfo = (reads: Reads, account: ExchangeAccount) => reads.read(brokerInfo, {}, account);

/** Spot assets of one sub-account. If a coin is given, other filters have no effect. */
export const readSubAccountSpotAssets = async (
  reads: Reads,
  account: ExchangeAccount,
  filter: FilterOf<typeof subAccountSpotAssets>,
) => (await reads.read(subAccountSpotAssets, withoutNulls(filter), account)).assetsList;

/** Contact data of one sub-account: e-mail address and user name. */
export const readSubAccountEmail = (reads: Reads, account: ExchangeAccount, subUid: string) =>
  reads.read(subAccountEmail, { subUid }, account);

/** Withdrawals from sub-accounts, newest first. */
export const withdrawalsOfSubAccounts = listOverTime(subAccountWithdrawals, ({ orderId }) => orderId);

/** An ND broker's sub-accounts, newest first. */
export const subAccounts = listNewestFirst(subAccountList, ({ subUid }) => subUid);

/** Futures assets of one sub-account, as its broker sees them. */
export const readFuturesAssetsOf = async (
  reads: Reads,
  account: ExchangeAccount,
  subUid: string,
  productType: FuturesProductType,
) => (await reads.read(brokerSubAccountFuturesAssets, { subUid, productType }, account)).assetsList;
