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
import { type ActivityList, item, type Listed, mapped, type Page } from "./activityList.js";

const traded = <R extends { readonly symbol: string; readonly category: string; readonly createdTime: number | null }>(
  type: string,
  account: ExchangeAccount,
  row: R,
  key: string,
): Listed => ({ ...item(type, account, row, { key, at: row.createdTime }), symbol: row.symbol, category: row.category });

const FUTURES = Object.values(ProductCategoryInput).filter(isFuturesCategory);
const CATEGORIES = { UNIFIED: Object.values(ProductCategoryInput), CLASSIC: ["SPOT", ...FUTURES] as const };
const PLANS = { UNIFIED: Object.values(ProductCategoryInput), CLASSIC: FUTURES };

const orderLists = (mode: AccountMode): readonly ActivityList[] => [
  {
    ...{ kind: "ORDER", name: "open orders", hasSymbols: true, pages: openOrderPages },
    read: async ({ reads }, account, page) =>
      mapped(await readOpenOrders(reads, account, { symbol: page.symbol }, page), (row) =>
        traded("Order", account, row, `${row.category} ${row.orderId}`),
      ),
  },
  ...CATEGORIES[mode].map(
    (category): ActivityList => ({
      ...{ kind: "ORDER", name: `orders ${category}`, category, hasSymbols: true, pages: orderHistoryPages },
      read: async ({ reads }, account, page) =>
        mapped(await readOrderHistory(reads, account, { category, symbol: page.symbol }, page), (row) =>
          traded("Order", account, row, `${row.category} ${row.orderId}`),
        ),
    }),
  ),
];

/** A unified account has one list of executions for all categories. */
const fillLists = (mode: AccountMode): readonly ActivityList[] =>
  (mode === "UNIFIED" ? [undefined] : CATEGORIES.CLASSIC).map((category) => ({
    ...{ kind: "FILL", name: `fills ${category ?? ""}`, hasSymbols: true, pages: fillPages },
    ...(category && { category }),
    read: async ({ reads }, account, page) =>
      mapped(await readFills(reads, account, category === undefined ? {} : { category }, page), (row) =>
        traded("Fill", account, row, `${row.category} ${row.execId}`),
      ),
  }));

/** The same rows for each request as long as none is added; rows that are too old are left out by the timeline. */
const withoutTimes = ({ first, after, from, to, isLatest }: Page): Partial<Page> =>
  isLatest === true ? { first, after } : { first, after, from, to };

const planLists = (mode: AccountMode): readonly ActivityList[] =>
  PLANS[mode].flatMap((category): readonly ActivityList[] =>
    (["waiting", "ended"] as const).map((state) => ({
      ...{ kind: "PLAN_ORDER", name: `trigger orders ${state} ${category}`, category, hasSymbols: true },
      pages: state === "waiting" ? planOrderPages : planOrderHistoryPages,
      read: async ({ reads }, account, page) =>
        mapped(
          state === "waiting"
            ? await readOpenPlanOrders(reads, account, { category, symbol: page.symbol }, page)
            : await readPlanOrderHistory(reads, account, { category }, withoutTimes(page)),
          (row) => traded("PlanOrder", account, row, `${row.category} ${row.orderId}`),
        ),
    })),
  );

/** Orders, executions and trigger orders. */
export const tradingLists = (mode: AccountMode): readonly ActivityList[] => [
  ...orderLists(mode),
  ...fillLists(mode),
  ...planLists(mode),
];
