import type { ExchangeAccount } from "../../datasources/index.js";
import {
  fillPages,
  isFuturesCategory,
  openOrderPages,
  orderHistoryPages,
  planOrderHistoryPages,
  planOrderPages,
  readFills,
  readOpenOrders,
  readOpenPlanOrders,
  readOrderHistory,
  readPlanOrderHistory,
} from "../../datasources/reads/index.js";
import type { AccountMode } from "../../schema/enums/account.js";
import { ProductCategoryInput } from "../../schema/enums/category.js";
import { type ActivityItem, type ActivityList, type ActivityPage, item, itemsOf } from "./activityList.js";

const traded =
  <R extends { readonly symbol: string; readonly category: string; readonly createdTime: number | null }>(
    type: string,
    idOf: (row: R) => string,
  ) =>
  (row: R, account: ExchangeAccount): ActivityItem => ({
    ...item(type, account, row, { key: `${row.category} ${idOf(row)}`, at: row.createdTime }),
    symbol: row.symbol,
    category: row.category,
  });

const FUTURES = Object.values(ProductCategoryInput).filter(isFuturesCategory);
const CATEGORIES = { UNIFIED: Object.values(ProductCategoryInput), CLASSIC: ["SPOT", ...FUTURES] as const };
const PLANS = { UNIFIED: Object.values(ProductCategoryInput), CLASSIC: FUTURES };

const orderLists = (mode: AccountMode): readonly ActivityList[] => [
  itemsOf(
    { kind: "ORDER", name: "open orders", hasSymbols: true, pages: openOrderPages },
    ({ reads }, account, page) => readOpenOrders(reads, account, { symbol: page.symbol }, page),
    traded("Order", (row) => row.orderId),
  ),
  ...CATEGORIES[mode].map((category) =>
    itemsOf(
      { kind: "ORDER", name: `orders ${category}`, category, hasSymbols: true, pages: orderHistoryPages },
      ({ reads }, account, page) => readOrderHistory(reads, account, { category, symbol: page.symbol }, page),
      traded("Order", (row) => row.orderId),
    ),
  ),
];

/** A unified account has one list of executions for all categories. */
const fillLists = (mode: AccountMode): readonly ActivityList[] =>
  (mode === "UNIFIED" ? [undefined] : CATEGORIES.CLASSIC).map((category) =>
    itemsOf(
      { kind: "FILL", name: `fills ${category ?? ""}`, hasSymbols: true, pages: fillPages, ...(category && { category }) },
      ({ reads }, account, page) => readFills(reads, account, category === undefined ? {} : { category }, page),
      traded("Fill", (row) => row.execId),
    ),
  );

/** The same rows for each request as long as none is added; rows that are too old are left out by the timeline. */
const withoutTimes = ({ first, after, from, to, isLatest }: ActivityPage): Partial<ActivityPage> =>
  isLatest === true ? { first, after } : { first, after, from, to };

const planLists = (mode: AccountMode): readonly ActivityList[] =>
  PLANS[mode].flatMap((category) =>
    (["waiting", "ended"] as const).map((state) => {
      const pages = state === "waiting" ? planOrderPages : planOrderHistoryPages;
      return itemsOf(
        { kind: "PLAN_ORDER", name: `trigger orders ${state} ${category}`, category, hasSymbols: true, pages },
        ({ reads }, account, page) =>
          state === "waiting"
            ? readOpenPlanOrders(reads, account, { category, symbol: page.symbol }, page)
            : readPlanOrderHistory(reads, account, { category }, withoutTimes(page)),
        traded("PlanOrder", (row) => row.orderId),
      );
    }),
  );

/** Orders, executions and trigger orders. */
export const tradingLists = (mode: AccountMode): readonly ActivityList[] => [
  ...orderLists(mode),
  ...fillLists(mode),
  ...planLists(mode),
];
