import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  classicPlanSubOrders,
  openPlanOrders,
  planOrderHistory,
  strategySubOrders,
} from "@exchange-graph/contract/planReads";
import { type CLASSIC_PLAN_LISTS, CLASSIC_TPSL_PLANS, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { Plan } from "../world/plans/plan.js";
import type { PlanStore } from "../world/plans/planStore.js";
import { contractOf, type State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { createdWithin, cursorPage, entrustedPage, type HistoryQuery, pageBelow } from "./paging.js";
import { categoryOf } from "./symbols.js";
import { withBareNumbers } from "./wire/fields.js";
import { classicPlan, classicSubOrder, strategyType, subOrder, unifiedEndedPlan, unifiedPlan } from "./wire/plan.js";

interface PlanQuery extends HistoryQuery {
  readonly planType: (typeof CLASSIC_PLAN_LISTS)[number];
  readonly idLessThan?: string | undefined;
}

const TPSL_KINDS: readonly string[] = CLASSIC_TPSL_PLANS;

export function planReadHandlers(state: State, plans: PlanStore): readonly Handler[] {
  const idOf = ({ planId }: Plan): string => planId;

  const classicPage = (uid: string, category: FuturesCategory, rows: readonly Plan[], query: PlanQuery): unknown => {
    const found = createdWithin(rows, query).filter(
      (plan) =>
        plan.category === category &&
        (query.planType === "profit_loss" ? TPSL_KINDS.includes(plan.kind) : plan.kind === query.planType) &&
        isNamed(plan.symbol, query.symbol) &&
        (query.orderId ?? plan.planId) === plan.planId &&
        (query.clientOid ?? plan.clientOid) === plan.clientOid,
    );
    const account = state.accounts.of(uid);
    return entrustedPage(pageBelow(found, idOf, query.idLessThan, query.limit), (plan) =>
      classicPlan(plan, account, contractOf(state, plan.category, plan.symbol)),
    );
  };

  return [
    signed(openPlanOrders, ({ values, uid }) =>
      plans
        .waiting(uid)
        .filter((plan) => plan.category === values.category && strategyType(plan) === values.type)
        .map(unifiedPlan),
    ),

    // The cursor is a bare number of nineteen digits here, more than a JavaScript number has.
    signed(planOrderHistory, ({ values, uid }) => {
      const found = createdWithin(plans.ended(uid), values).filter(
        (plan) => plan.category === values.category && strategyType(plan) === values.type,
      );
      return withBareNumbers(cursorPage(pageBelow(found, idOf, values.cursor, values.limit), unifiedEndedPlan), "cursor");
    }),

    signed(strategySubOrders, ({ values, uid }) => {
      const { orderId, clientOid } = values;
      const plan = [...plans.waiting(uid), ...plans.ended(uid)].find((one) =>
        orderId === undefined ? one.clientOid === clientOid : one.planId === orderId,
      );
      if (plan === undefined) throw new Refused(REFUSAL.strategyNotFound);
      const placed = [...plan.orders].reverse();
      return cursorPage(
        pageBelow(placed, ({ orderId }) => orderId, values.cursor, values.limit),
        subOrder,
      );
    }),

    signed(classicPlanSubOrders, ({ values, uid }) => {
      const { planType, planOrderId } = values;
      const category = categoryOf(values.productType);
      const isMeant = (plan: Plan): boolean =>
        plan.planId === planOrderId && plan.kind === planType && plan.category === category;
      const plan = [...plans.waiting(uid), ...plans.ended(uid)].find(isMeant);
      return [...(plan?.orders ?? [])].reverse().map(classicSubOrder);
    }),

    signed(classicOpenPlanOrders, ({ values, uid }) =>
      classicPage(uid, categoryOf(values.productType), plans.waiting(uid), values),
    ),

    signed(classicPlanOrderHistory, ({ values, uid }) => {
      const ended = plans.ended(uid).filter(({ status }) => (values.planStatus ?? status) === status);
      return classicPage(uid, categoryOf(values.productType), ended, values);
    }),
  ];
}
