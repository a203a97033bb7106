import { isFuturesCategory } from "../../queries/category.js";
import { type Acknowledgement, acknowledgement } from "../policies/replies.js";
import { mutation, refuseBroken, refuseClassicMargin } from "./mutation.js";
import { classicFuturesPlacement } from "./placement/classicFutures.js";
import { classicSpotPlacement } from "./placement/classicSpot.js";
import { type PlaceOrderInput, wrongQuantity } from "./placement/input.js";
import { unifiedPlacement } from "./placement/unified.js";

export type { PlaceOrderInput } from "./placement/input.js";

/** Places an order of any category, on either API version. */
export const placeOrder = mutation<PlaceOrderInput, Acknowledgement>({
  name: "placeOrder",
  reply: acknowledgement,
  namedBy: "clientOid",
  plan: async (planning, order) => {
    const { category } = order;
    // Before the endpoint's own rules, which would ask for a quantity without saying which.
    refuseBroken(wrongQuantity(order));
    if ((await planning.reads.modeOf(planning.account)) === "UNIFIED") return unifiedPlacement(planning, order);
    if (isFuturesCategory(category)) return classicFuturesPlacement(planning, order, category);
    if (category === "MARGIN") refuseClassicMargin();
    return classicSpotPlacement(planning, order);
  },
});
