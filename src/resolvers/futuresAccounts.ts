import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { type ExchangeAccount, mapRows, type Row } from "../datasources/index.js";
import { inEach, readFuturesAccounts, readSubAccountFuturesAssets } from "../datasources/reads/index.js";
import { Account, FuturesAccount, SubAccountFuturesAssets } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { FuturesProductType } from "../schema/enums/category.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { AccountScoped } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { FUTURES, ofProductTypes, only, PRODUCT_TYPE } from "./fieldCosts.js";
import { WITHIN_A_MINUTE } from "./maxAge.js";

@Resolver(() => Account)
export class FuturesAccountsResolver {
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
