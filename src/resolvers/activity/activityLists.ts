import type { ExchangeAccount } from "../../datasources/index.js";
import {
  callsAtMost,
  closedLoans,
  conversions,
  deposits,
  fillPages,
  isFuturesCategory,
  loanReductions,
  loanRepayments,
  MAX_ITEMS,
  openOrderPages,
  orderHistoryPages,
  planOrderHistoryPages,
  planOrderPages,
  readFills,
  readOngoingLoans,
  readOpenOrders,
  readOpenPlanOrders,
  readOrderHistory,
  readPlanOrderHistory,
  readTransferRecords,
  readTransfers,
  savingsRecords,
  sharkFinRecords,
  transferCoinPages,
  transferCoins,
  transferRecordPages,
  transfersOfSubAccounts,
  wholeSlice,
  withdrawals,
  withdrawalsOfSubAccounts,
} from "../../datasources/reads/index.js";
import { readJournal } from "../../datasources/writes/index.js";
import type { ArgumentValues, CostContext } from "../../schema/cost.js";
import type { AccountMode } from "../../schema/enums/account.js";
import { ActivityKind, OF_SUB_ACCOUNTS } from "../../schema/enums/activity.js";
import { categoryNamed, ProductCategoryInput } from "../../schema/enums/category.js";
import { bounded } from "../../schema/listLengths.js";
import { subAccountWithdrawalOf } from "../broker.js";
import { convertRecordOf } from "../convert.js";
import { timeArgument } from "../fieldCosts.js";
import { journalEntryOf } from "../mutations/journal.js";
import { withdrawalOf } from "../wallet.js";
import {
  type ActivityItem,
  type ActivityList,
  type ActivityPage,
  type DividedList,
  item,
  itemsOf,
  pagedItems,
} from "./activityList.js";

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

const tradingLists = (mode: AccountMode): readonly ActivityList[] => [
  ...orderLists(mode),
  ...fillLists(mode),
  ...planLists(mode),
];

const FUNDS: readonly ActivityList[] = [
  pagedItems("CONVERSION", "conversions", conversions, {}, (row, account) =>
    item("ConvertRecord", account, convertRecordOf(account, row), { key: row.id, at: row.createdTime }),
  ),
  pagedItems("DEPOSIT", "deposits", deposits, { coin: null, orderId: null }, (row, account) =>
    item("Deposit", account, row, { key: row.orderId, at: row.createdTime }),
  ),
  pagedItems("WITHDRAWAL", "withdrawals", withdrawals, { coin: null, orderId: null, clientOid: null }, (row, account) =>
    item("Withdrawal", account, withdrawalOf(account, row), { key: row.orderId, at: row.createdTime }),
  ),
  itemsOf(
    { kind: "WRITE", name: "writes", pages: undefined },
    ({ writes }, account, page) => readJournal(writes, account, page),
    (entry, account) => item("JournalEntry", account, journalEntryOf(entry), { key: String(entry.seq), at: entry.sentAt }),
  ),
];

/** The exchange lists the transfers of a Classic account by coin; those of a unified one are records of its balances alone. */
const TRANSFERS: Readonly<Record<AccountMode, ActivityList | DividedList>> = {
  UNIFIED: itemsOf(
    { kind: "TRANSFER", name: "transfers", pages: transferRecordPages },
    ({ reads }, account, page) => readTransferRecords(reads, account, page),
    (row, account) => item("FinancialRecord", account, row, { key: row.recordId, at: row.createdTime }),
  ),
  CLASSIC: {
    ...{ kind: "TRANSFER", name: "transfers", pages: transferCoinPages },
    parts: async ({ reads }, account, times) => (await transferCoins(reads, account, times)).map(transfersOf),
  },
};

const transferItem = (row: { readonly transferId: string; readonly createdTime: number | null }, account: ExchangeAccount) =>
  item("Transfer", account, row, { key: row.transferId, at: row.createdTime });

const transfersOf = (coin: string): ActivityList =>
  itemsOf(
    { kind: "TRANSFER", name: `transfers ${coin}`, pages: undefined },
    ({ reads }, account, page) => readTransfers(reads, account, { coin }, page),
    transferItem,
  );

/** What only the key of a master account or of a broker can read. */
const SUB_ACCOUNTS: readonly ActivityList[] = [
  ...(["initiator", "receiver"] as const).map((role) => {
    const filter = { coin: null, subUid: null, role };
    return pagedItems("SUB_ACCOUNT_TRANSFER", `transfers ${role}`, transfersOfSubAccounts, filter, transferItem);
  }),
  pagedItems(
    "SUB_ACCOUNT_WITHDRAWAL",
    "withdrawals of sub-accounts",
    withdrawalsOfSubAccounts,
    { userId: null, orderId: null },
    (row, account) =>
      item("SubAccountWithdrawal", account, subAccountWithdrawalOf(account, row), { key: row.orderId, at: row.createdTime }),
  ),
];

/** Conversions, and coins that enter, leave and change places. */
const fundLists = (mode: AccountMode): readonly (ActivityList | DividedList)[] => [...FUNDS, TRANSFERS[mode], ...SUB_ACCOUNTS];

const NONE = { orderId: null, loanCoin: null, pledgeCoin: null };

const LOANS: readonly ActivityList[] = [
  itemsOf(
    { kind: "LOAN", name: "running loans", pages: { lists: [{ parameters: {} }], isOverTime: false } },
    async ({ reads }, account) => wholeSlice(await readOngoingLoans(reads, account, {})),
    (row, account) => item("LoanOrder", account, row, { key: row.orderId, at: row.borrowTime }),
  ),
  pagedItems("LOAN", "ended loans", closedLoans, { ...NONE, status: null }, (row, account) =>
    item("ClosedLoan", account, row, { key: row.orderId, at: row.borrowTime }),
  ),
  pagedItems("LOAN_REPAYMENT", "repayments", loanRepayments, NONE, (row, account) =>
    item("LoanRepayment", account, row, { key: `${row.orderId} ${row.repayTime} ${row.amount}`, at: row.repayTime }),
  ),
  pagedItems("LOAN_REDUCTION", "reductions", loanReductions, { ...NONE, status: null }, (row, account) =>
    item("LoanReduction", account, row, { key: `${row.orderId} ${row.reduceTime}`, at: row.reduceTime }),
  ),
];

const EARN: readonly ActivityList[] = [
  ...(["flexible", "fixed"] as const).map((periodType) => {
    const filter = { periodType, coin: null, orderType: null };
    return pagedItems("SAVINGS", `savings ${periodType}`, savingsRecords, filter, (row, account) =>
      item("SavingsRecord", account, row, { key: row.orderId, at: row.createdTime }),
    );
  }),
  ...(["subscription", "redemption", "interest"] as const).map((type) =>
    pagedItems("SHARK_FIN", `shark-fin ${type}`, sharkFinRecords, { type, coin: null }, (row, account) =>
      item("SharkFinRecord", account, row, { key: `${type} ${row.orderId}`, at: row.createdTime }),
    ),
  ),
];

type List = ActivityList | DividedList;
const listsOf = (mode: AccountMode): readonly List[] => [...tradingLists(mode), ...LOANS, ...EARN, ...fundLists(mode)];
const LISTS: Readonly<Record<AccountMode, readonly List[]>> = { UNIFIED: listsOf("UNIFIED"), CLASSIC: listsOf("CLASSIC") };

interface Filter {
  readonly kinds?: readonly ActivityKind[] | null | undefined;
  readonly categories?: readonly ProductCategoryInput[] | null | undefined;
  readonly symbols?: readonly string[] | null | undefined;
}

const DEFAULT_KINDS = Object.values(ActivityKind).filter((kind) => !OF_SUB_ACCOUNTS.includes(kind));

/** The lists that may have rows for the filter. */
export const listsFor = (mode: AccountMode, { kinds, categories, symbols }: Filter): readonly List[] =>
  LISTS[mode].filter(
    ({ kind, category, hasSymbols = false }) =>
      (kinds ?? DEFAULT_KINDS).includes(kind) &&
      (hasSymbols || ((categories ?? null) === null && (symbols ?? null) === null)) &&
      (category === undefined || (categories ?? [category]).includes(category)),
  );

const kindNames = new Map(Object.entries(ActivityKind));
const MODES: readonly AccountMode[] = ["UNIFIED", "CLASSIC"];
const enumsIn = <T>(argument: unknown, valueOf: (one: unknown) => T | undefined): readonly T[] | null =>
  Array.isArray(argument) ? argument.flatMap((one: unknown) => valueOf(one) ?? []) : null;

/** Maximum number of rows that are read of a filtered list, including rows that the filter leaves out. */
const FILTERED_ROWS = 500;

/** Whether rows of the list may be left out by the filter. */
export const isFiltered = (
  { category, hasSymbols = false }: Pick<ActivityList, "category" | "hasSymbols">,
  { categories, symbols }: Filter,
): boolean => hasSymbols && ((symbols ?? null) !== null || ((categories ?? null) !== null && category === undefined));

/** Each list is read as far as the page could need it. */
export function activityCalls(args: ArgumentValues, { mode, outlook }: CostContext): number {
  const first = bounded(args.first, 20, MAX_ITEMS) + 1;
  const filter = {
    kinds: enumsIn(args.kinds, (one) => kindNames.get(String(one))),
    categories: enumsIn(args.categories, categoryNamed),
    symbols: Array.isArray(args.symbols) ? args.symbols.map(String) : null,
  };
  const page = { first, hasCursor: true, from: timeArgument(args.from), to: timeArgument(args.to) };
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
