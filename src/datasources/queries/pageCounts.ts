import { subAccountList, subAccountWithdrawals } from "@exchange-graph/contract/broker";
import { MINUTE_MS } from "@exchange-graph/contract/clock";
import { convertRecords } from "@exchange-graph/contract/convert";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { classicFuturesFillHistory, classicFuturesFills, classicSpotFills, fills } from "@exchange-graph/contract/fill";
import { loanHistory, loanReductions, loanRepayments } from "@exchange-graph/contract/loan";
import {
  classicFuturesOpenOrders,
  classicFuturesOrderHistory,
  classicSpotOpenOrders,
  classicSpotOrderHistory,
  openOrders,
  orderHistory,
} from "@exchange-graph/contract/orderReads";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import { classicPositionHistory, positionHistory } from "@exchange-graph/contract/position";
import { savingsAssets, savingsRecords } from "@exchange-graph/contract/savings";
import { sharkFinAssets, sharkFinOffers, sharkFinRecords } from "@exchange-graph/contract/sharkfin";
import { FUTURES_CATEGORIES, STRATEGY_TYPES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../accounts/exchangeAccount.js";
import { Fault } from "../fault.js";
import { DEFAULT_FIRST, MAX_FIRST, pagesAtMost } from "../paging/pager.js";
import { MAX_WINDOWS, spanFor } from "../paging/windows.js";
import { isFuturesCategory } from "./category.js";
import { kindsOf, type SpotOrderKind } from "./openOrders.js";
import { maxPageSizeOf } from "./pagedQuery.js";
import { CLASSIC_KINDS } from "./planOrders.js";

/** Calls that the look-up of one order takes at most: on Classic spot it may be in the book, wait for a trigger, or have waited. */
export const orderCalls = (mode: AccountMode | undefined, category: string | undefined): number =>
  mode === "UNIFIED" || isFuturesCategory(category ?? "") ? 1 : 3;

/** What a page of a list is asked for by. A time that cannot be read is `NaN`: it may be any. */
export interface PageAsked {
  readonly first?: number | undefined;
  readonly hasCursor: boolean;
  /** Unix ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly category?: string | undefined;
  readonly symbol?: string | undefined;
  readonly orderId?: string | undefined;
  /** The kind of spot orders: those that wait for a trigger are a list that Classic spot alone has. */
  readonly tpslType?: SpotOrderKind | undefined;
}

type Listed = Pick<Endpoint, "parameters" | "window">;

/** Lists that are read page by page as one, each over its windows of time or from its newest row on. */
interface Walk {
  readonly lists: readonly Listed[];
  readonly isOverTime: boolean;
}

const overTime = (...lists: readonly Listed[]): Walk => ({ lists, isOverTime: true });
const newestFirst = (...lists: readonly Listed[]): Walk => ({ lists, isOverTime: false });
const NOTHING = newestFirst();

const hasTimes = ({ from, to }: PageAsked): boolean => from !== undefined || to !== undefined;

/** Is it a list that one mode alone has? It is refused to the other before anything is sent. */
const isRefused = (mode: AccountMode, { category, tpslType }: PageAsked): boolean =>
  mode === "UNIFIED" ? tpslType === "tpsl" : category === "MARGIN" || (tpslType === "tpsl" && (category ?? "SPOT") !== "SPOT");

function openOrderLists(mode: AccountMode, asked: PageAsked): Walk {
  if (isRefused(mode, asked)) return NOTHING;
  if (mode === "UNIFIED") return newestFirst(openOrders);
  const { category, tpslType } = asked;
  const spot = kindsOf(tpslType).map(() => classicSpotOpenOrders);
  if (category === "SPOT" || tpslType === "tpsl") return newestFirst(...spot);
  if (category !== undefined) return newestFirst(classicFuturesOpenOrders);
  return newestFirst(...spot, ...FUTURES_CATEGORIES.map(() => classicFuturesOpenOrders));
}

function orderHistoryLists(mode: AccountMode, asked: PageAsked): Walk {
  if (isRefused(mode, asked)) return NOTHING;
  if (mode === "UNIFIED") return overTime(orderHistory);
  if (isFuturesCategory(asked.category ?? "")) return overTime(classicFuturesOrderHistory);
  return overTime(...kindsOf(asked.tpslType).map(() => classicSpotOrderHistory));
}

function fillLists(mode: AccountMode, asked: PageAsked): Walk {
  if (isRefused(mode, asked)) return NOTHING;
  const byOrder = asked.orderId !== undefined && !hasTimes(asked);
  if (mode === "UNIFIED") return byOrder ? newestFirst(fills) : overTime(fills);
  if (!isFuturesCategory(asked.category ?? "")) return byOrder ? newestFirst(classicSpotFills) : overTime(classicSpotFills);
  return hasTimes(asked) ? overTime(classicFuturesFillHistory) : newestFirst(classicFuturesFills);
}

const ofMode =
  (unified: Walk, classic: Walk) =>
  (mode: AccountMode): Walk =>
    mode === "UNIFIED" ? unified : classic;
const always = (walk: Walk) => () => walk;
const PLANS = STRATEGY_TYPES.map(() => openPlanOrders);
const PAST_PLANS = STRATEGY_TYPES.map(() => planOrderHistory);
const CLASSIC_PLANS = CLASSIC_KINDS.map(() => classicOpenPlanOrders);
const CLASSIC_PAST_PLANS = CLASSIC_KINDS.map(() => classicPlanOrderHistory);

/** The lists behind each paged query, by the account's mode and by what is asked for. */
const WALKS = {
  closedLoans: always(overTime(loanHistory)),
  closedPositions: ofMode(overTime(positionHistory), overTime(classicPositionHistory)),
  conversions: always(overTime(convertRecords)),
  fills: fillLists,
  loanReductions: always(overTime(loanReductions)),
  loanRepayments: always(overTime(loanRepayments)),
  openOrders: openOrderLists,
  orderHistory: orderHistoryLists,
  planOrderHistory: ofMode(newestFirst(...PAST_PLANS), newestFirst(...CLASSIC_PAST_PLANS)),
  planOrders: ofMode(newestFirst(...PLANS), newestFirst(...CLASSIC_PLANS)),
  savingsHoldings: always(newestFirst(savingsAssets)),
  savingsRecords: always(overTime(savingsRecords)),
  sharkFinHoldings: always(overTime(sharkFinAssets)),
  sharkFinOffers: always(newestFirst(sharkFinOffers)),
  sharkFinRecords: always(overTime(sharkFinRecords)),
  subAccountWithdrawals: always(overTime(subAccountWithdrawals)),
  subAccounts: always(newestFirst(subAccountList)),
} as const satisfies Readonly<Record<string, (mode: AccountMode, asked: PageAsked) => Walk>>;

/** A query that gives pages. */
export type PagedName = keyof typeof WALKS;

const MODES: readonly AccountMode[] = ["CLASSIC", "UNIFIED"];

/**
 * How many calls a page of a query takes at most, at this time (Unix ms) or within a minute of it. Without a mode it may be
 * either.
 */
export function callsAtMost(query: PagedName, asked: PageAsked, mode: AccountMode | undefined, now: number): number {
  const walks = (mode === undefined ? MODES : [mode]).map((one) => WALKS[query](one, asked));
  return Math.max(...walks.map((walk) => callsOf(walk, asked, now)));
}

function callsOf({ lists, isOverTime }: Walk, asked: PageAsked, now: number): number {
  const first = asked.first ?? DEFAULT_FIRST;
  if (lists.length === 0 || first < 1 || first > MAX_FIRST) return 0;
  const pageSize = Math.min(...lists.map((list) => maxPageSizeOf(list)));
  const windows = isOverTime
    ? Math.max(...lists.map((list) => Math.max(...[now, now + MINUTE_MS].map((at) => windowsOf(list, asked, at)))))
    : 1;
  return windows === 0 ? 0 : lists.length * pagesAtMost(first, pageSize, windows, asked.hasCursor);
}

/** Windows of time that are covered; none where the times are refused. */
function windowsOf({ window }: Listed, { from, to }: PageAsked, now: number): number {
  if (window === undefined) throw new Error("a list without times is not walked over time");
  if (Number.isNaN(from) || Number.isNaN(to)) return MAX_WINDOWS;
  try {
    return spanFor(window, { from, to }, now).windows;
  } catch (error) {
    if (error instanceof Fault && error.code === "BAD_USER_INPUT") return 0;
    throw error;
  }
}
