import {
  planCategoriesOf,
  planOrderHistoryPages,
  planOrderPages,
  readOpenPlanOrders,
  readPlanOrderHistory,
  readSubOrders,
  subOrderPages,
} from "../datasources/reads/index.js";
import type { PlanOrder as PlanOrderRecord } from "../datasources/streams/index.js";
import { Account } from "../schema/account.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { PlanTypeInput } from "../schema/enums/plan.js";
import { manyOf, of, text } from "../schema/fields.js";
import { PlanOrder, PlanOrderConnection, SubOrderConnection } from "../schema/planOrder.js";
import { PlanOrderTerms } from "../schema/planTerms.js";
import { accountList, inCategories } from "./accountList.js";
import { type AccountScoped, withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import { paged } from "./fieldCosts.js";
import { accountField, field, resolversOf } from "./fieldTable.js";
import { CreatedArguments, PageArguments, partial } from "./pageArguments.js";
import { termsOf } from "./planTerms.js";

const CATEGORY = of(ProductCategoryInput).optional(
  "Only trigger orders in this product category; spot and margin on unified accounts only. Default: all, from one list for each kind and category",
);

const KINDS = manyOf(PlanTypeInput).optional(
  "Only trigger orders of these kinds; only the lists that have them are read. Default: all. A page may have fewer rows where one list has several kinds",
);

export const PlanOrdersResolver = resolversOf(Account, {
  planOrders: accountList(PlanOrderConnection, {
    description:
      "Trigger orders of every kind that wait or run, newest first, strategy orders of unified accounts on spot and margin included; those of Classic spot are in `openOrders`. Source: GET /api/v3/trade/unfilled-strategy-orders, or GET /api/v2/mix/order/orders-plan-pending",
    list: inCategories(planOrderPages, readOpenPlanOrders, planCategoriesOf),
    filter: {
      category: CATEGORY,
      symbol: text.optional("Only trigger orders in this symbol"),
      kinds: KINDS,
    },
    page: CreatedArguments,
  }),
  planOrderHistory: accountList(PlanOrderConnection, {
    description:
      "Trigger orders of every kind that have ended, newest first. Source: GET /api/v3/trade/history-strategy-orders, or GET /api/v2/mix/order/orders-plan-history",
    list: inCategories(planOrderHistoryPages, readPlanOrderHistory, planCategoriesOf),
    filter: {
      category: CATEGORY,
      symbol: text.optional(
        "Only trigger orders in this symbol; a page of a unified account may have fewer then, and others behind it",
      ),
      kinds: KINDS,
    },
  }),
});

export const PlanOrderResolver = resolversOf(PlanOrder, {
  terms: field.orNull(PlanOrderTerms, {
    description:
      "What it does, by its kind (`ocoParams`, `trailingStopParams`, `icebergParams` and `twapParams` of unified accounts); null for a kind that this version does not know, and for terms that could not be read",
    resolve: (plan: PlanOrderRecord) => termsOf(plan),
  }),
  subOrders: accountField(SubOrderConnection, {
    description:
      "The orders that it has placed, newest first: what an iceberg or TWAP order has executed so far is the sum of their `cumExecQty`. On a Classic account the exchange lists their prices and states alone, and those of take-profits, stop-losses and trailing stops not at all: then it is the one of `executeOrderId`, without a call, and `order` has the rest. Source: GET /api/v3/trade/strategy-sub-orders, or GET /api/v2/mix/order/plan-sub-order",
    cost: paged(subOrderPages),
    args: PageArguments,
    resolve: async ({ account, ...plan }: AccountScoped<PlanOrderRecord>, { reads }, page) =>
      connectionFrom(await readSubOrders(reads, account, plan, partial(page)), page.after, (row) =>
        withAccount(account, { ...row, planOrderId: plan.orderId }),
      ),
  }),
});
