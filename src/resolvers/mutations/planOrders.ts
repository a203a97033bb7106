import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { modifyPlanOrder, placePlanOrder } from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import {
  ModifyPlanOrderInput,
  ModifyPlanOrderPayload,
  PlacePlanOrderInput,
  PlacePlanOrderPayload,
} from "../../schema/mutations/planOrders.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { RequestContext } from "../context.js";
import { WRITE } from "../fieldCosts.js";
import { Audited } from "./observeMutations.js";
import { placedIn } from "./orderJoins.js";
import { type WrittenPayload, write } from "./write.js";

const INPUT = "The order, and the options of the write";

@Resolver()
export class PlanOrderMutations {
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
