import { type ExchangeAccount, mapRows } from "../datasources/index.js";
import {
  balanceInUsdt,
  inEach,
  MAX_SUB_ACCOUNT_CALLS,
  readBrokerInfo,
  readFuturesAssetsOf,
  readSubAccountEmail,
  readSubAccountSpotAssets,
  type Slice,
  subAccounts,
  sumOf,
  withdrawalsOfSubAccounts,
} from "../datasources/reads/index.js";
import {
  Broker,
  BrokerFuturesAsset,
  BrokerInfo,
  SubAccount,
  SubAccountConnection,
  SubAccountContact,
  SubAccountProfile,
  SubAccountSpotAsset,
  SubAccountWithdrawalConnection,
} from "../schema/broker.js";
import type { FieldCost } from "../schema/cost.js";
import { SubAccountAssetType, SubAccountStatusInput } from "../schema/enums/broker.js";
import { of, text } from "../schema/fields.js";
import { accountCoins } from "../schema/listLengths.js";
import { extended } from "../schema/record.js";
import { Decimal } from "../schema/scalars.js";
import { accountList } from "./accountList.js";
import { type AccountScoped, withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import { FUTURES, ofProductTypes, PRODUCT_TYPE, paged, usdtPrice } from "./fieldCosts.js";
import { accountField, marketField, resolversOf } from "./fieldTable.js";
import { WITHIN_HALF_A_MINUTE } from "./maxAge.js";
import { CreatedArguments, HistoryArguments, partial } from "./pageArguments.js";

type ExchangeWithdrawal = RowOf<typeof withdrawalsOfSubAccounts>;
/** The rows of a paged list. */
type RowOf<L extends { read(...asked: never): Promise<Slice<object>> }> = Exclude<
  Awaited<ReturnType<L["read"]>>["rows"][number]["row"],
  Error
>;

/** A withdrawal in the graph's words. */
export const subAccountWithdrawalOf = (account: ExchangeAccount, { userId, confirm, ...row }: ExchangeWithdrawal) =>
  withAccount(account, { ...row, subUid: userId, confirmations: confirm });

/** Sub-accounts that are asked for together share pages of the list. */
const ONE_SUB_ACCOUNT: FieldCost = { calls: 1, mostPerAccount: MAX_SUB_ACCOUNT_CALLS };

export const BrokerResolver = resolversOf(Broker, {
  info: accountField(BrokerInfo, {
    description: "How many sub-accounts it has, and may have. Source: GET /api/v2/broker/account/info",
    cost: { calls: 1 },
    args: { maxAgeMs: WITHIN_HALF_A_MINUTE },
    resolve: (account: ExchangeAccount, { reads }, { maxAgeMs }) => readBrokerInfo(reads.within(maxAgeMs), account),
  }),
  subAccounts: accountList(SubAccountConnection, {
    description:
      "The broker's sub-accounts, newest first. The exchange answers one call per second. Source: GET /api/v2/broker/account/subaccount-list",
    list: subAccounts,
    filter: { status: of(SubAccountStatusInput).optional("Only sub-accounts in this state") },
    page: CreatedArguments,
    maxAgeMs: WITHIN_HALF_A_MINUTE,
    node: (account, profile) => ({ account, subUid: profile.subUid, profile }),
  }),
  subAccount: accountField.orNull(SubAccount, {
    description:
      "One sub-account; null if the exchange lists none with this identifier. Source: GET /api/v2/broker/account/subaccount-list",
    cost: ONE_SUB_ACCOUNT,
    args: { subUid: text("User identifier of the sub-account") },
    resolve: async (account: ExchangeAccount, { reads }, { subUid }) =>
      (await reads.loaders.account.subAccounts.has(account, subUid)) ? { account, subUid } : null,
  }),
  withdrawals: accountField(SubAccountWithdrawalConnection, {
    description:
      "Withdrawals from sub-accounts, newest first. Default: the last three months. Source: GET /api/v2/broker/subaccount-withdrawal",
    cost: paged(withdrawalsOfSubAccounts.pages),
    args: extended(HistoryArguments, {
      subUid: text.optional("Only withdrawals from this sub-account"),
      orderId: text.optional("Only the withdrawal with this identifier"),
    }),
    resolve: async (account: ExchangeAccount, { reads }, { subUid, orderId, ...history }) => {
      const slice = await withdrawalsOfSubAccounts.read(reads, account, { userId: subUid, orderId }, partial(history));
      return connectionFrom(slice, history.after, (row) => subAccountWithdrawalOf(account, row));
    },
  }),
});

/** A sub-account from a list already has its profile. */
type FoundSubAccount = AccountScoped<SubAccount> & { readonly profile?: SubAccountProfile };

export const SubAccountResolver = resolversOf(SubAccount, {
  profile: accountField.orNull(SubAccountProfile, {
    description:
      "Profile of the sub-account; null if the exchange lists none. No call of its own where the sub-account comes from `subAccounts`. Source: GET /api/v2/broker/account/subaccount-list",
    cost: ONE_SUB_ACCOUNT,
    resolve: async ({ account, subUid, profile }: FoundSubAccount, { reads }) =>
      profile ?? reads.loaders.account.subAccounts.find(account, subUid),
  }),
  contact: accountField(SubAccountContact, {
    description: "Contact data of the sub-account. Source: GET /api/v2/broker/account/subaccount-email",
    cost: { calls: 1 },
    args: { maxAgeMs: WITHIN_HALF_A_MINUTE },
    resolve: ({ account, subUid }: FoundSubAccount, { reads }, { maxAgeMs }) =>
      readSubAccountEmail(reads.within(maxAgeMs), account, subUid),
  }),
  spotAssets: accountField([SubAccountSpotAsset], {
    description: "Spot assets. Source: GET /api/v2/broker/account/subaccount-spot-assets",
    cost: { calls: 1, rows: accountCoins },
    args: {
      coin: text.optional("Only this coin; it takes precedence over `assetType`"),
      assetType: of(SubAccountAssetType).optional("Coins held, or all coins. Default: HOLD_ONLY"),
      maxAgeMs: WITHIN_HALF_A_MINUTE,
    },
    resolve: ({ account, subUid }: FoundSubAccount, { reads }, { coin, assetType, maxAgeMs }) =>
      readSubAccountSpotAssets(reads.within(maxAgeMs), account, subUid, { coin, assetType }),
  }),
  futuresAssets: accountField([BrokerFuturesAsset], {
    description: "Futures accounts, one per margin coin. Source: GET /api/v2/broker/account/subaccount-future-assets",
    cost: ofProductTypes,
    args: { productType: PRODUCT_TYPE, maxAgeMs: WITHIN_HALF_A_MINUTE },
    resolve: ({ account, subUid }: FoundSubAccount, { reads }, { productType, maxAgeMs }) =>
      inEach(productType, FUTURES, async (one) =>
        mapRows(await readFuturesAssetsOf(reads.within(maxAgeMs), account, subUid, one), (asset) => ({
          productType: one,
          ...asset,
        })),
      ),
  }),
});

export const SubAccountWithdrawalsResolver = resolversOf(SubAccount, {
  withdrawals: accountField(SubAccountWithdrawalConnection, {
    description:
      "Withdrawals from the sub-account, newest first. Default: the last three months. Source: GET /api/v2/broker/subaccount-withdrawal",
    cost: paged(withdrawalsOfSubAccounts.pages),
    args: HistoryArguments,
    resolve: async ({ account, subUid }: FoundSubAccount, { reads }, history) => {
      const slice = await withdrawalsOfSubAccounts.read(reads, account, { userId: subUid, orderId: null }, partial(history));
      return connectionFrom(slice, history.after, (row) => subAccountWithdrawalOf(account, row));
    },
  }),
});

export const SubAccountSpotAssetResolver = resolversOf(SubAccountSpotAsset, {
  valueUsdt: marketField.orNull(Decimal, {
    description:
      "Value of the available, frozen and locked amounts in USDT, at the last price of the coin's spot pair with USDT; null where there is no such pair. One call for any number of coins. Source: GET /api/v3/market/tickers",
    cost: usdtPrice,
    resolve: ({ coin, available, frozen, locked }: SubAccountSpotAsset, { reads }) =>
      balanceInUsdt(reads, { coin, equity: sumOf([available, frozen, locked]) }),
  }),
});
