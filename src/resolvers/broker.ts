import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { type ExchangeAccount, mapRows, type Row } from "../datasources/index.js";
import {
  balanceInUsdt,
  inEach,
  MAX_SUB_ACCOUNT_CALLS,
  readBrokerInfo,
  readFuturesAssetsOf,
  readSubAccountEmail,
  readSubAccountSpotAssets,
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
import { Cost, type FieldCost } from "../schema/cost.js";
import { SubAccountAssetType, SubAccountStatusInput } from "../schema/enums/broker.js";
import { FuturesProductType } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { accountCoins } from "../schema/listLengths.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import { type AccountScoped, withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { FUTURES, ofProductTypes, PRODUCT_TYPE, paged, usdtPrice } from "./fieldCosts.js";
import { CreatedArguments, HistoryArguments, partial, WITHIN_HALF_A_MINUTE } from "./pageArguments.js";

@Arguments()
class SubAccountsArguments extends extended(CreatedArguments, {
  status: of(SubAccountStatusInput).optional("Only sub-accounts in this state"),
}) {}

@Arguments()
class WithdrawalsArguments extends extended(HistoryArguments, {
  subUid: text.optional("Only withdrawals from this sub-account"),
  orderId: text.optional("Only the withdrawal with this identifier"),
}) {}

type ExchangeWithdrawal = Exclude<Awaited<ReturnType<typeof withdrawalsOfSubAccounts.read>>["rows"][number]["row"], Error>;

/** Converts a sub-account's withdrawal to its type in the graph. */
export const subAccountWithdrawalOf = (account: ExchangeAccount, { userId, confirm, ...row }: ExchangeWithdrawal) =>
  withAccount(account, { ...row, subUid: userId, confirmations: confirm });

/** Sub-accounts that are loaded together share pages of the list. */
const ONE_SUB_ACCOUNT: FieldCost = { calls: 1, mostPerAccount: MAX_SUB_ACCOUNT_CALLS };

@Resolver(() => Broker)
export class BrokerResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => BrokerInfo, {
    nullable: true,
    description: "How many sub-accounts it has, and may have. Source: GET /api/v2/broker/account/info",
  })
  info(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<BrokerInfo> {
    return readBrokerInfo(reads.within(maxAgeMs), account);
  }

  @RequiresScope("read:account")
  @Cost(paged(subAccounts.pages))
  @FieldResolver(() => SubAccountConnection, {
    nullable: true,
    description:
      "The broker's sub-accounts, newest first. The exchange answers one call per second. Source: GET /api/v2/broker/account/subaccount-list",
  })
  async subAccounts(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => SubAccountsArguments) { status, ...page }: SubAccountsArguments,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SubAccountConnection> {
    const slice = await subAccounts.read(reads.within(maxAgeMs), account, { status }, partial(page));
    return connectionFrom(slice, page.after, (profile) => ({ account, subUid: profile.subUid, profile }));
  }

  @RequiresScope("read:account")
  @Cost(ONE_SUB_ACCOUNT)
  @FieldResolver(() => SubAccount, {
    nullable: true,
    description:
      "One sub-account; null if the exchange lists none with this identifier. Source: GET /api/v2/broker/account/subaccount-list",
  })
  async subAccount(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("subUid", () => String, { description: "User identifier of the sub-account" }) subUid: string,
  ): Promise<FoundSubAccount | null> {
    return (await reads.loaders.account.subAccounts.has(account, subUid)) ? { account, subUid } : null;
  }

  @RequiresScope("read:account")
  @Cost(paged(withdrawalsOfSubAccounts.pages))
  @FieldResolver(() => SubAccountWithdrawalConnection, {
    nullable: true,
    description:
      "Withdrawals from sub-accounts, newest first. Default: the last three months. Source: GET /api/v2/broker/subaccount-withdrawal",
  })
  async withdrawals(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => WithdrawalsArguments) { subUid, orderId, ...history }: WithdrawalsArguments,
  ): Promise<SubAccountWithdrawalConnection> {
    const slice = await withdrawalsOfSubAccounts.read(reads, account, { userId: subUid, orderId }, partial(history));
    return connectionFrom(slice, history.after, (row) => subAccountWithdrawalOf(account, row));
  }
}

/** A sub-account from a list already has its profile. */
type FoundSubAccount = AccountScoped<SubAccount> & { readonly profile?: SubAccountProfile };

@Resolver(() => SubAccount)
export class SubAccountResolver {
  @RequiresScope("read:account")
  @Cost(ONE_SUB_ACCOUNT)
  @FieldResolver(() => SubAccountProfile, {
    nullable: true,
    description:
      "Profile of the sub-account; null if the exchange lists none. No call of its own where the sub-account comes from `subAccounts`. Source: GET /api/v2/broker/account/subaccount-list",
  })
  async profile(
    @Root() { account, subUid, profile }: FoundSubAccount,
    @Ctx() { reads }: RequestContext,
  ): Promise<SubAccountProfile | null> {
    return profile ?? reads.loaders.account.subAccounts.find(account, subUid);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => SubAccountContact, {
    nullable: true,
    description: "Contact data of the sub-account. Source: GET /api/v2/broker/account/subaccount-email",
  })
  contact(
    @Root() { account, subUid }: FoundSubAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<SubAccountContact> {
    return readSubAccountEmail(reads.within(maxAgeMs), account, subUid);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: accountCoins })
  @FieldResolver(() => [SubAccountSpotAsset], {
    nullable: "itemsAndList",
    description: "Spot assets. Source: GET /api/v2/broker/account/subaccount-spot-assets",
  })
  spotAssets(
    @Root() { account, subUid }: FoundSubAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("coin", () => String, { nullable: true, description: "Only this coin; it takes precedence over `assetType`" })
    coin?: string | null,
    @Arg("assetType", () => SubAccountAssetType, {
      nullable: true,
      description: "Coins held, or all coins. Default: HOLD_ONLY",
    })
    assetType?: SubAccountAssetType | null,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<readonly Row<SubAccountSpotAsset>[]> {
    return readSubAccountSpotAssets(reads.within(maxAgeMs), account, { subUid, coin, assetType });
  }

  @RequiresScope("read:account")
  @Cost(ofProductTypes)
  @FieldResolver(() => [BrokerFuturesAsset], {
    nullable: "itemsAndList",
    description: "Futures accounts, one per margin coin. Source: GET /api/v2/broker/account/subaccount-future-assets",
  })
  futuresAssets(
    @Root() { account, subUid }: FoundSubAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("productType", () => FuturesProductType, PRODUCT_TYPE) productType?: FuturesProductType | null,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<readonly Row<BrokerFuturesAsset>[]> {
    return inEach(productType, FUTURES, async (one) =>
      mapRows(await readFuturesAssetsOf(reads.within(maxAgeMs), account, subUid, one), (asset) => ({
        productType: one,
        ...asset,
      })),
    );
  }

  @RequiresScope("read:account")
  @Cost(paged(withdrawalsOfSubAccounts.pages))
  @FieldResolver(() => SubAccountWithdrawalConnection, {
    nullable: true,
    description:
      "Withdrawals from the sub-account, newest first. Default: the last three months. Source: GET /api/v2/broker/subaccount-withdrawal",
  })
  async withdrawals(
    @Root() { account, subUid }: FoundSubAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => HistoryArguments) history: HistoryArguments,
  ): Promise<SubAccountWithdrawalConnection> {
    const slice = await withdrawalsOfSubAccounts.read(reads, account, { userId: subUid, orderId: null }, partial(history));
    return connectionFrom(slice, history.after, (row) => subAccountWithdrawalOf(account, row));
  }
}

@Resolver(() => SubAccountSpotAsset)
export class SubAccountSpotAssetResolver {
  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Value of the available, frozen and locked amounts in USDT, at the last price of the coin's spot pair with USDT; null where there is no such pair. One call for any number of coins. Source: GET /api/v3/market/tickers",
  })
  valueUsdt(
    @Root() { coin, available, frozen, locked }: SubAccountSpotAsset,
    @Ctx() { reads }: RequestContext,
  ): Promise<string | null> {
    return balanceInUsdt(reads, { coin, equity: sumOf([available, frozen, locked]) });
  }
}
