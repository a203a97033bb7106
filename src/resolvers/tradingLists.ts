import type { ExchangeAccount, RequestReads } from "../datasources/index.js";
import { type ExecutedRecord, MAX_EDGE_CALLS, planOrderPages, sliceOf, wantedExecutions } from "../datasources/reads/index.js";
import type { AccountList, FieldCost } from "../schema/cost.js";
import type { AccountMode } from "../schema/enums/account.js";
import type { FillConnection } from "../schema/order.js";
import { withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import { first } from "./fieldCosts.js";
import type { PageArguments } from "./pageArguments.js";

/** Lists that edges of orders and of positions share, and their costs. */

/** Pages of the exchange in the longest list that an edge reads whole. */
export const PAGES = [1, 2, 3, 4, 5];
export const pagesOf = (list: string, isOfAll = false): readonly AccountList[] =>
  PAGES.map((page) => ({ page: `${list} ${page}`, isOfAll }));
/** Kinds of trigger orders with a list of their own on a Classic account. */
export const CLASSIC_PLAN_KINDS = ["normal_plan", "track_plan", "profit_loss"];

/** Lists of open trigger orders; those of a unified account come whole. */
export const planLists = (mode: AccountMode) =>
  (typeof planOrderPages === "function" ? planOrderPages(mode, FIRST_PAGE) : planOrderPages).lists;
const FIRST_PAGE = { hasCursor: false, category: "USDT-FUTURES" };

/** The executions of several rows share one list, and those that are not in it are read one by one. */
export const EXECUTIONS: FieldCost = {
  calls: 2 * PAGES.length,
  mostPerAccount: MAX_EDGE_CALLS,
  rows: first,
};
export const executionsOf = async (
  reads: RequestReads,
  account: ExchangeAccount,
  thing: ExecutedRecord,
  page: PageArguments,
): Promise<FillConnection> => {
  const owners = reads.identitiesOf(account);
  const wanted = wantedExecutions(owners, thing, page);
  const found = sliceOf(owners, thing, await reads.loaders.account.executions(account, wanted));
  return connectionFrom(found, page.after, (row) => withAccount(account, row));
};

/** The executions of orders and positions that have none, without a call. */
export const noExecutions = (page: PageArguments): FillConnection =>
  connectionFrom({ rows: [], hasNextPage: false }, page.after, (row: never) => row);
