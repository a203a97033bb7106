import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { classicFuturesFillHistory, classicFuturesFills, classicSpotFills, fills } from "@exchange-graph/contract/fill";
import { isNamed } from "@exchange-graph/contract/letterCase";
import {
  classicFuturesOpenOrders,
  classicFuturesOrderDetail,
  classicFuturesOrderHistory,
  classicSpotOpenOrders,
  classicSpotOrderHistory,
  classicSpotOrderInfo,
  openOrders,
  orderHistory,
  orderInfo,
} from "@exchange-graph/contract/orderReads";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { before } from "@exchange-graph/contract/window";
import { Refused } from "../refused.js";
import type { Fill, Order } from "../world/orders/order.js";
import type { Plan } from "../world/plans/plan.js";
import type { PlanStore } from "../world/plans/planStore.js";
import type { State } from "../world/state.js";
import { type Handler, signed } from "./handler.js";
import {
  checkInTime,
  createdWithin,
  cursorPage,
  entrustedPage,
  type HistoryQuery,
  type IdPage,
  pageBelow,
  within,
} from "./paging.js";
import { categoryOf } from "./symbols.js";
import { classicFuturesFill, classicSpotFill, unifiedFill } from "./wire/fill.js";
import {
  classicFuturesDetail,
  classicFuturesOpenOrder,
  classicFuturesOrder,
  classicSpotOpenOrder,
  classicSpotOrder,
  unifiedOpenOrder,
  unifiedOrder,
} from "./wire/order.js";
import { classicSpotPlan } from "./wire/plan.js";

/** Maximum age of orders, and of fills in v3. */
const AGE = { days: 90 } as const;

/** Reads of orders, on unified accounts, on Classic spot and on Classic futures. */
export function orderReadHandlers(state: State, plans: PlanStore): readonly Handler[] {
  const { orders, now } = state;
  const open = (uid: string): readonly Order[] => [...orders.open(uid)].reverse();
  const page = (rows: readonly Order[], category: ProductCategory | undefined, query: HistoryQuery, below: string | undefined) =>
    pageBelow(rows, ({ orderId }) => orderId, below, query.limit, matching(category, query));
  const oldest = ({ startTime = 0 }: HistoryQuery): number => Math.max(startTime, before(now(), AGE));
  const finishedPage = (uid: string, category: ProductCategory | undefined, query: HistoryQuery, below: string | undefined) =>
    page(orders.finished(uid), category, { ...query, startTime: oldest(query) }, below);

  return [
    signed(openOrders, ({ values, uid }) =>
      cursorPage(page(open(uid), values.category, values, values.cursor), unifiedOpenOrder),
    ),
    signed(orderHistory, ({ values, uid }) =>
      cursorPage(finishedPage(uid, values.category, values, values.cursor), unifiedOrder),
    ),
    signed(orderInfo, ({ values, uid }) => {
      const order = orders.find(uid, values);
      if (order === undefined) throw new Refused(REFUSAL.unifiedOrderNotFound);
      return unifiedOrder(order);
    }),

    signed(classicSpotOpenOrders, ({ values, uid }) => {
      checkInTime(now(), values);
      if (values.tpslType === "tpsl") return planPage(plans.waiting(uid), values);
      return page(open(uid), "SPOT", values, values.idLessThan).rows.map((order) => classicSpotOpenOrder(order, uid));
    }),
    signed(classicSpotOrderHistory, ({ values, uid }) => {
      checkInTime(now(), values);
      if (values.tpslType === "tpsl") return planPage(plans.ended(uid), { ...values, startTime: oldest(values) });
      return finishedPage(uid, "SPOT", values, values.idLessThan).rows.map((order) => classicSpotOrder(order, uid));
    }),
    signed(classicSpotOrderInfo, ({ values, uid }) => {
      checkInTime(now(), values);
      const order = orders.find(uid, { ...values, category: "SPOT" });
      return order === undefined ? [] : [classicSpotOrder(order, uid)];
    }),

    signed(classicFuturesOpenOrders, ({ values, uid }) => {
      const category = categoryOf(values.productType);
      const rows = open(uid).filter(({ status }) => values.status === undefined || IN_STATE[values.status] === status);
      return entrustedPage(page(rows, category, values, values.idLessThan), classicFuturesOpenOrder);
    }),
    signed(classicFuturesOrderHistory, ({ values, uid }) => {
      const category = categoryOf(values.productType);
      return entrustedPage(finishedPage(uid, category, values, values.idLessThan), classicFuturesOrder);
    }),
    signed(classicFuturesOrderDetail, ({ values, uid }) => {
      const category = categoryOf(values.productType);
      const order = orders.find(uid, { ...values, category });
      if (order === undefined) throw new Refused(REFUSAL.futuresOrderNotFound);
      return classicFuturesDetail(order);
    }),
  ];
}

/** Spot orders with a trigger, waiting or not. */
const planPage = (plans: readonly Plan[], query: HistoryQuery & { readonly idLessThan?: string | undefined }) =>
  pageBelow(
    createdWithin(plans, query),
    ({ planId }) => planId,
    query.idLessThan,
    query.limit,
    ({ kind, symbol, planId }) => kind === "spot" && isNamed(symbol, query.symbol) && (query.orderId ?? planId) === planId,
  ).rows.map(classicSpotPlan);

const IN_STATE = { live: "new", partially_filled: "partially_filled" } as const;

const matching =
  (category: ProductCategory | undefined, { symbol, orderId, clientOid, startTime, endTime }: HistoryQuery) =>
  (order: Order): boolean =>
    (category ?? order.category) === order.category &&
    isNamed(order.symbol, symbol) &&
    (orderId ?? order.orderId) === order.orderId &&
    (clientOid ?? order.clientOid) === order.clientOid &&
    order.createdTime >= (startTime ?? 0) &&
    order.createdTime <= (endTime ?? Number.MAX_SAFE_INTEGER);

/** The default range of the v2 futures history. */
const WEEK = { days: 7 } as const;

export function fillHandlers(state: State): readonly Handler[] {
  const page = (
    uid: string,
    category: ProductCategory | undefined,
    query: HistoryQuery,
    below: string | undefined,
  ): IdPage<Fill> => {
    const { symbol, orderId } = query;
    const found = within(state.orders.fills(uid), query, ({ at }) => at).filter(
      (fill) =>
        (category ?? fill.category) === fill.category &&
        isNamed(fill.symbol, symbol) &&
        (orderId ?? fill.orderId) === fill.orderId,
    );
    return pageBelow(found, ({ execId }) => execId, below, query.limit);
  };
  const futuresPage = (uid: string, category: ProductCategory, query: HistoryQuery, below: string | undefined) => {
    const { rows, lastId } = page(uid, category, query, below);
    return { fillList: rows.length === 0 ? null : rows.map(classicFuturesFill), endId: lastId ?? null };
  };

  return [
    signed(fills, ({ values, uid }) => {
      const startTime = values.startTime ?? before(state.now(), AGE);
      const { rows, lastId } = page(uid, values.category, { ...values, startTime }, values.cursor);
      return { list: rows.length === 0 ? null : rows.map(unifiedFill), cursor: lastId ?? null };
    }),

    signed(classicSpotFills, ({ values, uid }) => page(uid, "SPOT", values, values.idLessThan).rows.map(classicSpotFill)),

    signed(classicFuturesFills, ({ values, uid }) => futuresPage(uid, categoryOf(values.productType), values, values.idLessThan)),

    signed(classicFuturesFillHistory, ({ values, uid }) => {
      const startTime = values.startTime ?? before(values.endTime ?? state.now(), WEEK);
      return futuresPage(uid, categoryOf(values.productType), { ...values, startTime }, values.idLessThan);
    }),
  ];
}
