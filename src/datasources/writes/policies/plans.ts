import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import { classicCancelPlanOrders, placeTpslOrder } from "@exchange-graph/contract/planWrites";
import { positions } from "@exchange-graph/contract/position";
import { cancelStrategyOrder, modifyStrategyOrder, placeStrategyOrder } from "@exchange-graph/contract/strategyWrites";
import { FUTURES_PLANS, FUTURES_POSITIONS, UNIFIED_PLANS, UNIFIED_TRADING } from "../../reads/index.js";
import { isOfThat, OF_NAMED_ORDER, OF_NEW_ORDER } from "./orderEvidence.js";
import { cancelledPlan, changedPlan, classicPlan, listsOf, mayBeNameless, placedPlan, unifiedPlan } from "./planEvidence.js";
import { type Batch, innerRefusal, policy } from "./policy.js";
import { type Acknowledgement, ALREADY_CHANGED, ALREADY_ENDED, type OrderIds } from "./replies.js";

/** Strategy orders of unified accounts, and exits of Classic positions. */

const NAMED = "a plan with its clientOid, created since";
const CANCELLED = "the plan stands in the history as cancelled";

export const placeStrategyOrderPolicy = policy(placeStrategyOrder, {
  // An OCO order has a limit order in the book at once.
  invalidates: UNIFIED_TRADING,
  waits: true,
  triggers: ({ type, symbol, side, qty, triggerOrderPrice: price }) =>
    type === "trigger" && side !== undefined && qty !== undefined && price !== undefined
      ? { symbol, side, qty, price }
      : undefined,
  ...OF_NEW_ORDER,
  proof: {
    reads: [openPlanOrders.name, planOrderHistory.name],
    shows: NAMED,
    look: async (lookUp, lost) => {
      const { category, symbol, type = "tpsl", clientOid } = lost.values;
      const found = await unifiedPlan(lookUp, [{ category, type }], { clientOid });
      const finding = await placedPlan(lost, symbol, found);
      if (finding !== "no trace" || type === "tpsl") return finding;
      return (await mayBeNameless(lost, lost.values, found)) ? "undecidable" : finding;
    },
  },
});

export const modifyStrategyOrderPolicy = policy(modifyStrategyOrder, {
  invalidates: [...UNIFIED_PLANS, positions],
  waits: true,
  ...OF_NAMED_ORDER,
  echoes: ALREADY_CHANGED.v3,
  proof: {
    reads: [openPlanOrders.name, planOrderHistory.name],
    shows: "the plan has the new terms",
    look: async (lookUp, lost) => {
      const { category, qty, takeProfit, stopLoss, triggerPrice, triggerOrderPrice } = lost.values;
      const found = await unifiedPlan(lookUp, listsOf(category, ["tpsl", "trigger"]), lost.values);
      return changedPlan(lost, found, { qty, takeProfit, stopLoss, triggerPrice, executePrice: triggerOrderPrice });
    },
  },
});

export const placeTpslOrderPolicy = policy(placeTpslOrder, {
  invalidates: [...FUTURES_PLANS, ...FUTURES_POSITIONS],
  ...OF_NEW_ORDER,
  proof: {
    reads: [classicOpenPlanOrders.name, classicPlanOrderHistory.name],
    shows: NAMED,
    look: async (lookUp, lost) => {
      const { productType, symbol, clientOid } = lost.values;
      return placedPlan(lost, symbol, await classicPlan(lookUp, productType, symbol, { clientOid }));
    },
  },
});

export const cancelStrategyOrderPolicy = policy(cancelStrategyOrder, {
  // Its order in the book ends with it.
  invalidates: UNIFIED_TRADING,
  reply: (_, { orderId = null, clientOid = null }): Acknowledgement => ({ orderId, clientOid }),
  priority: "cancel",
  clientOid: undefined,
  echoes: ALREADY_ENDED.v3,
  proof: {
    reads: [openPlanOrders.name, planOrderHistory.name],
    shows: CANCELLED,
    look: async (lookUp, lost) => cancelledPlan(lost, await unifiedPlan(lookUp, listsOf(lost.values.category), lost.values)),
  },
});

/** The call takes a list. Its maximum length is not documented; that of orders is used. */
const PLAN_CANCELS: Batch = {
  endpoint: classicCancelPlanOrders as unknown as Batch["endpoint"],
  most: 20,
  groupOf: (values) => {
    const { orderIdList, ...alike } = values as ParametersOf<typeof classicCancelPlanOrders>;
    return JSON.stringify([alike, orderIdList?.[0]?.orderId === undefined]);
  },
  carrying: (writes) => ({ ...writes[0], orderIdList: writes.flatMap(plansIn) }),
  orderOf: (values) => plansIn(values)[0] ?? {},
  answerOf: (result) => [result],
};
const plansIn = (values: object): readonly OrderIds[] =>
  (values as ParametersOf<typeof classicCancelPlanOrders>).orderIdList ?? [];

export const classicCancelPlanOrdersPolicy = policy(classicCancelPlanOrders, {
  invalidates: [...FUTURES_PLANS, ...FUTURES_POSITIONS],
  reply: (_, { orderIdList = [] }): Acknowledgement => ({
    orderId: orderIdList[0]?.orderId ?? null,
    clientOid: orderIdList[0]?.clientOid ?? null,
  }),
  isAnswerTo: (results, { orderIdList: [plan = {}] = [] }) => results.some((one) => isOfThat(one, plan)),
  priority: "cancel",
  refusedIn: (results) => {
    const failure = results.find(({ code }) => code !== null);
    return failure === undefined ? undefined : innerRefusal(failure.message ?? "not cancelled");
  },
  batch: PLAN_CANCELS,
  echoes: ALREADY_ENDED.v2,
  proof: {
    reads: [classicOpenPlanOrders.name, classicPlanOrderHistory.name],
    shows: CANCELLED,
    look: async (lookUp, lost) => {
      const { productType, symbol, planType, orderIdList: [plan] = [] } = lost.values;
      const list = planType === "normal_plan" || planType === "track_plan" ? planType : "profit_loss";
      return plan === undefined ? "undecidable" : cancelledPlan(lost, await classicPlan(lookUp, productType, symbol, plan, list));
    },
  },
});
