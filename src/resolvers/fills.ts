import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { CATEGORIES_OF, fillPages, readFills, requestedCategories } from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { FillConnection } from "../schema/order.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { pagedByCategory } from "./fieldCosts.js";
import { HistoryArguments } from "./pageArguments.js";

@Arguments()
class FillsArguments extends extended(HistoryArguments, {
  category: of(ProductCategoryInput).optional(
    "Only executions in this product category. Default: all, one call of a unified account and one for each list of a Classic one",
  ),
  symbol: text.optional("Only executions in this symbol; a page of a unified account may have fewer then, and others behind it"),
  orderId: text.optional("Only executions of the order with this identifier"),
}) {}

@Resolver(() => Account)
export class FillsResolver {
  @RequiresScope("read:account")
  @Cost(pagedByCategory(fillPages))
  @FieldResolver(() => FillConnection, {
    nullable: true,
    description:
      "Executions of the account's orders, newest first: of the last 90 days; Classic futures without times the latest ones. Source: GET /api/v3/trade/fills, or GET /api/v2/spot/trade/fills or GET /api/v2/mix/order/fills and GET /api/v2/mix/order/fill-history",
  })
  async fills(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => FillsArguments) { category: one, symbol, orderId, ...history }: FillsArguments,
  ): Promise<FillConnection> {
    const category = one ?? (await requestedCategories(reads, account, { symbol }, (mode) => CATEGORIES_OF[mode]));
    return accountConnection(readFills, reads, account, { category, symbol, orderId }, history);
  }
}
