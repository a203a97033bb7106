import { Arg, type ClassType, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { type ExchangeAccount, mapRows, type Row } from "../datasources/index.js";
import {
  balanceInUsdt,
  inEach,
  readBalances,
  readFundingBalances,
  readFuturesAccounts,
  readSubAccountFuturesAssets,
  readTotalEquity,
  readUnifiedAssets,
} from "../datasources/reads/index.js";
import {
  Account,
  Balance,
  FundingBalance,
  FuturesAccount,
  SubAccountFuturesAssets,
  UnifiedAsset,
  UnifiedAssets,
} from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { FuturesProductType } from "../schema/enums/category.js";
import { accountCoins, named } from "../schema/listLengths.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import { type AccountScoped, rowsWithAccount } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { FUTURES, ofProductTypes, only, PRODUCT_TYPE, usdtPrice } from "./fieldCosts.js";
import { ONLY_COINS, WITHIN_A_MINUTE, WITHIN_TEN_SECONDS } from "./pageArguments.js";

const IN_USDT =
  "at the last price of the coin's spot pair with USDT, exact; null where there is no such pair. One call for any number of coins. Source: GET /api/v3/market/tickers";

@Resolver(() => Account)
export class BalancesResolver {
  @RequiresScope("read:account")
  @Cost({ calls: (_args, { mode }) => (mode === "UNIFIED" ? 1 : 1 + FUTURES.length), ...usdtPrice })
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Total value of the account's trading accounts, in USDT: a unified account's own figure, or the sum of Classic spot at spot prices and the futures accounts. Funding account, loans and earn products are not included; null if the exchange leaves out its figure. Source: GET /api/v3/account/assets, or GET /api/v2/spot/account/assets and GET /api/v2/mix/account/accounts",
  })
  totalEquity(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return readTotalEquity(reads, account);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: named("coins", accountCoins) })
  @FieldResolver(() => [Balance], {
    nullable: "itemsAndList",
    description: "Balances for trading, one per coin. Source: GET /api/v3/account/assets, or GET /api/v2/spot/account/assets",
  })
  async balances(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("coins", () => [String], ONLY_COINS) coins?: readonly string[] | null,
  ): Promise<Iterable<AccountScoped<Omit<Balance, "account">> | Error>> {
    return rowsWithAccount(account, await readBalances(reads, account, coins));
  }

  @RequiresScope("read:account")
  @Cost(only("UNIFIED", { rows: named("coins", accountCoins) }))
  @FieldResolver(() => [FundingBalance], {
    nullable: "itemsAndList",
    description: "Balances of the funding account. Unified accounts only. Source: GET /api/v3/account/funding-assets",
  })
  async fundingBalances(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("coins", () => [String], ONLY_COINS) coins?: readonly string[] | null,
    @Arg("maxAgeMs", () => Int, WITHIN_TEN_SECONDS) maxAgeMs?: number | null,
  ): Promise<Iterable<AccountScoped<Omit<FundingBalance, "account">> | Error>> {
    return rowsWithAccount(account, await readFundingBalances(reads.within(maxAgeMs), account, coins));
  }

  @RequiresScope("read:account")
  @Cost(only("UNIFIED", {}))
  @FieldResolver(() => UnifiedAssets, {
    nullable: true,
    description: "Equity and margin of the account as a whole. Unified accounts. Source: GET /api/v3/account/assets",
  })
  unifiedAssets(@Root() account: ExchangeAccount, @Ctx() { reads }: RequestContext): Promise<UnifiedAssets> {
    return readUnifiedAssets(reads, account);
  }

  @RequiresScope("read:account")
  @Cost(only("CLASSIC", ofProductTypes))
  @FieldResolver(() => [FuturesAccount], {
    nullable: "itemsAndList",
    description:
      "The futures accounts of a product type, or of all, one per margin coin. Classic accounts. Source: GET /api/v2/mix/account/accounts",
  })
  async futuresAccounts(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("productType", () => FuturesProductType, PRODUCT_TYPE) productType?: FuturesProductType | null,
  ): Promise<readonly Row<AccountScoped<Omit<FuturesAccount, "account">>>[]> {
    return inEach(productType, FUTURES, async (one) =>
      mapRows(await readFuturesAccounts(reads, account, one), (wallet) => ({ account, productType: one, ...wallet })),
    );
  }

  @RequiresScope("read:account")
  @Cost(only("CLASSIC", { rows: 500 }))
  @FieldResolver(() => [SubAccountFuturesAssets], {
    nullable: "itemsAndList",
    description:
      "The futures assets of all sub-accounts. For Classic master accounts that are not ND brokers. The exchange answers one call in ten seconds. Source: GET /api/v2/mix/account/sub-account-assets",
  })
  async subAccountFuturesAssets(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("productType", () => FuturesProductType, { description: "Futures category, by the coin of the margin" })
    productType: FuturesProductType,
    @Arg("maxAgeMs", () => Int, WITHIN_A_MINUTE) maxAgeMs?: number | null,
  ): Promise<readonly Row<SubAccountFuturesAssets>[]> {
    const funds = await readSubAccountFuturesAssets(reads.within(maxAgeMs), account, productType);
    return mapRows(funds, (one) => ({ account, productType, ...one }));
  }
}

/** From a balance to its value. `part`: what is valued. */
function valueEdge<B extends object>(
  type: ClassType<B>,
  part: string,
  equityOf: (balance: B) => Parameters<typeof balanceInUsdt>[1],
) {
  @Resolver(() => type)
  class ValueEdge {
    @RequiresScope("read:market")
    @Cost(usdtPrice)
    @FieldResolver(() => Decimal, { nullable: true, description: `The ${part}'s value in USDT, ${IN_USDT}` })
    valueUsdt(@Root() balance: B, @Ctx() { reads }: RequestContext): Promise<string | null> {
      return balanceInUsdt(reads, equityOf(balance));
    }
  }
  return ValueEdge;
}

export const VALUE_EDGES = [
  valueEdge(Balance, "equity", (balance) => balance),
  valueEdge(UnifiedAsset, "equity", (asset) => asset),
  valueEdge(FundingBalance, "balance", ({ coin, balance }) => ({ coin, equity: balance })),
];
