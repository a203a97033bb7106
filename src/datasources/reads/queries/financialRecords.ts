import {
  classicCrossedMarginRecords,
  classicFuturesBills,
  classicIsolatedMarginRecords,
  classicSpotBills,
  FINANCIAL_RECORD_CATEGORIES,
  type FinancialRecord,
  financialRecords,
  fundingFinancialRecords,
} from "@exchange-graph/contract/financialRecord";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { FUTURES_CATEGORIES, type FuturesCategory, PRODUCT_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import type { MergeableList } from "../paging/merged.js";
import { onlyRows, type Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./categories.js";
import { NOTHING, overTime, type PageCountArguments, type Pages } from "./pageCounts.js";
import { type HistoryArguments, type ListRange, listWithin, mergedLists, pagedQuery } from "./pagedQuery.js";

type Category = (typeof FINANCIAL_RECORD_CATEGORIES)[number];

interface RecordFilter {
  /** Default: all. Classic accounts have no `OTHER`. */
  readonly category?: Category | null | undefined;
  readonly coin?: string | null | undefined;
  /** A pair of Classic isolated margin, whose account is listed in place of that of cross margin. */
  readonly symbol?: string | null | undefined;
}

const rowKey = ({ recordId }: Pick<FinancialRecord, "recordId">): string => recordId;

/** Categories of the lists that are read. */
const unifiedCategories = (category: string | null | undefined): readonly Category[] =>
  FINANCIAL_RECORD_CATEGORIES.filter((one) => (category ?? one) === one);
const classicCategories = (category: string | null | undefined) => PRODUCT_CATEGORIES.filter((one) => (category ?? one) === one);

/** Only isolated margin has lists of pairs. */
const isMisplaced = (mode: AccountMode, { category, symbol }: Pick<PageCountArguments, "category" | "symbol">): boolean =>
  mode === "UNIFIED" ? symbol !== undefined : category === "OTHER" || (symbol !== undefined && category !== "MARGIN");

export const financialRecordPages: Pages = (mode, args) => {
  if (isMisplaced(mode, args)) return NOTHING;
  if (mode === "UNIFIED") return overTime(...unifiedCategories(args.category).map(() => financialRecords));
  return overTime(
    ...classicCategories(args.category).map((category) => {
      if (category === "SPOT") return classicSpotBills;
      if (isFuturesCategory(category)) return classicFuturesBills;
      return args.symbol === undefined ? classicCrossedMarginRecords : classicIsolatedMarginRecords;
    }),
  );
};

/**
 * Changes of the balances of an account in the last 90 days, newest first. The exchange has one list per category, or on Classic
 * accounts per kind of account, which are merged without a category.
 */
export async function readFinancialRecords(
  reads: Reads,
  account: ExchangeAccount,
  { category, coin, symbol }: RecordFilter,
  args: HistoryArguments,
): Promise<Slice<FinancialRecord>> {
  const mode = await reads.modeOf(account);
  if (category === "OTHER") await reads.demand(account, "UNIFIED", "A list of records that belong to no product");
  if (symbol !== null && symbol !== undefined) {
    await reads.demand(account, "CLASSIC", "A list of the records of an isolated margin account");
    if (category !== "MARGIN") throw badInput([{ argument: "symbol", rule: "must be left out except with the category MARGIN" }]);
  }
  if (mode === "UNIFIED") {
    const lists = (window: ListRange) =>
      unifiedCategories(category).map((one) => unifiedList(reads, account, { category: one, coin }, window));
    return mergedLists(reads, financialRecords, lists, args);
  }
  const categories = classicCategories(category);
  const rule = categories.some(isFuturesCategory) ? classicFuturesBills : classicSpotBills;
  const lists = (window: ListRange) =>
    categories.map((one): List => {
      if (one === "SPOT") return spotList(reads, account, coin, window);
      return isFuturesCategory(one)
        ? futuresList(reads, account, one, { coin }, window)
        : marginList(reads, account, { coin, symbol }, window);
    });
  return mergedLists(reads, rule, lists, args);
}

type List = MergeableList<FinancialRecord>;

const unifiedList = (
  reads: Reads,
  account: ExchangeAccount,
  { category, coin, type }: { readonly category: Category; readonly coin?: string | null | undefined; readonly type?: string },
  window: ListRange,
): List => listWithin(reads, { endpoint: financialRecords, account, values: { category, coin, type }, rowKey }, window);

const spotList = (reads: Reads, account: ExchangeAccount, coin: string | null | undefined, window: ListRange): List =>
  listWithin(reads, { endpoint: classicSpotBills, account, values: { coin }, rowKey, under: "SPOT" }, window);

const futuresList = (
  reads: Reads,
  account: ExchangeAccount,
  category: FuturesCategory,
  { coin, businessType }: { readonly coin?: string | null | undefined; readonly businessType?: string },
  window: ListRange,
): List => {
  const values = { productType: category, coin, businessType };
  return listWithin(reads, { endpoint: classicFuturesBills, account, values, rowKey, under: category }, window);
};

function marginList(
  reads: Reads,
  account: ExchangeAccount,
  { coin, symbol }: Omit<RecordFilter, "category">,
  window: ListRange,
): List {
  const common = { account, rowKey, under: "MARGIN" } as const;
  return symbol === null || symbol === undefined
    ? listWithin(reads, { ...common, endpoint: classicCrossedMarginRecords, values: { coin } }, window)
    : listWithin(reads, { ...common, endpoint: classicIsolatedMarginRecords, values: { coin, symbol } }, window);
}

/** Record types of funding on unified accounts: received and paid, with cross and isolated margin. */
const FUNDING_TYPES = [
  "CONTRACT_MAIN_SETTLE_FEE_USER_IN",
  "CONTRACT_MAIN_SETTLE_FEE_USER_OUT",
  "MARGIN_SETTLE_FEE_USER_IN",
  "MARGIN_SETTLE_FEE_USER_OUT",
];
const CLASSIC_FUNDING = "contract_settle_fee";

/** Futures categories of the lists that are read. */
const futuresCategories = (category: string | null | undefined): readonly FuturesCategory[] =>
  FUTURES_CATEGORIES.filter((one) => (category ?? one) === one);

export const fundingPaymentPages: Pages = (mode, { category }) => {
  const categories = futuresCategories(category);
  if (mode === "CLASSIC") return overTime(...categories.map(() => classicFuturesBills));
  return overTime(...categories.flatMap(() => FUNDING_TYPES.map(() => financialRecords)));
};

interface FundingFilter {
  readonly category?: FuturesCategory | null | undefined;
  /** The exchange has no filter for it: pages may have fewer rows. */
  readonly symbol?: string | null | undefined;
  readonly coin?: string | null | undefined;
}

/** Funding that an account has paid and received in the last 90 days, newest first. */
export async function readFundingPayments(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, coin }: FundingFilter,
  args: HistoryArguments,
): Promise<Slice<FinancialRecord>> {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const lists = (window: ListRange) =>
    futuresCategories(category).flatMap((one) =>
      isUnified
        ? FUNDING_TYPES.map((type) => unifiedList(reads, account, { category: one, coin, type }, window))
        : [futuresList(reads, account, one, { coin, businessType: CLASSIC_FUNDING }, window)],
    );
  const slice = await mergedLists(reads, isUnified ? financialRecords : classicFuturesBills, lists, args);
  return symbol === undefined || symbol === null ? slice : onlyRows(slice, (row) => isNamed(row.symbol ?? "", symbol));
}

/** Record types of transfers to and from a unified account, which belong to no product. */
const TRANSFER_TYPES = ["TRANSFER_IN", "TRANSFER_OUT"];

export const transferRecordPages: Pages = overTime(...TRANSFER_TYPES.map(() => financialRecords));

/** Transfers to and from a unified account in the last 90 days, newest first, as changes of its balances. */
export async function readTransferRecords(
  reads: Reads,
  account: ExchangeAccount,
  args: HistoryArguments,
): Promise<Slice<FinancialRecord>> {
  await reads.demand(account, "UNIFIED", "A list of transfers among the records of the account");
  const lists = (window: ListRange) =>
    TRANSFER_TYPES.map((type) => unifiedList(reads, account, { category: "OTHER", type }, window));
  return mergedLists(reads, financialRecords, lists, args);
}

export const fundingAccountRecordPages: Pages = (mode) => (mode === "UNIFIED" ? overTime(fundingFinancialRecords) : NOTHING);

/** Changes of the balances of the funding account of a unified account in the last 90 days, newest first. */
export async function readFundingAccountRecords(
  reads: Reads,
  account: ExchangeAccount,
  { coin }: { readonly coin?: string | null | undefined },
  args: HistoryArguments,
): Promise<Slice<FinancialRecord>> {
  await reads.demand(account, "UNIFIED", "A list of the records of a funding account");
  return pagedQuery(reads, { endpoint: fundingFinancialRecords, account, values: { coin }, rowKey }, args);
}
