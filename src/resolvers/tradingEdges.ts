import { Args, type ClassType, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { type ExchangeAccount, isRead, mapRows, type RequestReads, type Row } from "../datasources/index.js";
import {
  callsAtMost,
  type ExecutedThing,
  executionsAsked,
  FUNDING_PAGES,
  fundingPaymentPages,
  hasPlaced,
  isFuturesCategory,
  isOfPosition,
  MAX_EDGE_CALLS,
  MAX_FIRST,
  planOrderPages,
  sliceOf,
} from "../datasources/reads/index.js";
import { type AccountList, Cost, type FieldCost } from "../schema/cost.js";
import type { AccountMode } from "../schema/enums/account.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { UNKNOWN } from "../schema/enums/exchangeEnum.js";
import { Fill, FillConnection } from "../schema/fill.js";
import { FinancialRecord } from "../schema/financialRecord.js";
import { HistoricalPosition } from "../schema/historicalPosition.js";
import { Order } from "../schema/order.js";
import { PlanOrder, SubOrder } from "../schema/planOrder.js";
import { Position, PositionExit } from "../schema/position.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { type AccountScoped, withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { first } from "./fieldCosts.js";
import { PageArguments } from "./pageArguments.js";
import type { OwnedExit } from "./positions.js";

/** A record of an account, without its resolved fields. */
type Of<T> = AccountScoped<Omit<T, "account" | "id">>;

/** Pages of the exchange in the longest list that an edge reads whole. */
const PAGES = [1, 2, 3, 4, 5];
const pagesOf = (list: string, isOfAll = false): readonly AccountList[] =>
  PAGES.map((page) => ({ page: `${list} ${page}`, isOfAll }));
/** Kinds of trigger orders with a list of their own on a Classic account. */
const CLASSIC_PLAN_KINDS = ["normal_plan", "track_plan", "profit_loss"];

/** The executions of several rows share one list, and those that are not in it are read one by one. */
const EXECUTIONS: FieldCost = {
  calls: 2 * PAGES.length,
  mostPerAccount: MAX_EDGE_CALLS,
  rows: first,
};
/** The same for the orders of several rows. */
const ORDER: FieldCost = { calls: 2, mostPerAccount: MAX_EDGE_CALLS };
const OPEN_ORDERS: FieldCost = {
  accountLists: (_args, { mode }) => pagesOf("openOrders", mode === "UNIFIED"),
  rows: 20,
};
/** Lists of open trigger orders; those of a unified account come whole. */
const planLists = (mode: AccountMode) =>
  (typeof planOrderPages === "function" ? planOrderPages(mode, FIRST_PAGE) : planOrderPages).lists;
const FIRST_PAGE = { hasCursor: false, category: "USDT-FUTURES" };
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
const PLACING_ORDER: FieldCost = {
  calls: (_asked, { mode }) => (mode === "CLASSIC" ? 0 : 5),
  mostPerAccount: MAX_EDGE_CALLS,
  accountLists: (_asked, { mode, category }) => [
    ...(mode === "UNIFIED" ? [] : CLASSIC_PLAN_KINDS.map((kind) => ({ page: `ended ${kind}` }))),
    ...(mode === "CLASSIC" ? [] : listsOfPlans(category)),
  ],
};
/** The lists of a unified account's trigger orders, waiting and ended, by category. */
const listsOfPlans = (category: string | undefined): readonly AccountList[] =>
  (category === undefined ? Object.values(ProductCategoryInput) : [category]).flatMap((one) =>
    planLists("UNIFIED").flatMap((_, at) =>
      ["waiting", "ended"].map((state) => ({ page: `${state} ${at} ${one}`, isOfAll: true })),
    ),
  );
/** The order of a trigger order; on a unified account its list of orders comes first. */
const PLACED_ORDER: FieldCost = {
  calls: (_asked, { mode }) => (mode === "CLASSIC" ? 2 : 3),
  mostPerAccount: 2 * MAX_EDGE_CALLS,
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

const executionsOf = async (
  reads: RequestReads,
  account: ExchangeAccount,
  thing: ExecutedThing,
  page: PageArguments,
): Promise<FillConnection> => {
  const owners = reads.identitiesOf(account);
  const asked = executionsAsked(owners, thing, page);
  const found = sliceOf(owners, thing, await reads.loaders.account.executions(account, asked));
  return connectionFrom(found, page.after, (row) => withAccount(account, row));
};

/** For things without executions: no call. */
const noExecutions = (page: PageArguments): FillConnection =>
  connectionFrom({ rows: [], hasNextPage: false }, page.after, (row: never) => row);

const mine = <R extends object>(account: ExchangeAccount, rows: readonly Row<R>[], isMine: (row: R) => boolean) =>
  mapRows(
    rows.filter((row) => !isRead(row) || isMine(row)),
    (row) => withAccount(account, row),
  );

/** An order that another record names, together with others. */
async function orderNamed(
  { loaders }: RequestReads,
  account: ExchangeAccount,
  named: Parameters<typeof loaders.account.order>[1],
): Promise<Of<Order> | null> {
  const order = await loaders.account.order(account, named);
  return order === null ? null : withAccount(account, order);
}

@Resolver(() => Order)
class OrderEdges {
  @RequiresScope("read:account")
  @Cost(EXECUTIONS)
  @FieldResolver(() => FillConnection, {
    nullable: true,
    description:
      "Executions of the order, newest first. Those of several orders come from one list of their category where that takes fewer calls; no call for an order that has not been filled, nor while the stream of executions is live. Source: as `account.fills`",
  })
  async fills(
    @Root() { account, category, symbol, orderId, cumExecQty, createdTime }: Of<Order>,
    @Ctx() { reads }: RequestContext,
    @Args(() => PageArguments) page: PageArguments,
  ): Promise<FillConnection> {
    if (category === UNKNOWN || isNothing(cumExecQty)) return noExecutions(page);
    return executionsOf(reads, account, { category, symbol, orderId, posSide: null, from: createdTime, to: null }, page);
  }

  @RequiresScope("read:account")
  @Cost(PLACING_ORDER)
  @FieldResolver(() => PlanOrder, {
    nullable: true,
    description:
      "The trigger order that placed it, of the latest 100 of each kind that have ended, and of a unified account of those that run; null if it was none of them. One call per kind for any number of orders of a category; on a unified account further ones for the orders of each trigger order that may have placed it. Source: GET /api/v3/trade/unfilled-strategy-orders, history-strategy-orders and strategy-sub-orders, or GET /api/v2/mix/order/orders-plan-history",
  })
  async planOrder(@Root() order: Of<Order>, @Ctx() { reads }: RequestContext): Promise<Of<PlanOrder> | null> {
    const { account, category, orderId } = order;
    if ((await reads.modeOf(account)) === "UNIFIED") {
      const placing = await reads.loaders.account.plans.placing(account, order);
      return placing === null ? null : withAccount(account, placing);
    }
    if (!isFuturesCategory(category)) return null;
    const ended = await reads.loaders.account.endedPlanOrders(account, category);
    const plan = ended.find((row) => isRead(row) && row.executeOrderId === orderId);
    return plan === undefined || !isRead(plan) ? null : withAccount(account, plan);
  }
}

@Resolver(() => Fill)
class FillEdges {
  @RequiresScope("read:account")
  @Cost(ORDER)
  @FieldResolver(() => Order, {
    nullable: true,
    description:
      "The order that was executed; null if the exchange does not keep it any more. Those of several executions come from one page of the history where that takes fewer calls. Source: as `account.order` and `account.orderHistory`",
  })
  async order(
    @Root() { account, category, symbol, orderId, createdTime }: Of<Fill>,
    @Ctx() { reads }: RequestContext,
  ): Promise<Of<Order> | null> {
    if (category === UNKNOWN || orderId === null) return null;
    return orderNamed(reads, account, { category, symbol, orderId, time: createdTime });
  }
}

@Resolver(() => PlanOrder)
class PlanOrderEdges {
  @RequiresScope("read:account")
  @Cost(PLACED_ORDER)
  @FieldResolver(() => Order, {
    nullable: true,
    description:
      "The order that its trigger has placed (`executeOrderId`; on unified accounts the one of `subOrders`); null, without a call, before that, and for iceberg and TWAP orders, which place many. Source: as `subOrders`, `account.order` and `account.orderHistory`",
  })
  async order(@Root() plan: Of<PlanOrder>, @Ctx() { reads }: RequestContext): Promise<Of<Order> | null> {
    const { account, category, symbol, executeOrderId, updatedTime: time } = plan;
    if (category === UNKNOWN) return null;
    if (executeOrderId !== null) return orderNamed(reads, account, { category, symbol, orderId: executeOrderId, time });
    const isOne = plan.planType !== "iceberg" && plan.planType !== "twap" && hasPlaced(plan);
    if (!isOne || (await reads.modeOf(account)) === "CLASSIC") return null;
    const [placed, ...others] = (await reads.loaders.account.plans.subOrders(account, plan)).filter(isRead);
    if (placed === undefined || others.length > 0) return null;
    return orderNamed(reads, account, { category, symbol, orderId: placed.subOrderId, time: placed.createdTime });
  }
}

@Resolver(() => SubOrder)
class SubOrderEdges {
  @RequiresScope("read:account")
  @Cost(ORDER)
  @FieldResolver(() => Order, {
    nullable: true,
    description:
      "The order itself; null if the exchange does not keep it any more. Those of several come from one page of the history where that takes fewer calls. Source: as `account.order` and `account.orderHistory`",
  })
  async order(@Root() { account, ...placed }: Of<SubOrder>, @Ctx() { reads }: RequestContext): Promise<Of<Order> | null> {
    const { category, symbol, subOrderId: orderId, createdTime: time } = placed;
    return category === UNKNOWN ? null : orderNamed(reads, account, { category, symbol, orderId, time });
  }
}

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
    return mine(account, rows, (order) => isOfPosition(order, position));
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
    return mine(account, rows, (plan) => isOfPosition(plan, position));
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
}

@Resolver(() => Position)
class PositionFunding {
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
    return mapRows(await reads.loaders.account.funding(account, { category, symbol, from }), (row) => withAccount(account, row));
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
    const found = rows.find((row) => isRead(row) && row.orderId === planOrderId);
    return found === undefined || !isRead(found) ? null : withAccount(account, found);
  }
}

/** What a closed position's executions are told apart by. */
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
      const order = loader.order(account, named).then((one) => (one === null ? null : withAccount(account, one)));
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

const isNothing = (qty: string | null): boolean => qty !== null && /^[0.]+$/.test(qty);

/** From orders, executions and positions to each other. */
export const TRADING_EDGES: readonly ClassType<object>[] = [
  FillEdges,
  HistoricalPositionEdges,
  OrderEdges,
  PlanOrderEdges,
  PositionEdges,
  PositionExitEdges,
  PositionFunding,
  SubOrderEdges,
];
