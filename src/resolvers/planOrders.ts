import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  planOrderHistoryPages,
  planOrderPages,
  readOpenPlanOrders,
  readPlanOrderHistory,
} from "../datasources/reads/queries/planOrders.js";
import { Account } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { PlanOrderConnection } from "../schema/planOrder.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { CreatedArguments, HistoryArguments } from "./pageArguments.js";

const CATEGORY = of(FuturesCategoryInput)("Futures category, by the coin of the margin");

@Arguments()
class PlanOrdersArguments extends extended(CreatedArguments, {
  symbol: text.optional("Only trigger orders in this symbol"),
  category: CATEGORY,
}) {}

@Arguments()
class PlanOrderHistoryArguments extends extended(HistoryArguments, { category: CATEGORY }) {}

@Resolver(() => Account)
export class PlanOrdersResolver {
  @RequiresScope("read:account")
  @Cost(paged(planOrderPages))
  @FieldResolver(() => PlanOrderConnection, {
    nullable: true,
    description:
      "Open trigger orders of futures of every kind, newest first; those of Classic spot are in `openOrders`. Source: GET /api/v3/trade/unfilled-strategy-orders, or GET /api/v2/mix/order/orders-plan-pending",
  })
  async planOrders(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => PlanOrdersArguments) { category, symbol, ...page }: PlanOrdersArguments,
  ): Promise<PlanOrderConnection> {
    const filter = { category, symbol };
    return connectionFrom(await readOpenPlanOrders(reads, account, filter, page), page.after, (row) => withAccount(account, row));
  }

  @RequiresScope("read:account")
  @Cost(paged(planOrderHistoryPages))
  @FieldResolver(() => PlanOrderConnection, {
    nullable: true,
    description:
      "Trigger orders of futures of every kind that have ended, newest first. Source: GET /api/v3/trade/history-strategy-orders, or GET /api/v2/mix/order/orders-plan-history",
  })
  async planOrderHistory(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => PlanOrderHistoryArguments) { category, ...history }: PlanOrderHistoryArguments,
  ): Promise<PlanOrderConnection> {
    const filter = { category };
    return connectionFrom(await readPlanOrderHistory(reads, account, filter, history), history.after, (row) =>
      withAccount(account, row),
    );
  }
}
