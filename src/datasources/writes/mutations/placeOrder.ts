import { type Acknowledgement, acknowledgement } from "../policies/replies.js";
import { mutation, planByMode, refuseBroken } from "./mutation.js";
import { classicFuturesPlacement } from "./placement/classicFutures.js";
import { classicSpotPlacement } from "./placement/classicSpot.js";
import { brokenByType, type PlaceOrderInput } from "./placement/input.js";
import { unifiedPlacement } from "./placement/unified.js";

export type { PlaceOrderInput } from "./placement/input.js";

/** Places an order of any category, with either API version. */
export const placeOrder = mutation<PlaceOrderInput, Acknowledgement>({
  name: "placeOrder",
  reply: acknowledgement,
  namedBy: "clientOid",
  plan: async (planning, order) => {
    // Checked before the endpoint's rules, which would require a quantity without naming the field, and allow a price without effect.
    refuseBroken(brokenByType(order));
    return planByMode(planning, order.category, {
      unified: () => unifiedPlacement(planning, order),
      classicFutures: (category) => classicFuturesPlacement(planning, order, category),
      classicSpot: () => classicSpotPlacement(planning, order),
    });
  },
});

/** Places several orders of one account: all of them leave, or none, with as few calls as the exchange takes. */
export const placeOrders = placeOrder.together;
