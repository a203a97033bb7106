import { inCapitals } from "@exchange-graph/contract/letterCase";
import { classicPositions, classicPositionsOfSymbol, type Position, positions } from "@exchange-graph/contract/position";
import { classicPositionHistory, type HistoricalPosition, positionHistory } from "@exchange-graph/contract/positionHistory";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import { FUTURES_CATEGORIES, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/accounts/exchangeAccount.js";
import { badInput } from "../../errors/fault.js";
import { rowWhere } from "../../errors/rows.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import type { RequestReads } from "../requestReads.js";
import { named } from "./named.js";
import { overTime, type Pages } from "./pageCounts.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

/**
 * Open positions: of one category, or of all three with one call each. The whole list is read for any symbol, so one answer
 * serves all queries for the category.
 */
export async function readPositions(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol }: { readonly category?: FuturesCategory | null | undefined; readonly symbol?: string | null | undefined },
): Promise<readonly Row<Position>[]> {
  const read = (await reads.modeOf(account)) === "UNIFIED" ? readUnified : readClassic;
  const categories = category === undefined || category === null ? FUTURES_CATEGORIES : [category];
  const lists = await Promise.all(categories.map((one) => read(reads, account, one)));
  const symbols = symbol === undefined || symbol === null ? undefined : [symbol];
  return named(lists.flat(), (position) => position.symbol, "symbol", symbols);
}

const readUnified = async (
  reads: Reads,
  account: ExchangeAccount,
  category: FuturesCategory,
): Promise<readonly Row<Position>[]> => (await reads.read(positions, { category }, account)).list;

const readClassic = async (
  reads: Reads,
  account: ExchangeAccount,
  category: FuturesCategory,
): Promise<readonly Row<Position>[]> =>
  mapRows((await reads.read(classicPositions, { productType: category }, account)).list, (row) => withCategory(category, row));

/** Maximum number of symbols per account whose positions one operation reads one by one. */
export const MAX_SINGLE_POSITIONS = 50;

/**
 * Whether margin is added to a position automatically. Only Classic has this, and only in the positions of one symbol. Throws
 * `BAD_USER_INPUT` for more than `MAX_SINGLE_POSITIONS` symbols of an account in one operation.
 */
export async function readAutoMargin(
  reads: RequestReads,
  account: ExchangeAccount,
  { category, symbol, marginCoin, posSide }: Position,
): Promise<boolean | null> {
  if (category === "UNKNOWN" || (await reads.modeOf(account)) === "UNIFIED") return null;
  const symbols = reads.loaders.singlePositionsOf(account.name);
  const one = `${category} ${symbol} ${marginCoin}`;
  if (symbols.size >= MAX_SINGLE_POSITIONS && !symbols.has(one))
    throw badInput([{ argument: "autoMargin", rule: `can be asked of ${MAX_SINGLE_POSITIONS} symbols of an account at a time` }]);
  symbols.add(one);
  const asked = { productType: category, symbol, marginCoin: inCapitals(marginCoin) };
  const { list } = await reads.read(classicPositionsOfSymbol, asked, account);
  return rowWhere(list, (row) => row.posSide === posSide)?.autoMargin ?? null;
}

export const closedPositionPages: Pages = (mode) => overTime(mode === "UNIFIED" ? positionHistory : classicPositionHistory);

/** Closed positions of the last three months, newest first. */
export async function readClosedPositions(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol }: { readonly category: FuturesCategory; readonly symbol?: string | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<HistoricalPosition>> {
  const common = {
    account,
    rowKey: ({ positionId, symbol, posSide, createdTime, updatedTime }: Omit<HistoricalPosition, "category" | "categoryRaw">) =>
      positionId ?? JSON.stringify([symbol, posSide, createdTime, updatedTime]),
  };
  if ((await reads.modeOf(account)) === "UNIFIED")
    return pagedQuery(reads, { ...common, endpoint: positionHistory, values: { category, symbol } }, asked);
  const values = { productType: category, symbol };
  return pagedQuery(reads, { ...common, endpoint: classicPositionHistory, values, under: category }, asked);
}
