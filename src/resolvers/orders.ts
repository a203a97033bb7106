import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  CATEGORIES_OF,
  fillPages,
  isInMarket,
  openOrderPages,
  orderCalls,
  orderHistoryPages,
  readFills,
  readOpenOrders,
  readOrder,
  readOrderHistory,
  requestedCategories,
} from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { Cost, type FieldCost } from "../schema/cost.js";
import { categoryNamed, ProductCategoryInput } from "../schema/enums/category.js";
import { SpotOrderKindInput } from "../schema/enums/order.js";
import { of, text } from "../schema/fields.js";
import { FillConnection, Order, OrderConnection, OrderIdentifier } from "../schema/order.js";
import { Arguments, extended, fieldsOf } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { type AccountScoped, withAccount } from "./accountScoped.js";
import { accountConnection } from "./connection.js";
import type { RequestContext } from "./context.js";
import { FUTURES, paged, pagedByCategory } from "./fieldCosts.js";
import { CreatedArguments, HistoryArguments } from "./pageArguments.js";

const OPEN_ORDERS: FieldCost = {
  ...paged(openOrderPages),
  // Without a category the symbol is looked up in all categories.
  lists: ({ category, symbol }, { mode }) =>
    mode === "UNIFIED" || typeof category === "string" || typeof symbol !== "string" ? {} : { instruments: ["SPOT", ...FUTURES] },
};
const ORDER: FieldCost = {
  refused: ({ category }, { mode }) => mode === "CLASSIC" && (typeof category !== "string" || category === "MARGIN"),
  calls: ({ category }, { mode }) => orderCalls(mode, categoryNamed(category)),
};

const ORDERS = {
  symbol: text.optional("Only orders in this symbol"),
  tpslType: of(SpotOrderKindInput).optional(
    "Only Classic spot orders of this kind: plain ones, or those with a trigger. Default: both",
  ),
};

@Arguments()
class OpenOrdersArguments extends extended(CreatedArguments, {
  category: of(ProductCategoryInput).optional("Only orders in this product category. Default: all"),
  ...ORDERS,
}) {}

@Arguments()
class OrderHistoryArguments extends extended(HistoryArguments, {
  category: of(ProductCategoryInput).optional("Only orders in this product category. Default: all, from one list each"),
  ...ORDERS,
}) {}

@Arguments()
class OrderArguments extends fieldsOf({
  by: of(OrderIdentifier)("The order, by one of its identifiers"),
  category: of(ProductCategoryInput).optional(
    "Product category of the order: null if it is in another one. Required on a Classic account",
  ),
  symbol: text.optional("Symbol of the order: null if it is in another one. Required for futures of a Classic account"),
}) {}

@Arguments()
class FillsArguments extends extended(HistoryArguments, {
  category: of(ProductCategoryInput).optional(
    "Only executions in this product category. Default: all, one call of a unified account and one for each list of a Classic one",
  ),
  symbol: text.optional("Only executions in this symbol; a page of a unified account may have fewer then, and others behind it"),
  orderId: text.optional("Only executions of the order with this identifier"),
}) {}

@Resolver(() => Account)
export class OrdersResolver {
  @RequiresScope("read:account")
  @Cost(OPEN_ORDERS)
  @FieldResolver(() => OrderConnection, {
    nullable: true,
    description:
      "Open orders, newest first. A Classic account's lists are merged, including spot orders with a trigger price; trigger orders of futures are in `planOrders`. Source: GET /api/v3/trade/unfilled-orders, or GET /api/v2/spot/trade/unfilled-orders and GET /api/v2/mix/order/orders-pending",
  })
  async openOrders(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => OpenOrdersArguments) { category, symbol, tpslType, ...page }: OpenOrdersArguments,
  ): Promise<OrderConnection> {
    return accountConnection(readOpenOrders, reads, account, { category, symbol, tpslType }, page);
  }

  @RequiresScope("read:account")
  @Cost(pagedByCategory(orderHistoryPages))
  @FieldResolver(() => OrderConnection, {
    nullable: true,
    description:
      "Finished orders of the last 90 days, newest first; for Classic spot including those with a trigger price. Source: GET /api/v3/trade/history-orders, or GET /api/v2/spot/trade/history-orders or GET /api/v2/mix/order/orders-history",
  })
  async orderHistory(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => OrderHistoryArguments) { category: one, symbol, tpslType, ...history }: OrderHistoryArguments,
  ): Promise<OrderConnection> {
    const category = one ?? (await requestedCategories(reads, account, { symbol }, (mode) => CATEGORIES_OF[mode]));
    return accountConnection(readOrderHistory, reads, account, { category, symbol, tpslType }, history);
  }

  @RequiresScope("read:account")
  @Cost(ORDER)
  @FieldResolver(() => Order, {
    nullable: true,
    description:
      "One order, open or finished; null if the exchange has none. Source: GET /api/v3/trade/order-info, or GET /api/v2/spot/trade/orderInfo, unfilled-orders and history-orders, or GET /api/v2/mix/order/detail",
  })
  async order(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => OrderArguments) { by, ...key }: OrderArguments,
  ): Promise<AccountScoped<Omit<Order, "account">> | null> {
    const order = await readOrder(reads, account, { ...by, ...key });
    return order === null || !isInMarket(order, key) ? null : withAccount(account, order);
  }

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
