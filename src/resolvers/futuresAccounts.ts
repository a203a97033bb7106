import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { type ExchangeAccount, mapRows, type Row } from "../datasources/index.js";
import { readFuturesAccounts, readSubAccountFuturesAssets } from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { FuturesProductType } from "../schema/enums/category.js";
import { FuturesAccount, SubAccountFuturesAssets } from "../schema/futuresAccount.js";
import { marginCoins } from "../schema/listLengths.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { type AccountScoped, rowsWithAccount } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { only } from "./fieldCosts.js";
import { WITHIN_A_MINUTE } from "./maxAge.js";

@Resolver(() => Account)
export class FuturesAccountsResolver {
  @RequiresScope("read:account")
  @Cost(only("CLASSIC", { rows: marginCoins }))
  @FieldResolver(() => [FuturesAccount], {
    nullable: "itemsAndList",
    description:
      "The futures accounts of one product type, one per margin coin. Classic accounts. Source: GET /api/v2/mix/account/accounts",
  })
  async futuresAccounts(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("productType", () => FuturesProductType, { description: "Futures category, by the coin of the margin" })
    productType: FuturesProductType,
  ): Promise<readonly Row<AccountScoped<Omit<FuturesAccount, "account">>>[]> {
    const wallets = await readFuturesAccounts(reads, account, productType);
    return mapRows(wallets, (wallet) => ({ account, productType, ...wallet }));
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
  ): Promise<Iterable<SubAccountFuturesAssets | Error>> {
    return rowsWithAccount(account, await readSubAccountFuturesAssets(reads.within(maxAgeMs), account, productType));
  }
}
