import type { FinancialRecord } from "@exchange-graph/contract/financialRecord";
import { fundingHistory, fundingRates, type OpenInterest, openInterests, positionTiers } from "@exchange-graph/contract/funding";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import { isRead, mapRows, type Row } from "@exchange-graph/contract/rows";
import { FUTURES_CATEGORIES, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { badInput } from "../../errors/index.js";
import { MAX_FIRST, rowsOf, slicesOf } from "../paging/pager.js";
import { keptSince } from "../paging/timeline.js";
import type { Reads } from "../reader/reads.js";
import { inEach, type Listed } from "./categories.js";
import { readFundingPayments } from "./financialRecords.js";
import { type Names, named, oncePerAnswer } from "./keptLists.js";

interface Contract {
  readonly category: FuturesCategory;
  readonly symbol: string;
}

/** The current funding period of every perpetual contract of a category. */
export const readFundingRates = (reads: Reads, category: FuturesCategory) => reads.read(fundingRates, { productType: category });

/** The latest funding settlements of a contract, newest first: 1 to 100 of them. */
export const readFundingHistory = async (
  reads: Reads,
  { category, symbol, first }: Contract & { readonly first?: number | null | undefined },
) => {
  const values = { category, symbol: inCapitals(symbol), limit: first ?? undefined };
  return (await reads.read(fundingHistory, values, undefined, { limit: "first" })).list;
};

type ListedOpenInterest = Listed<OpenInterest, FuturesCategory>;

const listed = oncePerAnswer(
  (rows: readonly Row<OpenInterest>[], category: FuturesCategory): readonly Row<ListedOpenInterest>[] =>
    mapRows(rows, (row) => ({ category, ...row })),
);

/** Open interest of the contracts of a category, or of all. The whole list is read, for any symbols. */
export const readOpenInterests = (reads: Reads, category: FuturesCategory | null | undefined, symbols?: Names) =>
  inEach(category, FUTURES_CATEGORIES, async (one) =>
    named(listed((await reads.read(openInterests, { category: one })).list, one), ({ symbol }) => symbol, "symbols", symbols),
  );

/** Leverage and maintenance margin of a contract by the value of a position, from the smallest value up. */
export const readPositionTiers = (reads: Reads, { category, symbol }: Contract) =>
  reads.read(positionTiers, { category, symbol: inCapitals(symbol) });

export interface FundedPosition {
  readonly category: FuturesCategory;
  readonly symbol: string;
  /** When it was opened, Unix ms. */
  readonly from: number | null;
}

/** Pages of `MAX_FIRST` rows that the positions of a category share. */
export const FUNDING_PAGES = 2;

/**
 * Funding of positions of one category since each was opened, newest first, from the list of their category. The exchange has
 * three months of it.
 */
export async function readFundingOf(
  reads: Reads,
  account: ExchangeAccount,
  positions: readonly FundedPosition[],
): Promise<readonly (readonly Row<FinancialRecord>[] | Error)[]> {
  const [one] = positions;
  if (one === undefined) return [];
  // The exchange's time is certain once it has answered.
  await reads.modeOf(account);
  const oldest = keptSince(reads, undefined);
  const from = Math.max(oldest, Math.min(...positions.map((position) => position.from ?? 0)));
  const rows: Row<FinancialRecord>[] = [];
  let [pages, isWhole] = [0, false];
  const read = (after: string | undefined) =>
    readFundingPayments(reads, account, { category: one.category }, { from, first: MAX_FIRST, after });
  for await (const slice of slicesOf(read)) {
    rows.push(...rowsOf(slice));
    isWhole = !slice.hasNextPage;
    if (++pages === FUNDING_PAGES) break;
  }
  const last = rows.findLast(isRead)?.createdTime ?? from;
  return positions.map((position) => {
    const since = Math.max(oldest, position.from ?? 0);
    if (!isWhole && last >= since)
      return badInput([{ argument: "fundingPaid", rule: "must be read from the account's fundingPayments: there are too many" }]);
    return rows.filter(
      (row) =>
        !isRead(row) || (isNamed(row.symbol ?? "", position.symbol) && (row.createdTime === null || row.createdTime >= since)),
    );
  });
}
