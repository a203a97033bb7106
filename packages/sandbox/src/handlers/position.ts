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
import { classicPositions, classicPositionsOfSymbol, positions } from "@exchange-graph/contract/position";
import { classicPositionHistory, positionHistory } from "@exchange-graph/contract/positionHistory";
import type { CLASSIC_PLAN_LISTS, FuturesCategory } from "@exchange-graph/contract/vocabulary";
import { before } from "@exchange-graph/contract/window";
import { Refused } from "../refused.js";
import type { Plan, PlanKind } from "../world/plans/plan.js";
import type { PlanStore } from "../world/plans/planStore.js";
import type { ClosedPosition, Position } from "../world/positions/position.js";
import { contractOf, type State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import { createdWithin, cursorPage, entrustedPage, type HistoryQuery, pageBelow, within } from "./paging.js";
import { categoryOf } from "./symbols.js";
import { orEmpty, withBareNumbers } from "./wire/fields.js";
import {
  classicPlan,
  classicSubOrder,
  isInClassicList,
  strategyType,
  subOrder,
  unifiedEndedPlan,
  unifiedPlan,
} from "./wire/plan.js";
import { classicClosed, classicOpen, unifiedClosed, unifiedOpen } from "./wire/position.js";

/** Maximum age of closed positions that can be read. */
const UNIFIED_AGE = { days: 90 } as const;
const CLASSIC_AGE = { months: 3 } as const;

export function positionHandlers(state: State, plans: PlanStore): readonly Handler[] {
  const { now } = state;
  const open = (uid: string, category: FuturesCategory, symbol?: string): readonly Position[] =>
    [...state.positions.open(uid)].filter((position) => position.category === category && isNamed(position.symbol, symbol));
  const idOf = ({ positionId }: ClosedPosition): string => positionId;

  return [
    signed(positions, ({ values, uid }) => {
      const found = open(uid, values.category, values.symbol).filter(({ side }) => (values.posSide ?? side) === side);
      return { list: found.length === 0 ? null : found.map((position) => unifiedOpen(state, position)) };
    }),

    signed(positionHistory, ({ values, uid }) => {
      const found = closed(state, uid, values, before(now(), UNIFIED_AGE)).filter(({ category }) => category === values.category);
      return cursorPage(pageBelow(found, idOf, values.cursor, values.limit), unifiedClosed);
    }),

    signed(classicPositions, ({ values, uid }) =>
      open(uid, categoryOf(values.productType))
        .filter(({ marginCoin }) => (values.marginCoin ?? marginCoin) === marginCoin)
        .map((position) => ({ ...classicOpen(state, position), ...positionTpsl(plans, position) })),
    ),

    signed(classicPositionsOfSymbol, ({ values, uid }) =>
      open(uid, categoryOf(values.productType), values.symbol)
        .filter(({ marginCoin }) => values.marginCoin === marginCoin)
        .map((position) => ({ ...classicOpen(state, position), autoMargin: "off" })),
    ),

    // With a symbol the product type is ignored.
    signed(classicPositionHistory, ({ values, uid }) => {
      const category = values.productType === undefined ? undefined : categoryOf(values.productType);
      const found = closed(state, uid, values, before(now(), CLASSIC_AGE)).filter(
        (position) => values.symbol !== undefined || position.category === category,
      );
      const { rows, lastId } = pageBelow(found, idOf, values.idLessThan, values.limit);
      return { list: rows.map((position) => classicClosed(position)), endId: lastId ?? "" };
    }),
  ];
}

/** The take-profit and stop-loss of a whole position, with the ids of their trigger orders; empty text if there is none. */
function positionTpsl(plans: PlanStore, { uid, category, symbol, side }: Position) {
  const find = (kind: PlanKind): Plan | undefined =>
    plans.waiting(uid).find((plan) => {
      const isOfIt = plan.kind === kind && plan.category === category && plan.symbol === symbol;
      return isOfIt && plan.action.kind === "close" && plan.action.side === side;
    });
  const price = (plan: Plan | undefined): string => orEmpty(plan?.legs[0]?.trigger.price);
  const profit = find("pos_profit");
  const loss = find("pos_loss");
  return {
    takeProfit: price(profit),
    stopLoss: price(loss),
    takeProfitId: profit?.planId ?? "",
    stopLossId: loss?.planId ?? "",
  };
}

/** A user's closed positions in a range of closing times, those opened last first. `oldest`: Unix ms. */
const closed = (state: State, uid: string, query: HistoryQuery, oldest: number): readonly ClosedPosition[] =>
  within(
    state.positions.closed(uid),
    { ...query, startTime: Math.max(query.startTime ?? oldest, oldest) },
    ({ updatedTime }) => updatedTime,
  ).filter(({ symbol }) => isNamed(symbol, query.symbol));

interface PlanQuery extends HistoryQuery {
  readonly planType: (typeof CLASSIC_PLAN_LISTS)[number];
  readonly idLessThan?: string | undefined;
}

export function planReadHandlers(state: State, plans: PlanStore): readonly Handler[] {
  const idOf = ({ planId }: Plan): string => planId;

  const classicPage = (uid: string, category: FuturesCategory, rows: readonly Plan[], query: PlanQuery): unknown => {
    const found = createdWithin(rows, query).filter(
      (plan) =>
        plan.category === category &&
        isInClassicList(plan, query.planType) &&
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
