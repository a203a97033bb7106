import type { ExchangeAccount } from "../datasources/index.js";
import {
  callsAtMost,
  closedLoans,
  conversions,
  deposits,
  fillPages,
  isFuturesCategory,
  loanReductions,
  loanRepayments,
  MAX_FIRST,
  MAX_ITEMS,
  openOrderPages,
  orderHistoryPages,
  type Pages,
  planOrderHistoryPages,
  planOrderPages,
  readFills,
  readOngoingLoans,
  readOpenOrders,
  readOpenPlanOrders,
  readOrderHistory,
  readPlanOrderHistory,
  type Slice,
  type SliceArguments,
  savingsRecords,
  sharkFinRecords,
  wholeSlice,
  withdrawals,
} from "../datasources/reads/index.js";
import { readJournal } from "../datasources/writes/index.js";
import type { AskedArguments, CostContext } from "../schema/cost.js";
import type { AccountMode } from "../schema/enums/account.js";
import { ActivityKind } from "../schema/enums/activity.js";
import { categoryNamed, ProductCategoryInput } from "../schema/enums/category.js";
import { bounded } from "../schema/listLengths.js";
import type { NodeRecord } from "../schema/node.js";
import { withAccount } from "./accountScoped.js";
import type { RequestContext } from "./context.js";
import { convertRecordOf } from "./convert.js";
import { timeAsked } from "./fieldCosts.js";
import { journalEntryOf } from "./mutations/journal.js";

/** A page of a list between two times, Unix ms. */
type Page = SliceArguments & {
  readonly from: number;
  readonly to: number;
  /** Only this symbol, for lists that the exchange filters. */
  readonly symbol?: string | undefined;
};

/** The rows of one list, as items of a timeline. */
export interface Listed {
  readonly record: NodeRecord;
  readonly key: string;
  /** Unix ms. */
  readonly time: number | null;
  readonly symbol?: string;
  readonly category?: string;
}

/** A list of an account's activity. */
interface ActivityList {
  readonly kind: ActivityKind;
  readonly name: string;
  /** Its category; a list without one may have rows of all, or of none. */
  readonly category?: ProductCategoryInput;
  readonly hasSymbols: boolean;
  /** Undefined if it takes no call. */
  readonly pages: Pages | undefined;
  readonly read: (context: RequestContext, account: ExchangeAccount, page: Page) => Promise<Slice<Listed>>;
}

const mapped = <R>({ rows, hasNextPage }: Slice<R>, listed: (row: R) => Listed): Slice<Listed> => ({
  rows: rows.map(({ row, cursor }) => ({ row: row instanceof Error ? row : listed(row), cursor })),
  hasNextPage,
});

/** A record of an account as an item. */
const item = <R extends object>(
  type: string,
  account: ExchangeAccount,
  row: R,
  { key, at }: { readonly key: string; readonly at: number | null },
): Listed => ({ record: { __typename: type, ...withAccount(account, row) }, key: `${type} ${key}`, time: at });

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

const planLists = (mode: AccountMode): readonly ActivityList[] =>
  PLANS[mode].flatMap((category): readonly ActivityList[] =>
    (["waiting", "ended"] as const).map((state) => ({
      ...{ kind: "PLAN_ORDER", name: `trigger orders ${state} ${category}`, category, hasSymbols: true },
      pages: state === "waiting" ? planOrderPages : planOrderHistoryPages,
      read: async ({ reads }, account, page) =>
        mapped(
          state === "waiting"
            ? await readOpenPlanOrders(reads, account, { category, symbol: page.symbol }, page)
            : await readPlanOrderHistory(reads, account, { category }, page),
          (row) => traded("PlanOrder", account, row, `${row.category} ${row.orderId}`),
        ),
    })),
  );

const NONE = { orderId: null, loanCoin: null, pledgeCoin: null };

const LOANS: readonly ActivityList[] = [
  {
    ...{ kind: "LOAN", name: "running loans", hasSymbols: false, pages: { lists: [{ parameters: {} }], isOverTime: false } },
    read: async ({ reads }, account) =>
      mapped(wholeSlice(await readOngoingLoans(reads, account, {})), (row) =>
        item("LoanOrder", account, row, { key: row.orderId, at: row.borrowTime }),
      ),
  },
  {
    ...{ kind: "LOAN", name: "ended loans", hasSymbols: false, pages: closedLoans.pages },
    read: async ({ reads }, account, page) =>
      mapped(await closedLoans.read(reads, account, { ...NONE, status: null }, page), (row) =>
        item("ClosedLoan", account, row, { key: row.orderId, at: row.borrowTime }),
      ),
  },
  {
    ...{ kind: "LOAN_REPAYMENT", name: "repayments", hasSymbols: false, pages: loanRepayments.pages },
    read: async ({ reads }, account, page) =>
      mapped(await loanRepayments.read(reads, account, NONE, page), (row) =>
        item("LoanRepayment", account, row, { key: `${row.orderId} ${row.repayTime} ${row.amount}`, at: row.repayTime }),
      ),
  },
  {
    ...{ kind: "LOAN_REDUCTION", name: "reductions", hasSymbols: false, pages: loanReductions.pages },
    read: async ({ reads }, account, page) =>
      mapped(await loanReductions.read(reads, account, { ...NONE, status: null }, page), (row) =>
        item("LoanReduction", account, row, { key: `${row.orderId} ${row.reduceTime}`, at: row.reduceTime }),
      ),
  },
];

const EARN: readonly ActivityList[] = [
  ...(["flexible", "fixed"] as const).map(
    (periodType): ActivityList => ({
      ...{ kind: "SAVINGS", name: `savings ${periodType}`, hasSymbols: false, pages: savingsRecords.pages },
      read: async ({ reads }, account, page) =>
        mapped(await savingsRecords.read(reads, account, { periodType, coin: null, orderType: null }, page), (row) =>
          item("SavingsRecord", account, row, { key: row.orderId, at: row.createdTime }),
        ),
    }),
  ),
  ...(["subscription", "redemption", "interest"] as const).map(
    (type): ActivityList => ({
      ...{ kind: "SHARK_FIN", name: `shark-fin ${type}`, hasSymbols: false, pages: sharkFinRecords.pages },
      read: async ({ reads }, account, page) =>
        mapped(await sharkFinRecords.read(reads, account, { type, coin: null }, page), (row) =>
          item("SharkFinRecord", account, row, { key: `${type} ${row.orderId}`, at: row.createdTime }),
        ),
    }),
  ),
];

const FUNDS: readonly ActivityList[] = [
  {
    ...{ kind: "CONVERSION", name: "conversions", hasSymbols: false, pages: conversions.pages },
    read: async ({ reads }, account, page) =>
      mapped(await conversions.read(reads, account, {}, page), (row) =>
        item("ConvertRecord", account, convertRecordOf(account, row), { key: row.id, at: row.createdTime }),
      ),
  },
  {
    ...{ kind: "DEPOSIT", name: "deposits", hasSymbols: false, pages: deposits.pages },
    read: async ({ reads }, account, page) =>
      mapped(await deposits.read(reads, account, { coin: null, orderId: null }, page), (row) =>
        item("Deposit", account, row, { key: row.orderId, at: row.createdTime }),
      ),
  },
  {
    ...{ kind: "WITHDRAWAL", name: "withdrawals", hasSymbols: false, pages: withdrawals.pages },
    read: async ({ reads }, account, page) =>
      mapped(
        await withdrawals.read(reads, account, { coin: null, orderId: null, clientOid: null }, page),
        ({ userId: _, confirm, ...row }) =>
          item("Withdrawal", account, { ...row, confirmations: confirm }, { key: row.orderId, at: row.createdTime }),
      ),
  },
  {
    ...{ kind: "WRITE", name: "writes", hasSymbols: false, pages: undefined },
    read: async ({ writes }, account, page) =>
      mapped(await readJournal(writes, account, { ...page, first: MAX_FIRST }), (entry) =>
        item("JournalEntry", account, journalEntryOf(entry), { key: String(entry.seq), at: entry.sentAt }),
      ),
  },
];

const LISTS: Readonly<Record<AccountMode, readonly ActivityList[]>> = {
  UNIFIED: [...orderLists("UNIFIED"), ...fillLists("UNIFIED"), ...planLists("UNIFIED"), ...LOANS, ...EARN, ...FUNDS],
  CLASSIC: [...orderLists("CLASSIC"), ...fillLists("CLASSIC"), ...planLists("CLASSIC"), ...LOANS, ...EARN, ...FUNDS],
};

interface Filter {
  readonly kinds?: readonly ActivityKind[] | null | undefined;
  readonly categories?: readonly ProductCategoryInput[] | null | undefined;
  readonly symbols?: readonly string[] | null | undefined;
}

/** The lists that may have rows for the filter. */
export const listsFor = (mode: AccountMode, { kinds, categories, symbols }: Filter): readonly ActivityList[] =>
  LISTS[mode].filter(
    ({ kind, category, hasSymbols }) =>
      (kinds ?? [kind]).includes(kind) &&
      (hasSymbols || ((categories ?? null) === null && (symbols ?? null) === null)) &&
      (category === undefined || (categories ?? [category]).includes(category)),
  );

const kindNames = new Map(Object.entries(ActivityKind));
const MODES: readonly AccountMode[] = ["UNIFIED", "CLASSIC"];
const enumsIn = <T>(asked: unknown, valueOf: (one: unknown) => T | undefined): readonly T[] | null =>
  Array.isArray(asked) ? asked.flatMap((one: unknown) => valueOf(one) ?? []) : null;

/** Rows of a list that the filter has left out are read too: then it is read this far, in rows. */
const FILTERED_ROWS = 500;

/** Whether rows of the list may be left out by the filter. */
export const isFiltered = ({ category, hasSymbols }: ActivityList, { categories, symbols }: Filter): boolean =>
  hasSymbols && ((symbols ?? null) !== null || ((categories ?? null) !== null && category === undefined));

/** Each list is read as far as the page could need it. */
export function activityCalls(asked: AskedArguments, { mode, outlook }: CostContext): number {
  const first = bounded(asked.first, 20, MAX_ITEMS) + 1;
  const filter = {
    kinds: enumsIn(asked.kinds, (one) => kindNames.get(String(one))),
    categories: enumsIn(asked.categories, categoryNamed),
    symbols: Array.isArray(asked.symbols) ? asked.symbols.map(String) : null,
  };
  const page = { first, hasCursor: true, from: timeAsked(asked.from), to: timeAsked(asked.to) };
  const ofMode = (one: AccountMode) =>
    listsFor(one, filter).reduce(
      (sum, list) =>
        sum +
        (list.pages === undefined
          ? 0
          : callsAtMost(
              list.pages,
              { ...page, ...(isFiltered(list, filter) && { first: FILTERED_ROWS }), category: list.category },
              one,
              outlook.now(),
            )),
      0,
    );
  return Math.max(...(mode === undefined ? MODES : [mode]).map(ofMode));
}
