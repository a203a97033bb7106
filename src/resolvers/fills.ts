import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { fillPages, readFills } from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { FillConnection } from "../schema/fill.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { HistoryArguments } from "./pageArguments.js";

@Arguments()
class FillsArguments extends extended(HistoryArguments, {
  category: of(ProductCategoryInput)("Product category"),
  orderId: text.optional("Only executions of the order with this identifier"),
}) {}

@Resolver(() => Account)
export class FillsResolver {
  @RequiresScope("read:account")
  @Cost(paged(fillPages))
  @FieldResolver(() => FillConnection, {
    nullable: true,
    description:
      "Executions of the account's orders, newest first: of the last 90 days; Classic futures without times the latest ones. Source: GET /api/v3/trade/fills, or GET /api/v2/spot/trade/fills or GET /api/v2/mix/order/fills and GET /api/v2/mix/order/fill-history",
  })
  async fills(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => FillsArguments) { category, orderId, ...history }: FillsArguments,
  ): Promise<FillConnection> {
    const filter = { category, orderId };
    return connectionFrom(await readFills(reads, account, filter, history), history.after, (row) => withAccount(account, row));
  }
}
