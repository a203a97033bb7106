import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { cancelAllOrders, closePositions } from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import {
  CancelAllOrdersInput,
  CancelAllOrdersPayload,
  ClosePositionsInput,
  ClosePositionsPayload,
} from "../../schema/mutations/manyOrders.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { RequestContext } from "../context.js";
import { WRITE } from "../fieldCosts.js";
import { Audited } from "./observed.js";
import { type Written, write } from "./write.js";

@Resolver()
export class ManyOrdersMutations {
  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol")
  @Mutation(() => CancelAllOrdersPayload, {
    description:
      "Cancels all open orders of a category, or of one symbol in it, with one call; trigger orders stay. ACCEPTED says that the request was accepted: each order has its own result. Source: POST /api/v3/trade/cancel-symbol-order, or POST /api/v2/spot/trade/cancel-symbol-order or POST /api/v2/mix/order/cancel-all-orders",
  })
  cancelAllOrders(
    @Arg("input", () => CancelAllOrdersInput, { description: "The orders, and the options of the write" })
    input: CancelAllOrdersInput,
    @Ctx() context: RequestContext,
  ): Promise<Written<CancelAllOrdersPayload>> {
    return write(context, input, cancelAllOrders, (reply) => ({ orders: reply?.orders ?? [] }));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "posSide")
  @Mutation(() => ClosePositionsPayload, {
    description:
      "Closes all positions of a futures category at market, or those in one symbol, with one call; it is sent during a halt too. ACCEPTED says that the request was accepted: each closing order has its own result. Source: POST /api/v3/trade/close-positions, or POST /api/v2/mix/order/close-positions",
  })
  closePositions(
    @Arg("input", () => ClosePositionsInput, { description: "The positions, and the options of the write" })
    input: ClosePositionsInput,
    @Ctx() context: RequestContext,
  ): Promise<Written<ClosePositionsPayload>> {
    return write(context, input, closePositions, (reply) => ({ orders: reply?.orders ?? [] }));
  }
}
