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
import { onlyRows, type Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { among, isFuturesCategory } from "./categories.js";
import { NOTHING, overTime, type PageCountArguments, type Pages } from "./pageCounts.js";
import { endpointsOf, type HistoryArguments, type ListQuery, listQuery, mergedLists, pagedQuery } from "./pagedQuery.js";

type Category = (typeof FINANCIAL_RECORD_CATEGORIES)[number];

interface RecordFilter {
  /** Default: all. Classic accounts have no `OTHER`. */
  readonly category?: Category | null | undefined;
  readonly coin?: string | null | undefined;
  /** A pair of Classic isolated margin, whose account is listed in place of that of cross margin. */
  readonly symbol?: string | null | undefined;
}

const rowKey = ({ recordId }: Pick<FinancialRecord, "recordId">): string => recordId;

/** Only isolated margin has lists of pairs. */
const isMisplaced = (mode: AccountMode, { category, symbol }: Pick<PageCountArguments, "category" | "symbol">): boolean =>
  mode === "UNIFIED" ? symbol !== undefined : category === "OTHER" || (symbol !== undefined && category !== "MARGIN");

const unifiedList = (category: Category, coin: string | null | undefined, type?: string) =>
  listQuery({ endpoint: financialRecords, values: { category, coin, type }, rowKey });

const futuresList = (category: FuturesCategory, coin: string | null | undefined, businessType?: string) =>
  listQuery({ endpoint: classicFuturesBills, values: { productType: category, coin, businessType }, rowKey, under: category });

/** The exchange has one list per category, or on Classic accounts per kind of account. */
function listsOf(
  mode: AccountMode,
  { category, coin, symbol }: Pick<PageCountArguments, "category"> & Omit<RecordFilter, "category">,
): readonly ListQuery<FinancialRecord>[] {
  if (mode === "UNIFIED") return among(FINANCIAL_RECORD_CATEGORIES, category).map((one) => unifiedList(one, coin));
  return among(PRODUCT_CATEGORIES, category).map((one) => {
    if (isFuturesCategory(one)) return futuresList(one, coin);
    if (one === "SPOT") return listQuery({ endpoint: classicSpotBills, values: { coin }, rowKey, under: one });
    return symbol === null || symbol === undefined
      ? listQuery({ endpoint: classicCrossedMarginRecords, values: { coin }, rowKey, under: one })
      : listQuery({ endpoint: classicIsolatedMarginRecords, values: { coin, symbol }, rowKey, under: one });
  });
}

export const financialRecordPages: Pages = (mode, args) =>
  isMisplaced(mode, args) ? NOTHING : overTime(...endpointsOf(listsOf(mode, args)));

/** Changes of the balances of an account in the last 90 days, newest first; of all categories, unless one is given. */
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
  return mergedLists(reads, account, listsOf(mode, { category: category ?? undefined, coin, symbol }), args);
}

/** Record types of funding on unified accounts: received and paid, with cross and isolated margin. */
const FUNDING_TYPES = [
  "CONTRACT_MAIN_SETTLE_FEE_USER_IN",
  "CONTRACT_MAIN_SETTLE_FEE_USER_OUT",
  "MARGIN_SETTLE_FEE_USER_IN",
  "MARGIN_SETTLE_FEE_USER_OUT",
];
const CLASSIC_FUNDING = "contract_settle_fee";

const fundingLists = (mode: AccountMode, { category, coin }: Pick<PageCountArguments, "category" | "coin">) =>
  among(FUTURES_CATEGORIES, category).flatMap((one) =>
    mode === "UNIFIED" ? FUNDING_TYPES.map((type) => unifiedList(one, coin, type)) : [futuresList(one, coin, CLASSIC_FUNDING)],
  );

export const fundingPaymentPages: Pages = (mode, args) => overTime(...endpointsOf(fundingLists(mode, args)));

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
  const lists = fundingLists(await reads.modeOf(account), { category: category ?? undefined, coin: coin ?? undefined });
  const slice = await mergedLists(reads, account, lists, args);
  return symbol === undefined || symbol === null ? slice : onlyRows(slice, (row) => isNamed(row.symbol ?? "", symbol));
}

/** The lists of transfers to and from a unified account, which belong to no product. */
const TRANSFERS = ["TRANSFER_IN", "TRANSFER_OUT"].map((type) => unifiedList("OTHER", null, type));

export const transferRecordPages: Pages = overTime(...endpointsOf(TRANSFERS));

/** Transfers to and from a unified account in the last 90 days, newest first, as changes of its balances. */
export async function readTransferRecords(
  reads: Reads,
  account: ExchangeAccount,
  args: HistoryArguments,
): Promise<Slice<FinancialRecord>> {
  await reads.demand(account, "UNIFIED", "A list of transfers among the records of the account");
  return mergedLists(reads, account, TRANSFERS, args);
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
