import { classicOpenPlanOrders, classicPlanOrderHistory } from "@exchange-graph/contract/planReads";
import { classicModifyPlanOrder, classicModifyTpslOrder, classicPlacePlanOrder } from "@exchange-graph/contract/planWrites";
import { FUTURES_PLANS, FUTURES_POSITIONS } from "../../reads/index.js";
import { OF_NAMED_ORDER, OF_NEW_ORDER } from "./orderEvidence.js";
import { changedPlan, classicPlan, placedPlan } from "./planEvidence.js";
import { policy } from "./policy.js";
import { ALREADY_CHANGED } from "./replies.js";

/** Trigger orders of Classic accounts, besides the exits of positions. */

const LISTS = [classicOpenPlanOrders.name, classicPlanOrderHistory.name];
const CHANGED = "the plan has the new terms";

export const classicPlacePlanOrderPolicy = policy(classicPlacePlanOrder, {
  invalidates: [...FUTURES_PLANS, ...FUTURES_POSITIONS],
  waits: true,
  triggers: ({ planType, symbol, side, tradeSide, size, price }) =>
    planType === "normal_plan" && tradeSide === undefined && price !== undefined ? { symbol, side, qty: size, price } : undefined,
  ...OF_NEW_ORDER,
  proof: {
    reads: LISTS,
    shows: "a plan with its clientOid, created since",
    look: async (lookUp, lost) => {
      const { productType, symbol, clientOid, planType } = lost.values;
      return placedPlan(lost, symbol, await classicPlan(lookUp, productType, symbol, { clientOid }, planType));
    },
  },
});

export const classicModifyPlanOrderPolicy = policy(classicModifyPlanOrder, {
  invalidates: FUTURES_PLANS,
  waits: true,
  ...OF_NAMED_ORDER,
  echoes: ALREADY_CHANGED.v2,
  proof: {
    reads: LISTS,
    shows: CHANGED,
    look: async (lookUp, lost) => {
      const { productType, symbol, planType = "normal_plan", orderId, clientOid } = lost.values;
      const found = await classicPlan(lookUp, productType, symbol, { orderId, clientOid }, planType);
      const { newSize, newPrice, newTriggerPrice, newCallbackRatio } = lost.values;
      return changedPlan(lost, found, {
        qty: newSize,
        triggerPrice: newTriggerPrice,
        executePrice: newPrice,
        callbackPercent: newCallbackRatio,
      });
    },
  },
});

export const classicModifyTpslOrderPolicy = policy(classicModifyTpslOrder, {
  invalidates: [...FUTURES_PLANS, ...FUTURES_POSITIONS],
  ...OF_NAMED_ORDER,
  echoes: ALREADY_CHANGED.v2,
  proof: {
    reads: LISTS,
    shows: CHANGED,
    look: async (lookUp, lost) => {
      const { productType, symbol, orderId, clientOid, size, triggerPrice, executePrice = "0" } = lost.values;
      const found = await classicPlan(lookUp, productType, symbol, { orderId, clientOid });
      return changedPlan(lost, found, { qty: size, triggerPrice, executePrice });
    },
  },
});
