import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { cancelOrder, modifyOrder, placeOrder, placeTpslOrder } from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import {
  CancelOrderInput,
  CancelOrderPayload,
  ModifyOrderInput,
  ModifyOrderPayload,
  PlaceOrderInput,
  PlaceOrderPayload,
} from "../../schema/mutations/orders.js";
import { PlaceTpslOrderInput, PlaceTpslOrderPayload } from "../../schema/mutations/tpslOrders.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { RequestContext } from "../context.js";
import { WRITE } from "../fieldCosts.js";
import { Audited } from "./observed.js";
import { placedIn } from "./orderJoins.js";
import { type Written, write } from "./write.js";

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
  ): Promise<Written<PlaceOrderPayload>> {
    return write(context, input, placeOrder, placedIn(input, (input.triggerPrice ?? null) !== null));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "by")
  @Mutation(() => ModifyOrderPayload, {
    description:
      "Changes an open order. Source: POST /api/v3/trade/modify-order, or POST /api/v2/spot/trade/cancel-replace-order or POST /api/v2/mix/order/modify-order",
  })
  modifyOrder(
    @Arg("input", () => ModifyOrderInput, { description: INPUT }) input: ModifyOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<Written<ModifyOrderPayload>> {
    return write(context, input, modifyOrder, placedIn(input));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "by")
  @Mutation(() => CancelOrderPayload, {
    description:
      "Requests the cancellation of an order; it takes precedence over other writes. ACCEPTED means that the request was accepted; the order shows whether it was cancelled in time. Source: POST /api/v3/trade/cancel-order or cancel-strategy-order, or POST /api/v2/spot/trade/cancel-order or POST /api/v2/mix/order/cancel-order or cancel-plan-order",
  })
  cancelOrder(
    @Arg("input", () => CancelOrderInput, { description: INPUT }) input: CancelOrderInput,
    @Ctx() context: RequestContext,
  ): Promise<Written<CancelOrderPayload>> {
    return write(context, input, cancelOrder, placedIn(input, input.kind === "TPSL"));
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
  ): Promise<Written<PlaceTpslOrderPayload>> {
    return write(context, input, placeTpslOrder, placedIn(input));
  }
}
