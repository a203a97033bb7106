import type { PlanOrder } from "../../../contract/plan.js";
import { classicOpenPlanOrders, classicPlanOrderHistory, openPlanOrders, planOrderHistory } from "../../../contract/planReads.js";
import {
  cancelStrategyOrder,
  classicCancelPlanOrders,
  placeStrategyOrder,
  placeTpslOrder,
} from "../../../contract/planWrites.js";
import { FUTURES_CATEGORIES, type FuturesCategory, type FuturesProductType } from "../../../contract/vocabulary.js";
import { placed } from "./evidence.js";
import { type Finding, type LookUp, policy } from "./policy.js";
import type { Acknowledgement } from "./replies.js";

/** Plan orders are found again in the exchange's lists: those that wait, and those that no longer do. */

type Ids = { readonly [K in "orderId" | "clientOid"]?: string | undefined };
type Plan = Pick<PlanOrder, "orderId" | "clientOid" | "planStatus" | "triggeredExit" | "createdTime">;

const isCalled =
  ({ orderId, clientOid }: Ids) =>
  (plan: Plan): boolean =>
    orderId === undefined ? plan.clientOid === clientOid : plan.orderId === orderId;

/** Where a plan stands: still among those that wait, or where it went. */
interface Sighting {
  readonly waiting: Plan | undefined;
  readonly past: Plan | undefined;
}

async function unifiedPlan(lookUp: LookUp, categories: readonly FuturesCategory[], ids: Ids): Promise<Sighting> {
  for (const category of categories) {
    const waiting = (await lookUp.read(openPlanOrders, { category })).list.find(isCalled(ids));
    const past = (await lookUp.read(planOrderHistory, { category })).list.find(isCalled(ids));
    if (waiting !== undefined || past !== undefined) return { waiting, past };
  }
  return { waiting: undefined, past: undefined };
}

async function classicPlan(
  lookUp: LookUp,
  productType: FuturesProductType,
  symbol: string | undefined,
  ids: Ids,
): Promise<Sighting> {
  const filter = { productType, symbol, planType: "profit_loss", ...ids } as const;
  return {
    waiting: (await lookUp.read(classicOpenPlanOrders, filter)).list.find(isCalled(ids)),
    past: (await lookUp.read(classicPlanOrderHistory, filter)).list.find(isCalled(ids)),
  };
}

/**
 * v3's history does not say how a plan ended, only which exit was triggered, if one was. A plan that waits no longer may
 * stand further back in the history than was looked: that it was not cancelled is known of one that waits, and of no other.
 */
function cancelled({ waiting, past }: Sighting): Finding<Acknowledgement> {
  if (waiting !== undefined) return "no trace";
  if (past === undefined) return "undecidable";
  if (past.planStatus === "cancelled" || (past.planStatus === null && past.triggeredExit === null))
    return { accepted: { orderId: past.orderId, clientOid: past.clientOid } };
  return { rejected: "EXCHANGE_REJECTED", why: "the plan was triggered before it could be cancelled" };
}

const NAMED = "a plan with its clientOid, created since";
const CANCELLED = "the plan stands in the history as cancelled";

export const placeStrategyOrderPolicy = policy(placeStrategyOrder, {
  reply: ({ orderId, clientOid }): Acknowledgement => ({ orderId, clientOid }),
  proof: {
    reads: [openPlanOrders.name, planOrderHistory.name],
    shows: NAMED,
    look: async (lookUp, lost) => {
      const { category, clientOid } = lost.values;
      const { waiting, past } = await unifiedPlan(lookUp, [category], { clientOid });
      return placed(lost, waiting ?? past);
    },
  },
});

export const placeTpslOrderPolicy = policy(placeTpslOrder, {
  reply: ({ orderId, clientOid }): Acknowledgement => ({ orderId, clientOid }),
  proof: {
    reads: [classicOpenPlanOrders.name, classicPlanOrderHistory.name],
    shows: NAMED,
    look: async (lookUp, lost) => {
      const { productType, symbol, clientOid } = lost.values;
      const { waiting, past } = await classicPlan(lookUp, productType, symbol, { clientOid });
      return placed(lost, waiting ?? past);
    },
  },
});

export const cancelStrategyOrderPolicy = policy(cancelStrategyOrder, {
  reply: (_, { orderId = null, clientOid = null }): Acknowledgement => ({ orderId, clientOid }),
  urgency: "cancel",
  clientOid: undefined,
  proof: {
    reads: [openPlanOrders.name, planOrderHistory.name],
    shows: CANCELLED,
    look: async (lookUp, { values }) => cancelled(await unifiedPlan(lookUp, FUTURES_CATEGORIES, values)),
  },
});

export const classicCancelPlanOrdersPolicy = policy(classicCancelPlanOrders, {
  reply: (_, { orderIdList = [] }): Acknowledgement => ({
    orderId: orderIdList[0]?.orderId ?? null,
    clientOid: orderIdList[0]?.clientOid ?? null,
  }),
  urgency: "cancel",
  refusedIn: ({ failureList: [failure] }) => (failure === undefined ? undefined : (failure.errorMsg ?? "not cancelled")),
  proof: {
    reads: [classicOpenPlanOrders.name, classicPlanOrderHistory.name],
    shows: CANCELLED,
    look: async (lookUp, { values: { productType, symbol, orderIdList = [] } }) => {
      const [plan] = orderIdList;
      return plan === undefined ? "undecidable" : cancelled(await classicPlan(lookUp, productType, symbol, plan));
    },
  },
});
