import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { closedPositionPages, readClosedPositions, requestedCategories } from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { HistoricalPositionConnection } from "../schema/position.js";
import { Arguments, extended } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { pagedByCategory } from "./fieldCosts.js";
import { HistoryArguments } from "./pageArguments.js";

@Arguments()
class PositionHistoryArguments extends extended(HistoryArguments, {
  category: of(FuturesCategoryInput).optional("Only this futures category. Default: all, from one list each"),
  symbol: text.optional("Only positions in this symbol"),
}) {}

@Resolver(() => Account)
export class PositionHistoryResolver {
  @RequiresScope("read:account")
  @Cost(pagedByCategory(closedPositionPages))
  @FieldResolver(() => HistoricalPositionConnection, {
    nullable: true,
    description:
      "Closed futures positions of the last 90 days, newest first. The exchange answers 30 days at a time; longer periods are combined. Source: GET /api/v3/position/history-position, or GET /api/v2/mix/position/history-position",
  })
  async positionHistory(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => PositionHistoryArguments) { category: one, symbol, ...history }: PositionHistoryArguments,
  ): Promise<HistoricalPositionConnection> {
    const category = one ?? (await requestedCategories(reads, account, { symbol }, () => Object.values(FuturesCategoryInput)));
    return accountConnection(readClosedPositions, reads, account, { category, symbol }, history);
  }
}
