import { Args, type ClassType, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { isRead, type Row } from "../datasources/index.js";
import {
  callsAtMost,
  FUNDING_PAGES,
  fundingPaymentPages,
  isFuturesCategory,
  isOfPosition,
  MAX_EDGE_CALLS,
  MAX_FIRST,
} from "../datasources/reads/index.js";
import { Cost, type FieldCost } from "../schema/cost.js";
import { FillConnection, Order } from "../schema/order.js";
import { PlanOrder } from "../schema/planOrder.js";
import { HistoricalPosition, Position, PositionExit } from "../schema/position.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { FinancialRecord } from "../schema/wallet.js";
import { foundWithAccount, type Of, ownedRows, withAccount } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { PageArguments } from "./pageArguments.js";
import type { OwnedExit } from "./positions.js";
import { CLASSIC_PLAN_KINDS, EXECUTIONS, executionsOf, noExecutions, PAGES, pagesOf, planLists } from "./tradingLists.js";

const OPEN_ORDERS: FieldCost = {
  accountLists: (_args, { mode }) => pagesOf("openOrders", mode === "UNIFIED"),
  rows: 20,
};
const PLAN_ORDERS: FieldCost = {
  accountLists: (_args, { mode }) => [
    { page: "tpsl" },
    ...(mode === "CLASSIC" ? [] : planLists("UNIFIED").map((_, at) => ({ page: `plans ${at}` }))),
    ...(mode === "UNIFIED" ? [] : CLASSIC_PLAN_KINDS.flatMap((kind) => pagesOf(kind))),
  ],
  rows: 10,
};
/** On a unified account the trigger order has been read with the price. */
const EXIT_ORDER: FieldCost = {
  accountLists: (_args, { mode }) => (mode === "UNIFIED" ? [] : pagesOf("profit_loss")),
};
/** Funding of all positions of a category. */
const FUNDING: FieldCost = {
  accountLists: (_asked, { mode, outlook, category }) => {
    const page = { first: MAX_FIRST, hasCursor: true, category: category ?? "USDT-FUTURES" };
    const calls = FUNDING_PAGES * callsAtMost(fundingPaymentPages, page, mode, outlook.now());
    return Array.from({ length: calls }, (_, at) => ({ page: `funding ${at}` }));
  },
  rows: 100,
};

@Resolver(() => Position)
class PositionEdges {
  @RequiresScope("read:account")
  @Cost(OPEN_ORDERS)
  @FieldResolver(() => [Order], {
    nullable: "itemsAndList",
    description:
      "Open orders in its symbol, newest first; in hedge mode those of its side. One call for all positions of a unified account, and one per category of a Classic one; none while the stream of orders is live. Source: as `account.openOrders`",
  })
  async openOrders(@Root() position: Of<Position>, @Ctx() { reads }: RequestContext): Promise<readonly Row<Of<Order>>[]> {
    const { account, category } = position;
    if (!isFuturesCategory(category)) return [];
    const rows = await reads.loaders.account.openOrders(account, category);
    return ownedRows(account, rows, (order) => isOfPosition(order, position));
  }

  @RequiresScope("read:account")
  @Cost(PLAN_ORDERS)
  @FieldResolver(() => [PlanOrder], {
    nullable: "itemsAndList",
    description:
      "Open trigger orders in its symbol, newest first; in hedge mode those of its side. One call per kind for all positions of a category; none while the stream of trigger orders is live. Source: as `account.planOrders`",
  })
  async planOrders(@Root() position: Of<Position>, @Ctx() { reads }: RequestContext): Promise<readonly Row<Of<PlanOrder>>[]> {
    const { account, category } = position;
    if (!isFuturesCategory(category)) return [];
    const rows = await reads.loaders.account.planOrders(account, category);
    return ownedRows(account, rows, (plan) => isOfPosition(plan, position));
  }

  @RequiresScope("read:account")
  @Cost(EXECUTIONS)
  @FieldResolver(() => FillConnection, {
    nullable: true,
    description:
      "Executions in its symbol since it was opened, newest first, of the last 90 days; in hedge mode those of its side. Those of several positions come from one list of their category where that takes fewer calls; no call while the stream of executions is live. A page may have fewer rows than `first`, and others behind it. Source: as `account.fills`",
  })
  async fills(
    @Root() { account, category, symbol, posSide, holdMode, createdTime: from }: Of<Position>,
    @Ctx() { reads }: RequestContext,
    @Args(() => PageArguments) page: PageArguments,
  ): Promise<FillConnection> {
    if (!isFuturesCategory(category)) return noExecutions(page);
    const side = holdMode === "one_way_mode" ? null : posSide;
    return executionsOf(reads, account, { category, symbol, orderId: null, posSide: side, from, to: null }, page);
  }

  @RequiresScope("read:account")
  @Cost(FUNDING)
  @FieldResolver(() => [FinancialRecord], {
    nullable: "itemsAndList",
    description:
      "Funding that was paid (`amount` below zero) and received in its symbol since it was opened, newest first, of the last 90 days; in hedge mode for both sides, because the exchange does not say which. `totalFunding` is their sum, without a call. Those of all positions of a category come from one list. Source: as `account.fundingPayments`",
  })
  async fundingPaid(
    @Root() position: Of<Position>,
    @Ctx() { reads }: RequestContext,
  ): Promise<readonly Row<Of<FinancialRecord>>[]> {
    const { account, category, symbol, createdTime: from } = position;
    if (!isFuturesCategory(category)) return [];
    return ownedRows(account, await reads.loaders.account.funding(account, { category, symbol, from }));
  }
}

@Resolver(() => PositionExit)
class PositionExitEdges {
  @RequiresScope("read:account")
  @Cost(EXIT_ORDER)
  @FieldResolver(() => PlanOrder, {
    nullable: true,
    description:
      "The trigger order behind it; null if it is not listed any more. No call of its own on a unified account; one for all positions of a category on a Classic one, and none while the stream of trigger orders is live. Source: as `account.planOrders`",
  })
  async planOrder(
    @Root() { account, category, plan, planOrderId }: OwnedExit,
    @Ctx() { reads }: RequestContext,
  ): Promise<Of<PlanOrder> | null> {
    if (plan !== undefined) return withAccount(account, plan);
    if (planOrderId === null || !isFuturesCategory(category)) return null;
    const rows = await reads.loaders.account.planOrders(account, category, "profit_loss");
    const found = rows.filter(isRead).find((row) => row.orderId === planOrderId);
    return foundWithAccount(account, found);
  }
}

/** What distinguishes the executions of a closed position from those of others. */
const lifeOf = ({ category, symbol, posSide, holdMode, createdTime, updatedTime }: Of<HistoricalPosition>) =>
  isFuturesCategory(category)
    ? {
        category,
        symbol,
        orderId: null,
        posSide: holdMode === "one_way_mode" ? null : posSide,
        from: createdTime,
        to: updatedTime,
      }
    : undefined;

@Resolver(() => HistoricalPosition)
class HistoricalPositionEdges {
  @RequiresScope("read:account")
  @Cost(EXECUTIONS)
  @FieldResolver(() => FillConnection, {
    nullable: true,
    description:
      "Executions in its symbol while it was open, newest first; in hedge mode those of its side. Those of several positions come from one list of their category where that takes fewer calls. A page may have fewer rows than `first`, and others behind it. Source: as `account.fills`",
  })
  async fills(
    @Root() position: Of<HistoricalPosition>,
    @Ctx() { reads }: RequestContext,
    @Args(() => PageArguments) page: PageArguments,
  ): Promise<FillConnection> {
    const life = lifeOf(position);
    return life === undefined ? noExecutions(page) : executionsOf(reads, position.account, life, page);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 2 * PAGES.length + 2, mostPerAccount: 2 * MAX_EDGE_CALLS, rows: 20 })
  @FieldResolver(() => [Order], {
    nullable: "itemsAndList",
    description:
      "Orders whose executions opened, changed or closed it, newest first: those of its newest 500 executions. The calls of `fills`, and those of the orders, together for several positions. Source: as `fills`, and `account.orderHistory`",
  })
  async orders(
    @Root() position: Of<HistoricalPosition>,
    @Ctx() { reads }: RequestContext,
  ): Promise<readonly (Row<Of<Order>> | Error)[]> {
    const { account } = position;
    const life = lifeOf(position);
    if (life === undefined) return [];
    const { account: loader } = reads.loaders;
    const { rows } = await loader.executions(account, { ...life, first: EXECUTIONS_READ, after: null });
    const found = new Map<string, Promise<Of<Order> | Error | null>>();
    for (const row of rows) {
      if (!isRead(row) || row.orderId === null || found.has(row.orderId)) continue;
      const named = { category: life.category, symbol: row.symbol, orderId: row.orderId, time: row.createdTime };
      const order = loader.order(account, named).then((one) => foundWithAccount(account, one));
      found.set(row.orderId, order.catch(asError));
    }
    return (await Promise.all(found.values())).filter((order) => order !== null);
  }
}

const EXECUTIONS_READ = 500;

/** An order that cannot be read has its error in its place. */
function asError(error: unknown): Error {
  if (error instanceof Error) return error;
  throw error;
}

/** From positions, open and closed, to their orders, executions and funding. */
export const POSITION_EDGES: readonly ClassType<object>[] = [HistoricalPositionEdges, PositionEdges, PositionExitEdges];
