import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import {
  planCategoriesOf,
  planOrderHistoryPages,
  planOrderPages,
  readOpenPlanOrders,
  readPlanOrderHistory,
  readSubOrders,
  requestedCategories,
  subOrderPages,
} from "../datasources/reads/index.js";
import type { PlanOrder as PlanOrderRecord } from "../datasources/streams/index.js";
import { Account } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { ProductCategoryInput } from "../schema/enums/category.js";
import { PlanTypeInput } from "../schema/enums/plan.js";
import { manyOf, of, text } from "../schema/fields.js";
import {
  type IcebergTerms,
  type OcoTerms,
  PlanOrder,
  PlanOrderConnection,
  PlanOrderTerms,
  SubOrderConnection,
  type TpslTerms,
  type TrailingStopTerms,
  type TriggerTerms,
  type TwapTerms,
} from "../schema/planOrder.js";
import { Arguments, extended } from "../schema/record.js";
import { InheritsScope, RequiresScope } from "../schema/requiresScope.js";
import { type AccountScoped, withAccount } from "./accountScoped.js";
import { accountConnection, connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged, pagedByCategory } from "./fieldCosts.js";
import { CreatedArguments, HistoryArguments, PageArguments, partial } from "./pageArguments.js";
import { tpslOf } from "./tpsl.js";

/** The enum fields' texts are declared with the fields. */
type Named<N extends string, T> = { readonly __typename: N; readonly [raw: `${string}Raw`]: string | null } & T;
/** The terms of one kind, with the name of their type. */
type Terms =
  | Named<"TpslTerms", TpslTerms>
  | Named<"TriggerTerms", TriggerTerms>
  | Named<"OcoTerms", OcoTerms>
  | Named<"TrailingStopTerms", TrailingStopTerms>
  | Named<"IcebergTerms", IcebergTerms>
  | Named<"TwapTerms", TwapTerms>;

const orNull = <const N extends string, T>(__typename: N, terms: T | null): Named<N, T> | null =>
  terms === null ? null : { __typename, ...terms };

/** The terms of a trigger order by its kind; null for an unknown one. */
function termsOf(plan: PlanOrderRecord): Terms | null {
  const { triggerPrice, triggerBy, triggerByRaw, orderType, orderTypeRaw, executePrice: limitPrice, callbackRate } = plan;
  switch (plan.planType) {
    case "tpsl":
    case "profit_plan":
    case "loss_plan":
    case "pos_profit":
    case "pos_loss":
      return {
        __typename: "TpslTerms",
        isWholePosition: plan.qty === null,
        takeProfit: tpslOf(plan, "takeProfit", "tp"),
        stopLoss: tpslOf(plan, "stopLoss", "sl"),
      };
    case "normal_plan":
      return { __typename: "TriggerTerms", triggerPrice, triggerBy, triggerByRaw, orderType, orderTypeRaw, limitPrice };
    case "moving_plan":
    case "track_plan":
      return {
        __typename: "TrailingStopTerms",
        activationPrice: triggerPrice,
        activationBy: triggerBy,
        activationByRaw: triggerByRaw,
        callbackRate,
        callbackSpread: null,
        orderType,
        orderTypeRaw,
        limitPrice,
      };
    case "trailing_stop": {
      if (plan.trailingStop === null) return null;
      const { executePrice, ...terms } = plan.trailingStop;
      return { __typename: "TrailingStopTerms", ...terms, limitPrice: executePrice };
    }
    case "oco":
      return orNull("OcoTerms", plan.oco);
    case "iceberg":
      return orNull("IcebergTerms", plan.iceberg);
    case "twap":
      return orNull("TwapTerms", plan.twap);
    default:
      return null;
  }
}

const CATEGORY = of(ProductCategoryInput).optional(
  "Only trigger orders in this product category; spot and margin on unified accounts only. Default: all, from one list for each kind and category",
);

const KINDS = manyOf(PlanTypeInput).optional(
  "Only trigger orders of these kinds; only the lists that have them are read. Default: all. A page may have fewer rows where one list has several kinds",
);

@Arguments()
class PlanOrdersArguments extends extended(CreatedArguments, {
  category: CATEGORY,
  symbol: text.optional("Only trigger orders in this symbol"),
  kinds: KINDS,
}) {}

@Arguments()
class PlanOrderHistoryArguments extends extended(HistoryArguments, {
  category: CATEGORY,
  symbol: text.optional(
    "Only trigger orders in this symbol; a page of a unified account may have fewer then, and others behind it",
  ),
  kinds: KINDS,
}) {}

@Resolver(() => Account)
export class PlanOrdersResolver {
  @RequiresScope("read:account")
  @Cost(pagedByCategory(planOrderPages))
  @FieldResolver(() => PlanOrderConnection, {
    nullable: true,
    description:
      "Trigger orders of every kind that wait or run, newest first, strategy orders of unified accounts on spot and margin included; those of Classic spot are in `openOrders`. Source: GET /api/v3/trade/unfilled-strategy-orders, or GET /api/v2/mix/order/orders-plan-pending",
  })
  async planOrders(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => PlanOrdersArguments) { category: one, symbol, kinds, ...page }: PlanOrdersArguments,
  ): Promise<PlanOrderConnection> {
    const category = one ?? (await requestedCategories(reads, account, { symbol }, planCategoriesOf));
    return accountConnection(readOpenPlanOrders, reads, account, { category, symbol, kinds }, page);
  }

  @RequiresScope("read:account")
  @Cost(pagedByCategory(planOrderHistoryPages))
  @FieldResolver(() => PlanOrderConnection, {
    nullable: true,
    description:
      "Trigger orders of every kind that have ended, newest first. Source: GET /api/v3/trade/history-strategy-orders, or GET /api/v2/mix/order/orders-plan-history",
  })
  async planOrderHistory(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => PlanOrderHistoryArguments) { category: one, symbol, kinds, ...history }: PlanOrderHistoryArguments,
  ): Promise<PlanOrderConnection> {
    const category = one ?? (await requestedCategories(reads, account, { symbol }, planCategoriesOf));
    return accountConnection(readPlanOrderHistory, reads, account, { category, symbol, kinds }, history);
  }
}

@Resolver(() => PlanOrder)
export class PlanOrderResolver {
  @InheritsScope()
  @FieldResolver(() => PlanOrderTerms, {
    nullable: true,
    description:
      "What it does, by its kind (`ocoParams`, `trailingStopParams`, `icebergParams` and `twapParams` of unified accounts); null for a kind that this version does not know, and for terms that could not be read",
  })
  terms(@Root() plan: PlanOrderRecord): ReturnType<typeof termsOf> {
    return termsOf(plan);
  }

  @RequiresScope("read:account")
  @Cost(paged(subOrderPages))
  @FieldResolver(() => SubOrderConnection, {
    nullable: true,
    description:
      "The orders that it has placed, newest first: what an iceberg or TWAP order has executed so far is the sum of their `cumExecQty`. On a Classic account the exchange lists their prices and states alone, and those of take-profits, stop-losses and trailing stops not at all: then it is the one of `executeOrderId`, without a call, and `order` has the rest. Source: GET /api/v3/trade/strategy-sub-orders, or GET /api/v2/mix/order/plan-sub-order",
  })
  async subOrders(
    @Root() { account, ...plan }: AccountScoped<PlanOrderRecord>,
    @Ctx() { reads }: RequestContext,
    @Args(() => PageArguments) page: PageArguments,
  ): Promise<SubOrderConnection> {
    return connectionFrom(await readSubOrders(reads, account, plan, partial(page)), page.after, (row) =>
      withAccount(account, { ...row, planOrderId: plan.orderId }),
    );
  }
}
