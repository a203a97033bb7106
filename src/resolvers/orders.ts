import type { ExchangeAccount } from "../datasources/index.js";
import {
  CATEGORIES_OF,
  openOrderPages,
  orderCalls,
  orderHistoryPages,
  readOpenOrders,
  readOrder,
  readOrderHistory,
} from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import type { FieldCost } from "../schema/cost.js";
import { categoryNamed, ProductCategoryInput } from "../schema/enums/category.js";
import { SpotOrderKindInput } from "../schema/enums/order.js";
import { of, text } from "../schema/fields.js";
import { Order, OrderConnection, OrderIdentifier } from "../schema/order.js";
import { accountList, inCategories } from "./accountList.js";
import { withAccount } from "./accountScoped.js";
import { FUTURES, paged } from "./fieldCosts.js";
import { accountField, resolversOf } from "./fieldTable.js";
import { CreatedArguments } from "./pageArguments.js";

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

/** Filter of orders. */
const ORDERS = {
  symbol: text.optional("Only orders in this symbol"),
  tpslType: of(SpotOrderKindInput).optional(
    "Only Classic spot orders of this kind: plain ones, or those with a trigger. Default: both",
  ),
};

export const OrdersResolver = resolversOf(Account, {
  openOrders: accountList(OrderConnection, {
    description:
      "Open orders, newest first. A Classic account's lists are merged, including spot orders with a trigger price; trigger orders of futures are in `planOrders`. Source: GET /api/v3/trade/unfilled-orders, or GET /api/v2/spot/trade/unfilled-orders and GET /api/v2/mix/order/orders-pending",
    list: { pages: openOrderPages, cost: OPEN_ORDERS, read: readOpenOrders },
    filter: {
      category: of(ProductCategoryInput).optional("Only orders in this product category. Default: all"),
      ...ORDERS,
    },
    page: CreatedArguments,
  }),
  orderHistory: accountList(OrderConnection, {
    description:
      "Finished orders of the last 90 days, newest first; for Classic spot including those with a trigger price. Source: GET /api/v3/trade/history-orders, or GET /api/v2/spot/trade/history-orders or GET /api/v2/mix/order/orders-history",
    list: inCategories(orderHistoryPages, readOrderHistory, (mode) => CATEGORIES_OF[mode]),
    filter: {
      category: of(ProductCategoryInput).optional("Only orders in this product category. Default: all, from one list each"),
      ...ORDERS,
    },
  }),
  order: accountField.orNull(Order, {
    description:
      "One order, open or finished; null if the exchange has none. Source: GET /api/v3/trade/order-info, or GET /api/v2/spot/trade/orderInfo, unfilled-orders and history-orders, or GET /api/v2/mix/order/detail",
    cost: ORDER,
    args: {
      by: of(OrderIdentifier)("The order, by one of its identifiers"),
      category: of(ProductCategoryInput).optional("Product category of the order; required on a Classic account"),
      symbol: text.optional("Symbol of the order; required for futures of a Classic account"),
    },
    resolve: async (account: ExchangeAccount, { reads }, { by, ...key }) => {
      const order = await readOrder(reads, account, { ...by, ...key });
      return order === null ? null : withAccount(account, order);
    },
  }),
});
