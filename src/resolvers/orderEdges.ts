import { Args, type ClassType, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { type ExchangeAccount, isRead, type RequestReads } from "../datasources/index.js";
import { hasPlaced, isFuturesCategory, MAX_EDGE_CALLS } from "../datasources/reads/index.js";
import { type AccountList, Cost, type FieldCost } from "../schema/cost.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { UNKNOWN } from "../schema/enums/exchangeEnum.js";
import { Fill, FillConnection, Order } from "../schema/order.js";
import { PlanOrder, SubOrder } from "../schema/planOrder.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { foundWithAccount, type Of } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { PageArguments } from "./pageArguments.js";
import { CLASSIC_PLAN_KINDS, EXECUTIONS, executionsOf, noExecutions, planLists } from "./tradingLists.js";

/** The orders of several rows share one list, and those that are not in it are read one by one. */
const ORDER: FieldCost = { calls: 2, mostPerAccount: MAX_EDGE_CALLS };
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

/** An order that another record names, together with others. */
async function orderNamed(
  { loaders }: RequestReads,
  account: ExchangeAccount,
  named: Parameters<typeof loaders.account.order>[1],
): Promise<Of<Order> | null> {
  return foundWithAccount(account, await loaders.account.order(account, named));
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
    if ((await reads.modeOf(account)) === "UNIFIED")
      return foundWithAccount(account, await reads.loaders.account.plans.placing(account, order));
    if (!isFuturesCategory(category)) return null;
    const ended = await reads.loaders.account.endedPlanOrders(account, category);
    const found = ended.filter(isRead).find((row) => row.executeOrderId === orderId);
    return foundWithAccount(account, found);
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

const isNothing = (qty: string | null): boolean => qty !== null && /^[0.]+$/.test(qty);

/** From orders, trigger orders and executions to each other. */
export const ORDER_EDGES: readonly ClassType<object>[] = [FillEdges, OrderEdges, PlanOrderEdges, SubOrderEdges];
