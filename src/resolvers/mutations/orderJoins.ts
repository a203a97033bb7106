import { type ClassType, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { isDemoProductType, isFuturesCategory, readOrder, readPlanOrder } from "../../datasources/reads/index.js";
import type { StrategyType } from "../../datasources/streams/index.js";
import type { Acknowledgement } from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import type { FuturesProductType, ProductCategoryInput } from "../../schema/enums/category.js";
import {
  CancelOrderPayload,
  ModifyOrderPayload,
  PlaceOrderPayload,
  PlaceTpslOrderPayload,
} from "../../schema/mutations/orders.js";
import { ModifyPlanOrderPayload, PlacePlanOrderPayload } from "../../schema/mutations/planOrders.js";
import { Order } from "../../schema/order.js";
import { PlanOrder } from "../../schema/planOrder.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import { type AccountScoped, foundWithAccount } from "../accountScoped.js";
import type { RequestContext } from "../context.js";
import { PLAN_LOOKUP, TRIGGER_LOOKUP } from "../fieldCosts.js";
import type { WrittenPayload } from "./write.js";

/** Identifiers of a written order, and where it is looked up. `waits`: whether it is a trigger order. */
export const placedIn =
  <C extends string>({ category, symbol }: { readonly category: C; readonly symbol?: string | null }, waits = false) =>
  (reply: Acknowledgement | null) => ({
    orderId: reply?.orderId ?? null,
    clientOid: reply?.clientOid ?? null,
    category,
    symbol: symbol ?? null,
    waits,
  });
type Placed<C extends string = ProductCategoryInput> = WrittenPayload<ReturnType<ReturnType<typeof placedIn<C>>>>;

/** `calls`: number of calls for the look-up. */
function orderJoin(type: ClassType<object>, calls: number) {
  @Resolver(() => type)
  class OrderJoin {
    @RequiresScope("read:account")
    @Cost({ calls })
    @FieldResolver(() => Order, {
      nullable: true,
      description:
        "The order after the write; null unless that was accepted, and for trigger orders of futures. Source: as `account.order`",
    })
    async order(
      @Root() { account, orderId, clientOid, category, symbol, waits }: Placed,
      @Ctx() { reads }: RequestContext,
    ): Promise<AccountScoped<Omit<Order, "account">> | null> {
      // On futures such an order is a trigger order, which has its own field.
      if (account === undefined || (orderId ?? clientOid) === null || (waits && isFuturesCategory(category))) return null;
      const name = orderId === null ? { clientOid } : { orderId };
      return foundWithAccount(account, await readOrder(reads, account, { ...name, category, symbol, waits }));
    }
  }
  return OrderJoin;
}

/** Adds the order to payloads about one. */
export const ORDER_JOINS = [
  orderJoin(PlaceOrderPayload, TRIGGER_LOOKUP),
  orderJoin(ModifyOrderPayload, 1),
  orderJoin(CancelOrderPayload, TRIGGER_LOOKUP),
];

/** `type`: the kind of these trigger orders, so that fewer lists are read. */
function planOrderJoin(payload: ClassType<object>, calls: number, type?: StrategyType) {
  @Resolver(() => payload)
  class PlanOrderJoin {
    @RequiresScope("read:account")
    @Cost({ calls })
    @FieldResolver(() => PlanOrder, {
      nullable: true,
      description:
        "The trigger order after the write; null unless that was accepted, and for a demo product type. One that has already ended is looked up among the latest. Source: as `account.planOrders` and `account.planOrderHistory`",
    })
    async planOrder(
      @Root() { account, orderId, clientOid, category, symbol }: Placed<ProductCategoryInput | FuturesProductType>,
      @Ctx() { reads }: RequestContext,
    ): Promise<AccountScoped<Omit<PlanOrder, "account">> | null> {
      if (account === undefined || (orderId ?? clientOid) === null || symbol === null || isDemoProductType(category)) return null;
      return foundWithAccount(account, await readPlanOrder(reads, account, { category, symbol, orderId, clientOid, type }));
    }
  }
  return PlanOrderJoin;
}

/** Adds the trigger order to payloads about one. */
export const PLAN_ORDER_JOINS = [
  planOrderJoin(PlaceTpslOrderPayload, TRIGGER_LOOKUP, "tpsl"),
  planOrderJoin(PlacePlanOrderPayload, PLAN_LOOKUP),
  planOrderJoin(ModifyPlanOrderPayload, PLAN_LOOKUP),
];
