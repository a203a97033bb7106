import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  balanceInUsdt,
  readBalances,
  readFundingBalances,
  readTotalEquity,
  readUnifiedAssets,
} from "../datasources/reads/index.js";
import { Account, Balance, FundingBalance, UnifiedAsset, UnifiedAssets } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { accountCoins, named } from "../schema/listLengths.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import { type AccountScoped, rowsWithAccount } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { FUTURES, only, usdtPrice } from "./fieldCosts.js";
import { WITHIN_TEN_SECONDS } from "./maxAge.js";

const COINS = { nullable: true, description: "Only these coins. Default: all" };
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
    @Arg("coins", () => [String], COINS) coins?: readonly string[] | null,
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
    @Arg("coins", () => [String], COINS) coins?: readonly string[] | null,
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
}

@Resolver(() => Balance)
export class BalanceResolver {
  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, { nullable: true, description: `The equity's value in USDT, ${IN_USDT}` })
  valueUsdt(@Root() balance: Balance, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return balanceInUsdt(reads, balance);
  }
}

@Resolver(() => UnifiedAsset)
export class UnifiedAssetResolver {
  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, { nullable: true, description: `The equity's value in USDT, ${IN_USDT}` })
  valueUsdt(@Root() asset: UnifiedAsset, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return balanceInUsdt(reads, asset);
  }
}

@Resolver(() => FundingBalance)
export class FundingBalanceResolver {
  @RequiresScope("read:market")
  @Cost(usdtPrice)
  @FieldResolver(() => Decimal, { nullable: true, description: `The balance's value in USDT, ${IN_USDT}` })
  valueUsdt(@Root() { coin, balance }: FundingBalance, @Ctx() { reads }: RequestContext): Promise<string | null> {
    return balanceInUsdt(reads, { coin, equity: balance });
  }
}
