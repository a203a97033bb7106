import { endpoint, PRIVATE_HISTORY, PRIVATE_STATE, perSecond } from "./endpoint.js";
import { classicPage, page, wholeList } from "./page.js";
import { maybe, oneOf, pageSize, required, symbolName, textRule, timestamp } from "./parameter.js";
import { FUTURES_ORDERS_READ, UNIFIED_TRADE_READ } from "./permissions.js";
import { classicPlanOrder, openPlanOrder, planOrder } from "./plan.js";
import { classicSubOrder, subOrder } from "./subOrder.js";
import { classicClientOid, orderIdOrClientOid, orderIdText, productType, unifiedClientOid } from "./trading.js";
import { CLASSIC_PLAN_LISTS, PRODUCT_CATEGORIES, STRATEGY_TYPES } from "./vocabulary.js";

const category = required("Product category", oneOf(PRODUCT_CATEGORIES));
const type = maybe("Kind of strategy order", oneOf(STRATEGY_TYPES, { fallback: "tpsl" }));
const between = {
  startTime: maybe("Only plans from here on", timestamp()),
  endTime: maybe("Only plans up to here", timestamp()),
  limit: maybe("Page size", pageSize(100, 100)),
};

export const openPlanOrders = endpoint({
  name: "openPlanOrders",
  doc: "Strategy orders of one kind that wait or run",
  path: "/api/v3/trade/unfilled-strategy-orders",
  permissions: UNIFIED_TRADE_READ,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_STATE,
  parameters: { category, type },
  data: wholeList(openPlanOrder),
});

export const planOrderHistory = endpoint({
  name: "planOrderHistory",
  doc: "Strategy orders of one kind that have ended",
  path: "/api/v3/trade/history-strategy-orders",
  permissions: UNIFIED_TRADE_READ,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: { category, type, ...between, cursor: maybe("The cursor of the page before", textRule()) },
  data: page(planOrder),
});

export const strategySubOrders = endpoint({
  name: "strategySubOrders",
  doc: "Orders that a strategy order has placed",
  path: "/api/v3/trade/strategy-sub-orders",
  permissions: UNIFIED_TRADE_READ,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_STATE,
  parameters: {
    orderId: maybe("Identifier of the strategy order; decides when both are given", orderIdText()),
    clientOid: maybe("The client's own identifier of the strategy order", unifiedClientOid()),
    limit: maybe("Page size", pageSize(100, 100)),
    cursor: maybe("The cursor of the page before", textRule()),
  },
  rules: [orderIdOrClientOid],
  data: page(subOrder),
});

export const classicPlanSubOrders = endpoint({
  name: "classicPlanSubOrders",
  doc: "Orders that a trigger order has placed; not of take-profits and stop-losses",
  path: "/api/v2/mix/order/plan-sub-order",
  permissions: FUTURES_ORDERS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: {
    planType: required("Kind of plan", oneOf(["normal_plan", "track_plan"])),
    planOrderId: required("Identifier of the trigger order", orderIdText()),
    productType,
  },
  data: wholeList(classicSubOrder),
});

const classicFilters = {
  productType,
  // `profit_loss` includes every kind of take-profit and stop-loss: profit_plan, loss_plan, moving_plan, pos_profit, pos_loss.
  planType: required("Kind of plan", oneOf(CLASSIC_PLAN_LISTS)),
  symbol: maybe("Symbol name", symbolName()),
  orderId: maybe("Trigger order identifier", orderIdText()),
  clientOid: maybe("The client's own identifier", classicClientOid()),
  ...between,
  idLessThan: maybe("The cursor of the page before", textRule()),
};

export const classicOpenPlanOrders = endpoint({
  name: "classicOpenPlanOrders",
  doc: "Trigger orders that still wait",
  path: "/api/v2/mix/order/orders-plan-pending",
  permissions: FUTURES_ORDERS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: classicFilters,
  data: classicPage(classicPlanOrder, "entrustedList"),
});

export const classicPlanOrderHistory = endpoint({
  name: "classicPlanOrderHistory",
  doc: "Trigger orders that no longer wait",
  path: "/api/v2/mix/order/orders-plan-history",
  permissions: FUTURES_ORDERS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    ...classicFilters,
    planStatus: maybe("Only plans that ended like this", oneOf(["executed", "fail_execute", "cancelled"])),
  },
  data: classicPage(classicPlanOrder, "entrustedList"),
});
