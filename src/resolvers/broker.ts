import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { ExchangeAccount, Row } from "../datasources/index.js";
import { MAX_FIRST, pagesAtMost } from "../datasources/paging/pager.js";
import {
  findSubAccount,
  readBrokerInfo,
  readFuturesAssetsOf,
  readSubAccountEmail,
  readSubAccountSpotAssets,
  readSubAccounts,
  readSubAccountWithdrawals,
  subAccountPages,
  subAccountWithdrawalPages,
} from "../datasources/queries/broker.js";
import { balanceInUsdt } from "../datasources/queries/totalEquity.js";
import { sumOf } from "../datasources/valuation/value.js";
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
import { Cost } from "../schema/cost.js";
import { SubAccountAssetType, SubAccountStatusInput } from "../schema/enums/broker.js";
import { FuturesProductType } from "../schema/enums/category.js";
import { accountCoins, marginCoins } from "../schema/listLengths.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import type { AccountScoped } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { PAGE, paged, usdtPrice } from "./fieldCosts.js";
import { WITHIN_HALF_A_MINUTE } from "./maxAge.js";
import { CreatedArguments, HistoryArguments } from "./pageArguments.js";

@ArgsType()
class SubAccountsArguments extends CreatedArguments {
  @Field(() => SubAccountStatusInput, { nullable: true, description: "Only sub-accounts in this state" })
  readonly status?: SubAccountStatusInput | null;
}

@ArgsType()
class WithdrawalsArguments extends HistoryArguments {
  @Field(() => String, { nullable: true, description: "Only withdrawals from this sub-account" })
  readonly subUid?: string | null;

  @Field(() => String, { nullable: true, description: "Only the withdrawal with this identifier" })
  readonly orderId?: string | null;
}

@Resolver(() => Broker)
export class BrokerResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => BrokerInfo, {
    nullable: true,
    description: "How many sub-accounts there are and may be. Source: GET /api/v2/broker/account/info",
  })
  info(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<BrokerInfo> {
    return readBrokerInfo(reads.within(maxAgeMs), account);
  }

  @RequiresScope("read:account")
  @Cost(paged(subAccountPages))
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
    const slice = await readSubAccounts(reads.within(maxAgeMs), account, { status }, page);
    return connectionFrom(slice, page.after, (profile) => ({ account, subUid: profile.subUid, profile }));
  }

  @RequiresScope("read:account")
  @FieldResolver(() => SubAccount, {
    description: "One sub-account. No upstream call by itself: an unknown identifier fails the fields that are read",
  })
  subAccount(
    @Root() account: ExchangeAccount,
    @Arg("subUid", () => String, { description: "User identifier of the sub-account" }) subUid: string,
  ): SubAccount {
    return { account, subUid };
  }

  @RequiresScope("read:account")
  @Cost(paged(subAccountWithdrawalPages))
  @FieldResolver(() => SubAccountWithdrawalConnection, {
    nullable: true,
    description:
      "What was withdrawn from sub-accounts: the last three months unless asked otherwise, newest first. Source: GET /api/v2/broker/subaccount-withdrawal",
  })
  async withdrawals(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => WithdrawalsArguments) { subUid, orderId, ...history }: WithdrawalsArguments,
  ): Promise<SubAccountWithdrawalConnection> {
    const slice = await readSubAccountWithdrawals(reads, account, { subUid, orderId }, history);
    return connectionFrom(slice, history.after, ({ userId, confirm, ...row }) => ({
      ...row,
      subUid: userId,
      confirmations: confirm,
    }));
  }
}

/** Where a sub-account comes from a list, that has brought its profile along. */
type FoundSubAccount = AccountScoped<SubAccount> & { readonly profile?: SubAccountProfile };

@Resolver(() => SubAccount)
export class SubAccountResolver {
  @RequiresScope("read:account")
  @Cost({ calls: pagesAtMost(MAX_FIRST, PAGE, 1, false), perAccount: true })
  @FieldResolver(() => SubAccountProfile, {
    nullable: true,
    description:
      "Profile of the sub-account. No call of its own where the sub-account comes from `subAccounts`. Source: GET /api/v2/broker/account/subaccount-list",
  })
  async profile(
    @Root() { account, subUid, profile }: FoundSubAccount,
    @Ctx() { reads }: RequestContext,
  ): Promise<SubAccountProfile | null> {
    return profile ?? findSubAccount(reads, account, subUid);
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
    description: "What it holds on spot. Source: GET /api/v2/broker/account/subaccount-spot-assets",
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
    return readSubAccountSpotAssets(reads.within(maxAgeMs), account, subUid, { coin, assetType });
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: marginCoins })
  @FieldResolver(() => [BrokerFuturesAsset], {
    nullable: "itemsAndList",
    description:
      "What it holds on futures, one entry per margin coin. Source: GET /api/v2/broker/account/subaccount-future-assets",
  })
  futuresAssets(
    @Root() { account, subUid }: FoundSubAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("productType", () => FuturesProductType, { description: "Futures category, by the coin of the margin" })
    productType: FuturesProductType,
    @Arg("maxAgeMs", () => Int, WITHIN_HALF_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<readonly Row<BrokerFuturesAsset>[]> {
    return readFuturesAssetsOf(reads.within(maxAgeMs), account, subUid, productType);
  }
}

@Resolver(() => SubAccountSpotAsset)
export class SubAccountSpotAssetResolver {
  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "What is available, frozen and locked together is worth in USDT, at the last price of the coin's spot pair with USDT; null where there is no such pair. One call, however many coins. Source: GET /api/v3/market/tickers",
  })
  valueUsdt(
    @Root() { coin, available, frozen, locked }: SubAccountSpotAsset,
    @Ctx() { reads }: RequestContext,
  ): Promise<string | null> {
    return balanceInUsdt(reads, { coin, equity: sumOf([available, frozen, locked]) });
  }
}
