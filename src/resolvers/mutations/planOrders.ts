import { modifyPlanOrder, placePlanOrder } from "../../datasources/writes/index.js";
import {
  ModifyPlanOrderInput,
  ModifyPlanOrderPayload,
  PlacePlanOrderInput,
  PlacePlanOrderPayload,
} from "../../schema/mutations/planOrders.js";
import { WRITE } from "../fieldCosts.js";
import { mutation, resolversOf } from "../fieldTable.js";
import { placedIn } from "./orderJoins.js";
import { write } from "./write.js";

const INPUT = "The order, and the options of the write";

export const PlanOrderMutations = resolversOf(null, {
  placePlanOrder: mutation("trade", PlacePlanOrderPayload, {
    description:
      "Places a trigger order of any kind: exits of a position, an order at a trigger price, an OCO order, a trailing stop, an iceberg or a TWAP order. It is sent at most once; a lost answer is looked up by `clientOid`. Limits count its whole quantity. Source: POST /api/v3/trade/place-strategy-order, or POST /api/v2/mix/order/place-plan-order or place-tpsl-order",
    cost: WRITE,
    input: PlacePlanOrderInput,
    says: INPUT,
    audits: ["category", "symbol", "side", "clientOid"],
    resolve: (context, input) => write(context, input, placePlanOrder, placedIn(input, true)),
  }),
  modifyPlanOrder: mutation("trade", ModifyPlanOrderPayload, {
    description:
      "Changes an open trigger order in place. It is read first, and what does not change is sent as it is. Source: POST /api/v3/trade/modify-strategy-order, or POST /api/v2/mix/order/modify-plan-order or modify-tpsl-order",
    cost: WRITE,
    input: ModifyPlanOrderInput,
    says: INPUT,
    audits: ["category", "symbol", "by"],
    resolve: (context, input) => write(context, input, modifyPlanOrder, placedIn(input, true)),
  }),
});
