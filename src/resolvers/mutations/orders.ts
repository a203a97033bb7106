import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import {
  type Acknowledgement,
  cancelOrder,
  cancelOrders,
  modifyOrder,
  modifyPlanOrder,
  placeOrder,
  placeOrders,
  placePlanOrder,
  placeTpslOrder,
} from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import {
  CancelOrderInput,
  CancelOrderPayload,
  CancelOrdersInput,
  CancelOrdersPayload,
  ModifyOrderInput,
  ModifyOrderPayload,
  PlaceOrderInput,
  PlaceOrderPayload,
  PlaceOrdersInput,
  PlaceOrdersPayload,
  PlaceTpslOrderInput,
  PlaceTpslOrderPayload,
} from "../../schema/mutations/orders.js";
import {
  ModifyPlanOrderInput,
  ModifyPlanOrderPayload,
  PlacePlanOrderInput,
  PlacePlanOrderPayload,
} from "../../schema/mutations/planOrders.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { RequestContext } from "../context.js";
import { BATCH, NEVER_REFUSED, WRITE } from "../fieldCosts.js";
import { Audited } from "./observeMutations.js";
import { placedIn } from "./orderJoins.js";
import { type WrittenPayload, write, writeTogether } from "./write.js";

const INPUT = "The order, and the options of the write";

@Resolver()
export class OrderMutations {
  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "side", "clientOid")
  @Mutation(() => PlaceOrderPayload, {
    description:
      "Places an order. It is sent at most once; a lost answer is looked up by `clientOid`. Source: POST /api/v3/trade/place-order, or POST /api/v2/spot/trade/place-order or POST /api/v2/mix/order/place-order",
  })
  placeOrder(
    @Arg("input", () => PlaceOrderInput, { description: INPUT }) input: PlaceOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<PlaceOrderPayload>> {
    return write(context, input, placeOrder, placedIn(input, (input.triggerPrice ?? null) !== null));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(BATCH)
  @Audited()
  @Mutation(() => PlaceOrdersPayload, {
    description:
      "Places several orders of one account with as few calls as the exchange takes: one for up to 20 orders of a unified account in one category, up to 50 Classic spot orders, or up to 20 Classic futures orders in one symbol and margin mode. All of them are checked, and counted against the limits together, before the first call; if one is refused, none is sent, and the others have the error `BATCH_REFUSED`. From then on each order has its own outcome: a lost answer is looked up order by order. What a batch of the exchange does not take (on unified accounts reduce-only orders, attached exits and a margin mode; on Classic accounts trigger prices, `receiveWindow` and, on futures, exits at a limit price) leaves with a call of its own. Source: POST /api/v3/trade/place-batch, or POST /api/v2/spot/trade/batch-orders or POST /api/v2/mix/order/batch-place-order",
  })
  placeOrders(
    @Arg("input", () => PlaceOrdersInput, { description: "The orders, and the options of the batch" }) input: PlaceOrdersInput,
    @Ctx() context: RequestContext,
  ) {
    return writeTogether(context, input, placeOrders, (order, reply: Acknowledgement | null) =>
      placedIn(order, (order.triggerPrice ?? null) !== null)(reply),
    );
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "by")
  @Mutation(() => ModifyOrderPayload, {
    description:
      "Changes an open order. On a Classic account a new order replaces it, with identifiers of its own: cancel or change that one from then on. Source: POST /api/v3/trade/modify-order, or POST /api/v2/spot/trade/cancel-replace-order or POST /api/v2/mix/order/modify-order",
  })
  modifyOrder(
    @Arg("input", () => ModifyOrderInput, { description: INPUT }) input: ModifyOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<ModifyOrderPayload>> {
    return write(context, input, modifyOrder, placedIn(input));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(NEVER_REFUSED)
  @Audited("category", "symbol", "by")
  @Mutation(() => CancelOrderPayload, {
    description:
      "Requests the cancellation of an order; it takes precedence over other writes. ACCEPTED means that the request was accepted; the order shows whether it was cancelled in time. Source: POST /api/v3/trade/cancel-order or cancel-strategy-order, or POST /api/v2/spot/trade/cancel-order or POST /api/v2/mix/order/cancel-order or cancel-plan-order",
  })
  cancelOrder(
    @Arg("input", () => CancelOrderInput, { description: INPUT }) input: CancelOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<CancelOrderPayload>> {
    return write(context, input, cancelOrder, placedIn(input, input.kind === "PLAN_ORDER"));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(BATCH)
  @Audited()
  @Mutation(() => CancelOrdersPayload, {
    description:
      "Requests the cancellation of several orders of one account with as few calls as the exchange takes, as `placeOrders` does. Trigger orders of unified accounts leave with a call each, those of Classic futures in one symbol and of one kind with up to 20 in a call. If one of them breaks a rule, none is sent. Source: POST /api/v3/trade/cancel-batch, or POST /api/v2/spot/trade/batch-cancel-order, POST /api/v2/mix/order/batch-cancel-orders or POST /api/v2/mix/order/cancel-plan-order",
  })
  cancelOrders(
    @Arg("input", () => CancelOrdersInput, { description: "The orders, and the options of the batch" }) input: CancelOrdersInput,
    @Ctx() context: RequestContext,
  ) {
    return writeTogether(context, input, cancelOrders, (order, reply: Acknowledgement | null) =>
      placedIn(order, order.kind === "PLAN_ORDER")(reply),
    );
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "clientOid")
  @Mutation(() => PlaceTpslOrderPayload, {
    description:
      "Places a take-profit, stop-loss or trailing stop on a futures position. Source: POST /api/v3/trade/place-strategy-order, or POST /api/v2/mix/order/place-tpsl-order",
  })
  placeTpslOrder(
    @Arg("input", () => PlaceTpslOrderInput, { description: INPUT }) input: PlaceTpslOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<PlaceTpslOrderPayload>> {
    return write(context, input, placeTpslOrder, placedIn(input));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "side", "clientOid")
  @Mutation(() => PlacePlanOrderPayload, {
    description:
      "Places a trigger order of any kind: exits of a position, an order at a trigger price, an OCO order, a trailing stop, an iceberg or a TWAP order. It is sent at most once; a lost answer is looked up by `clientOid`. Limits count its whole quantity. Source: POST /api/v3/trade/place-strategy-order, or POST /api/v2/mix/order/place-plan-order or place-tpsl-order",
  })
  placePlanOrder(
    @Arg("input", () => PlacePlanOrderInput, { description: INPUT }) input: PlacePlanOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<PlacePlanOrderPayload>> {
    return write(context, input, placePlanOrder, placedIn(input, true));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "by")
  @Mutation(() => ModifyPlanOrderPayload, {
    description:
      "Changes an open trigger order in place. It is read first, and what does not change is sent as it is. Source: POST /api/v3/trade/modify-strategy-order, or POST /api/v2/mix/order/modify-plan-order or modify-tpsl-order",
  })
  modifyPlanOrder(
    @Arg("input", () => ModifyPlanOrderInput, { description: INPUT }) input: ModifyPlanOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<ModifyPlanOrderPayload>> {
    return write(context, input, modifyPlanOrder, placedIn(input, true));
  }
}
