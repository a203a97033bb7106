import { type GraphQLResolveInfo, OperationTypeNode } from "graphql";
import { Arg, Args, Ctx, FieldResolver, Info, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  closedPositionPages,
  distanceToLiquidationOf,
  type PositionExit as Exit,
  MAX_SINGLE_READS,
  notionalOf,
  readAutoMargin,
  readClosedPositions,
  readPositions,
  readPositionTpsl,
  requestedCategories,
} from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { type ArgumentValues, Cost, type CostContext, type FieldCost } from "../schema/cost.js";
import { categoryNamed, FuturesCategoryInput } from "../schema/enums/category.js";
import { of, text } from "../schema/fields.js";
import { symbolsIn } from "../schema/listLengths.js";
import { HistoricalPositionConnection, Position, PositionExit } from "../schema/position.js";
import { Arguments, extended } from "../schema/record.js";
import { InheritsScope, RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import { type AccountScoped, rowsWithAccount } from "./accountScoped.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { FUTURES, pagedByCategory } from "./fieldCosts.js";
import { HistoryArguments } from "./pageArguments.js";

const POSITIONS = 1_000;
/** Maximum number of open positions of a symbol: one per side, for coin margin in each of a few coins. */
const positionsOf = (category: string): number => (category === "COIN-FUTURES" ? 6 : 2);
/** The categories that are read: the requested one, or all three. */
const readCategories = (category: unknown): readonly string[] => {
  const one = categoryNamed(category);
  return one === undefined ? FUTURES : [one];
};
const positionRows = ({ category, symbol }: ArgumentValues, place: CostContext): number =>
  readCategories(category)
    .map((one) => positionsOf(one) * (typeof symbol === "string" ? 1 : symbolsIn(place, [one])))
    .reduce((sum, rows) => Math.min(sum + rows, POSITIONS), 0);

/** A Classic account's positions contain them; pushed positions do not, but their mode is not known here. */
const TPSL_COST: FieldCost = { accountLists: (_args, { mode }) => (mode === "CLASSIC" ? [] : [{ page: "tpsl" }]) };

type PositionRecord = Exclude<Awaited<ReturnType<typeof readPositions>>[number], Error>;

@Arguments()
class PositionHistoryArguments extends extended(HistoryArguments, {
  category: of(FuturesCategoryInput).optional("Only this futures category. Default: all, from one list each"),
  symbol: text.optional("Only positions in this symbol"),
}) {}

@Resolver(() => Account)
export class PositionsResolver {
  @RequiresScope("read:account")
  @Cost({ calls: ({ category }) => readCategories(category).length, rows: positionRows })
  @FieldResolver(() => [Position], {
    nullable: "itemsAndList",
    description:
      "Open futures positions. Default: all three categories, with one call each. Source: GET /api/v3/position/current-position, or GET /api/v2/mix/position/all-position",
  })
  async positions(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Arg("category", () => FuturesCategoryInput, { nullable: true, description: "Futures category. Default: all" })
    category?: FuturesCategoryInput | null,
    @Arg("symbol", () => String, { nullable: true, description: "Only positions in this symbol" }) symbol?: string | null,
  ): Promise<Iterable<AccountScoped<PositionRecord> | Error>> {
    const rows = await readPositions(reads, account, { category, symbol }, true);
    return rowsWithAccount(account, rows);
  }

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

const WHOLE =
  "Null if there is none, or only for a part of the position: those are in `planOrders`. Of several, the one that the price reaches first. Source: the list of positions; of a unified account, GET /api/v3/trade/unfilled-strategy-orders, one call for all positions of a category";

/** A take-profit or stop-loss with its position's account, which the edge to its trigger order needs. */
export type OwnedExit = AccountScoped<Exit> & Pick<PositionRecord, "category">;

/** Positions of an event are as pushed, and pushes of a Classic account do not contain these. */
async function tpslOf(
  position: AccountScoped<PositionRecord>,
  role: "takeProfit" | "stopLoss",
  { reads }: RequestContext,
  { operation }: GraphQLResolveInfo,
): Promise<OwnedExit | null> {
  const isPushed = operation.operation === OperationTypeNode.SUBSCRIPTION;
  const { account, category } = position;
  const exit = await readPositionTpsl(reads, account, position, role, isPushed);
  return exit === null ? null : { account, category, ...exit };
}

@Resolver(() => Position)
export class PositionResolver {
  @InheritsScope()
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "Value of the position at its mark price, in quote coin, positive for long and short alike; null without a mark price",
  })
  notional(@Root() position: PositionRecord): string | null {
    return notionalOf(position);
  }

  @InheritsScope()
  @FieldResolver(() => Decimal, {
    nullable: true,
    description:
      "How far the mark price may move against the position until it is liquidated, as a fraction of the mark price; null where there is no liquidation price",
  })
  distanceToLiquidation(@Root() position: PositionRecord): string | null {
    return distanceToLiquidationOf(position);
  }

  @RequiresScope("read:account")
  @Cost(TPSL_COST)
  @FieldResolver(() => PositionExit, {
    nullable: true,
    description: `The take-profit of the whole position (\`takeProfit\`, \`takeProfitId\`). ${WHOLE}`,
  })
  takeProfit(
    @Root() position: AccountScoped<PositionRecord>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<OwnedExit | null> {
    return tpslOf(position, "takeProfit", context, info);
  }

  @RequiresScope("read:account")
  @Cost(TPSL_COST)
  @FieldResolver(() => PositionExit, {
    nullable: true,
    description: `The stop-loss of the whole position (\`stopLoss\`, \`stopLossId\`). ${WHOLE}`,
  })
  stopLoss(
    @Root() position: AccountScoped<PositionRecord>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<OwnedExit | null> {
    return tpslOf(position, "stopLoss", context, info);
  }

  @RequiresScope("read:account")
  @Cost({ calls: (_args, { mode }) => (mode === "UNIFIED" ? 0 : 1), mostPerAccount: MAX_SINGLE_READS })
  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      "Whether margin is added automatically; null on a unified account. One call per symbol, for at most 50 symbols of an account; none if the position stream has it. Source: GET /api/v2/mix/position/single-position",
  })
  async hasAutoMargin(
    @Root() { account, ...position }: AccountScoped<PositionRecord>,
    @Ctx() { reads }: RequestContext,
  ): Promise<boolean | null> {
    return position.hasAutoMargin ?? readAutoMargin(reads, account, position);
  }
}
