import { type Acknowledgement, acknowledgement } from "../policies/replies.js";
import { mutation } from "./mutation.js";
import { classicPlanOrder } from "./planOrders/classic.js";
import type { PlacePlanOrderInput } from "./planOrders/planOrderInput.js";
import { unifiedPlanOrder } from "./planOrders/unified.js";

/** Places a trigger order of any kind, with either API version. */
export const placePlanOrder = mutation<PlacePlanOrderInput, Acknowledgement>({
  name: "placePlanOrder",
  reply: acknowledgement,
  namedBy: "clientOid",
  plan: async (planning, order) =>
    (await planning.reads.modeOf(planning.account)) === "UNIFIED"
      ? unifiedPlanOrder(planning, order)
      : classicPlanOrder(planning, order),
});
