import { endpoint, PRIVATE_HISTORY, PRIVATE_STATE, perSecond } from "./endpoint.js";
import { classicPage, page, wholeList } from "./page.js";
import { between, classicPaging, maybe, oneOf, required, symbolName, unifiedPaging } from "./parameter.js";
import { FUTURES_ORDERS_READ, UNIFIED_TRADE_READ } from "./permissions.js";
import { classicPlanOrder, classicSubOrder, openPlanOrder, planOrder, subOrder } from "./plan.js";
import { classicClientOid, orderIdOrClientOid, orderIdText, productType, unifiedClientOid } from "./trading.js";
import { CLASSIC_PLAN_LISTS, PRODUCT_CATEGORIES, STRATEGY_TYPES } from "./vocabulary.js";

const category = required("Product category", oneOf(PRODUCT_CATEGORIES));
const type = maybe("Kind of strategy order", oneOf(STRATEGY_TYPES, { fallback: "tpsl" }));

const UNIFIED = { permissions: UNIFIED_TRADE_READ, rate: perSecond(20, "UID") } as const;
const CLASSIC = { permissions: FUTURES_ORDERS_READ, rate: perSecond(10, "UID") } as const;

export const openPlanOrders = endpoint({
  ...UNIFIED,
  name: "openPlanOrders",
  doc: "Strategy orders of one kind that wait or run",
  path: "/api/v3/trade/unfilled-strategy-orders",
  cache: PRIVATE_STATE,
  parameters: { category, type },
  data: wholeList(openPlanOrder),
});

export const planOrderHistory = endpoint({
  ...UNIFIED,
  name: "planOrderHistory",
  doc: "Strategy orders of one kind that have ended",
  path: "/api/v3/trade/history-strategy-orders",
  cache: PRIVATE_HISTORY,
  parameters: { category, type, ...between, ...unifiedPaging(100, 100) },
  data: page(planOrder),
});

export const strategySubOrders = endpoint({
  ...UNIFIED,
  name: "strategySubOrders",
  doc: "Orders that a strategy order has placed",
  path: "/api/v3/trade/strategy-sub-orders",
  cache: PRIVATE_STATE,
  parameters: {
    orderId: maybe("Identifier of the strategy order; decides when both are given", orderIdText()),
    clientOid: maybe("The client's own identifier of the strategy order", unifiedClientOid()),
    ...unifiedPaging(100, 100),
  },
  rules: [orderIdOrClientOid],
  data: page(subOrder),
});

export const classicPlanSubOrders = endpoint({
  ...CLASSIC,
  name: "classicPlanSubOrders",
  doc: "Orders that a trigger order has placed; not of take-profits and stop-losses",
  path: "/api/v2/mix/order/plan-sub-order",
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
  ...classicPaging(100, 100),
};

export const classicOpenPlanOrders = endpoint({
  ...CLASSIC,
  name: "classicOpenPlanOrders",
  doc: "Trigger orders that still wait",
  path: "/api/v2/mix/order/orders-plan-pending",
  cache: PRIVATE_STATE,
  parameters: classicFilters,
  data: classicPage(classicPlanOrder, "entrustedList"),
});

export const classicPlanOrderHistory = endpoint({
  ...CLASSIC,
  name: "classicPlanOrderHistory",
  doc: "Trigger orders that no longer wait",
  path: "/api/v2/mix/order/orders-plan-history",
  cache: PRIVATE_HISTORY,
  parameters: {
    ...classicFilters,
    planStatus: maybe("Only plans that ended like this", oneOf(["executed", "fail_execute", "cancelled"])),
  },
  data: classicPage(classicPlanOrder, "entrustedList"),
});
