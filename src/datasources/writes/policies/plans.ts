import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import {
  cancelStrategyOrder,
  classicCancelPlanOrders,
  placeStrategyOrder,
  placeTpslOrder,
} from "@exchange-graph/contract/planWrites";
import { positions } from "@exchange-graph/contract/position";
import { type Row, rowsRead } from "@exchange-graph/contract/rows";
import {
  FUTURES_CATEGORIES,
  type FuturesProductType,
  type ProductCategory,
  STRATEGY_TYPES,
} from "@exchange-graph/contract/vocabulary";
import { FUTURES_PLANS, FUTURES_POSITIONS, UNIFIED_PLANS } from "../../reads/reader/readGroups.js";
import { ALREADY_ENDED } from "./echoes.js";
import { isSameName, placed, RECORDS_LOOKED_AT, wasEndedBefore } from "./evidence.js";
import { isOfNew, isOfThat, reply } from "./orderEvidence.js";
import { type Finding, innerRefusal, type LookUp, type LostWrite, type OrderIds, policy } from "./policy.js";
import type { Acknowledgement } from "./replies.js";

/** Trigger orders are found in the exchange's lists of open and ended ones. */

type Plan = Pick<PlanOrder, "symbol" | "orderId" | "clientOid" | "planStatus" | "triggeredExit" | "createdTime" | "updatedTime">;

/** Where a trigger order was found: among the open ones, or in the history. */
interface Sighting {
  readonly waiting: Plan | undefined;
  readonly past: Plan | undefined;
  /** The history reaches back further than was searched. */
  readonly isPartial: boolean;
}

/** The newest one with this identifier, because identifiers can be reused. */
const newest = (list: readonly Row<Plan>[], ids: OrderIds): Plan | undefined =>
  rowsRead(list)
    .filter((plan) => isOfThat(plan, ids))
    .sort((one, other) => (other.createdTime ?? 0) - (one.createdTime ?? 0))[0];

/** The lists of a unified account that may contain a trigger order: by category and kind. */
interface UnifiedList {
  readonly category: ProductCategory;
  readonly type: (typeof STRATEGY_TYPES)[number];
}
const EVERY_LIST: readonly UnifiedList[] = STRATEGY_TYPES.flatMap((type) =>
  FUTURES_CATEGORIES.map((category) => ({ category, type })),
);

async function unifiedPlan(lookUp: LookUp, lists: readonly UnifiedList[], ids: OrderIds): Promise<Sighting> {
  let isPartial = false;
  for (const filter of lists) {
    const waiting = newest((await lookUp.read(openPlanOrders, filter)).list, ids);
    const { list } = await lookUp.read(planOrderHistory, { ...filter, limit: RECORDS_LOOKED_AT });
    isPartial ||= list.length >= RECORDS_LOOKED_AT;
    const past = newest(list, ids);
    if (waiting !== undefined || past !== undefined) return { waiting, past, isPartial };
  }
  return { waiting: undefined, past: undefined, isPartial };
}

async function classicPlan(
  lookUp: LookUp,
  productType: FuturesProductType,
  symbol: string | undefined,
  ids: OrderIds,
  planType: "normal_plan" | "track_plan" | "profit_loss" = "profit_loss",
): Promise<Sighting> {
  const filter = { productType, symbol, planType, ...ids } as const;
  const waiting = newest((await lookUp.read(classicOpenPlanOrders, filter)).list, ids);
  const past = newest((await lookUp.read(classicPlanOrderHistory, filter)).list, ids);
  return { waiting, past, isPartial: false };
}

/** The placed trigger order, if it was placed. */
const placedPlan = (lost: Parameters<typeof placed>[0], symbol: string, { waiting, past, isPartial }: Sighting) =>
  waiting === undefined && past === undefined && isPartial
    ? "undecidable"
    : placed(lost, waiting ?? past, (plan) => isSameName(plan.symbol, symbol));

/**
 * v3's history does not show how a trigger order ended, only whether its take-profit or stop-loss was triggered. An ended one may
 * be further back in the history than was searched; only of an open one it is known that it was not cancelled.
 */
function cancelled(
  lost: Pick<LostWrite<ParameterSet>, "entry" | "refusedAt">,
  { waiting, past, isPartial }: Sighting,
): Finding<Acknowledgement> {
  if (waiting !== undefined) return "no trace";
  // If the whole history was searched, a refusal that there is no such order is right.
  if (past === undefined) return lost.refusedAt !== undefined && !isPartial ? "no trace" : "undecidable";
  if (wasEndedBefore(lost, past)) return "another's";
  if (past.planStatus === "cancelled" || (past.planStatus === null && past.triggeredExit === null))
    return { accepted: { orderId: past.orderId, clientOid: past.clientOid } };
  return { rejected: "EXCHANGE_REJECTED", why: "the plan was triggered before it could be cancelled" };
}

const NAMED = "a plan with its clientOid, created since";
const CANCELLED = "the plan stands in the history as cancelled";

export const placeStrategyOrderPolicy = policy(placeStrategyOrder, {
  invalidates: [...UNIFIED_PLANS, positions],
  reply,
  isAnswerTo: (ack, { clientOid }) => isOfNew(ack, clientOid),
  proof: {
    reads: [openPlanOrders.name, planOrderHistory.name],
    shows: NAMED,
    look: async (lookUp, lost) => {
      const { category, symbol, type = "tpsl", clientOid } = lost.values;
      return placedPlan(lost, symbol, await unifiedPlan(lookUp, [{ category, type }], { clientOid }));
    },
  },
});

export const placeTpslOrderPolicy = policy(placeTpslOrder, {
  invalidates: [...FUTURES_PLANS, ...FUTURES_POSITIONS],
  reply,
  isAnswerTo: (ack, { clientOid }) => isOfNew(ack, clientOid),
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
  invalidates: [...UNIFIED_PLANS, positions],
  reply: (_, { orderId = null, clientOid = null }): Acknowledgement => ({ orderId, clientOid }),
  priority: "cancel",
  clientOid: undefined,
  echoes: ALREADY_ENDED.v3,
  proof: {
    reads: [openPlanOrders.name, planOrderHistory.name],
    shows: CANCELLED,
    look: async (lookUp, lost) => cancelled(lost, await unifiedPlan(lookUp, EVERY_LIST, lost.values)),
  },
});

export const classicCancelPlanOrdersPolicy = policy(classicCancelPlanOrders, {
  invalidates: [...FUTURES_PLANS, ...FUTURES_POSITIONS],
  reply: (_, { orderIdList = [] }): Acknowledgement => ({
    orderId: orderIdList[0]?.orderId ?? null,
    clientOid: orderIdList[0]?.clientOid ?? null,
  }),
  isAnswerTo: ({ successList, failureList }, { orderIdList: [plan = {}] = [] }) =>
    [...successList, ...failureList].some((one) => isOfThat(one, plan)),
  priority: "cancel",
  refusedIn: ({ failureList: [failure] }) =>
    failure === undefined ? undefined : innerRefusal(failure.errorMsg ?? "not cancelled"),
  echoes: ALREADY_ENDED.v2,
  proof: {
    reads: [classicOpenPlanOrders.name, classicPlanOrderHistory.name],
    shows: CANCELLED,
    look: async (lookUp, lost) => {
      const { productType, symbol, planType, orderIdList: [plan] = [] } = lost.values;
      const list = planType === "normal_plan" || planType === "track_plan" ? planType : "profit_loss";
      return plan === undefined ? "undecidable" : cancelled(lost, await classicPlan(lookUp, productType, symbol, plan, list));
    },
  },
});
