import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { openOrderPages, readOpenOrders } from "../datasources/queries/openOrders.js";
import { orderCalls, readOrder } from "../datasources/queries/order.js";
import { orderHistoryPages, readOrderHistory } from "../datasources/queries/orderHistory.js";
import { Account } from "../schema/account.js";
import { Cost, type FieldCost } from "../schema/cost.js";
import { categoryNamed, ProductCategoryInput } from "../schema/enums/category.js";
import { SpotOrderKindInput } from "../schema/enums/order.js";
import { Order, OrderConnection } from "../schema/order.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { type AccountScoped, withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { FUTURES, paged } from "./fieldCosts.js";
import { CreatedArguments, HistoryArguments } from "./pageArguments.js";

const OPEN_ORDERS: FieldCost = {
  ...paged(openOrderPages),
  // Without a category the symbol is looked for in all of them.
  lists: ({ category, symbol }, { mode }) =>
    mode === "UNIFIED" || typeof category === "string" || typeof symbol !== "string" ? {} : { instruments: ["SPOT", ...FUTURES] },
};
const ORDER: FieldCost = {
  refused: ({ category }, { mode }) => mode === "CLASSIC" && (typeof category !== "string" || category === "MARGIN"),
  calls: ({ category }, { mode }) => orderCalls(mode, categoryNamed(category)),
};

const SYMBOL = { nullable: true, description: "Only orders in this symbol" };
const KIND = {
  nullable: true,
  description: "Only Classic spot orders of this kind: plain ones, or those with a trigger. Default: both",
};

@ArgsType()
class OpenOrdersArguments extends CreatedArguments {
  @Field(() => ProductCategoryInput, {
    nullable: true,
    description: "Only orders in this product category. Default: all",
  })
  readonly category?: ProductCategoryInput | null;

  @Field(() => String, SYMBOL)
  readonly symbol?: string | null;

  @Field(() => SpotOrderKindInput, KIND)
  readonly tpslType?: SpotOrderKindInput | null;
}

@ArgsType()
class OrderHistoryArguments extends HistoryArguments {
  @Field(() => ProductCategoryInput, { description: "Which product category" })
  readonly category!: ProductCategoryInput;

  @Field(() => String, SYMBOL)
  readonly symbol?: string | null;

  @Field(() => SpotOrderKindInput, KIND)
  readonly tpslType?: SpotOrderKindInput | null;
}

@ArgsType()
class OrderArguments {
  @Field(() => String, { nullable: true, description: "The exchange's identifier; it wins where both are given" })
  readonly orderId?: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier" })
  readonly clientOid?: string | null;

  @Field(() => ProductCategoryInput, {
    nullable: true,
    description: "Product category of the order; needed on a Classic account",
  })
  readonly category?: ProductCategoryInput | null;

  @Field(() => String, { nullable: true, description: "Symbol of the order; needed for futures of a Classic account" })
  readonly symbol?: string | null;
}

@Resolver(() => Account)
export class OrdersResolver {
  @RequiresScope("read:account")
  @Cost(OPEN_ORDERS)
  @FieldResolver(() => OrderConnection, {
    nullable: true,
    description:
      "Orders that are still open, newest first. A Classic account's lists are merged, spot orders that wait for their trigger among them; what waits on futures is in `planOrders`. Source: GET /api/v3/trade/unfilled-orders, or GET /api/v2/spot/trade/unfilled-orders and GET /api/v2/mix/order/orders-pending",
  })
  async openOrders(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => OpenOrdersArguments) { category, symbol, tpslType, ...page }: OpenOrdersArguments,
  ): Promise<OrderConnection> {
    const filter = {
      category,
      symbol,
      tpslType,
    };
    return connectionFrom(await readOpenOrders(reads, account, filter, page), page.after, (row) => withAccount(account, row));
  }

  @RequiresScope("read:account")
  @Cost(paged(orderHistoryPages))
  @FieldResolver(() => OrderConnection, {
    nullable: true,
    description:
      "Finished orders of the last 90 days, newest first; of Classic spot also those that waited for their trigger. Source: GET /api/v3/trade/history-orders, or GET /api/v2/spot/trade/history-orders or GET /api/v2/mix/order/orders-history",
  })
  async orderHistory(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => OrderHistoryArguments) { category, symbol, tpslType, ...history }: OrderHistoryArguments,
  ): Promise<OrderConnection> {
    const filter = {
      category,
      symbol,
      tpslType,
    };
    return connectionFrom(await readOrderHistory(reads, account, filter, history), history.after, (row) =>
      withAccount(account, row),
    );
  }

  @RequiresScope("read:account")
  @Cost(ORDER)
  @FieldResolver(() => Order, {
    nullable: true,
    description:
      "One order, open or finished, by either of its identifiers; null when the exchange knows none. Source: GET /api/v3/trade/order-info, or GET /api/v2/spot/trade/orderInfo, unfilled-orders and history-orders, or GET /api/v2/mix/order/detail",
  })
  async order(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => OrderArguments) { category, ...key }: OrderArguments,
  ): Promise<AccountScoped<Omit<Order, "account">> | null> {
    const order = await readOrder(reads, account, { ...key, category });
    return order === null ? null : withAccount(account, order);
  }
}
