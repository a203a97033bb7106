import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import { classicPositions, classicPositionsOfSymbol, type Position, positions } from "@exchange-graph/contract/position";
import { classicPositionHistory, type HistoricalPosition, positionHistory } from "@exchange-graph/contract/positionHistory";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import { FUTURES_CATEGORIES, type FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { everyPart, type Part, readableParts, rowWhere, type UnreadPart } from "../../errors/index.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { among, each, inOneList, type OneOrMore, partNamed } from "./categories.js";
import { named } from "./keptLists.js";
import { overTime, type Pages } from "./pageCounts.js";
import { endpointsOf, type HistoryArguments, type ListQuery, listQuery, mergedLists } from "./pagedQuery.js";

/**
 * Open positions: of one category, or of all three with one call each. The whole list is read for any symbol, so one answer
 * serves all queries for the category. `isPartial`: a category that cannot be read is an `UnreadPart`.
 */
export async function readPositions(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol }: { readonly category?: FuturesCategory | null | undefined; readonly symbol?: string | null | undefined },
  isPartial = false,
): Promise<readonly Row<Position>[]> {
  const read = (await reads.modeOf(account)) === "UNIFIED" ? readUnified : readClassic;
  const categories = category === undefined || category === null ? FUTURES_CATEGORIES : [category];
  const parts = categories.map((one): Part<readonly Row<Position>[]> => [partNamed(one), read(reads, account, one)]);
  const lists: readonly (readonly Row<Position>[] | UnreadPart)[] = await (isPartial ? readableParts(parts) : everyPart(parts));
  const symbols = symbol === undefined || symbol === null ? undefined : [symbol];
  return named(inOneList(lists), (position) => position.symbol, "symbol", symbols);
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

/** Reads that limit how many symbols a request reads one by one. */
interface CountedReads extends Reads {
  readonly loaders: { readonly account: { single(edge: string, account: ExchangeAccount, key: string): void } };
}

/**
 * Whether margin is added to a position automatically. Only Classic has this, and only in the positions of one symbol. Throws
 * `BAD_USER_INPUT` for too many symbols of an account in one operation.
 */
export async function readAutoMargin(
  reads: CountedReads,
  account: ExchangeAccount,
  { category, symbol, marginCoin, posSide }: Position,
): Promise<boolean | null> {
  if (category === "UNKNOWN" || (await reads.modeOf(account)) === "UNIFIED") return null;
  reads.loaders.account.single("autoMargin", account, `${category} ${symbol} ${marginCoin}`);
  const values = { productType: category, symbol, marginCoin: inCapitals(marginCoin) };
  const { list } = await reads.read(classicPositionsOfSymbol, values, account);
  return rowWhere(list, (row) => row.posSide === posSide)?.hasAutoMargin ?? null;
}

/**
 * Whether an order or trigger order is about a position: in its symbol, and in hedge mode on its side. In one-way mode orders have
 * no side.
 */
export const isOfPosition = (
  order: { readonly category: string; readonly symbol: string; readonly posSide: string | null },
  { category, symbol, posSide, holdMode }: Pick<Position, "category" | "symbol" | "posSide" | "holdMode">,
): boolean =>
  order.category === category &&
  isNamed(order.symbol, symbol) &&
  (order.posSide === posSide || (order.posSide === null && holdMode !== "hedge_mode"));

const rowKey = (row: Omit<HistoricalPosition, "category" | "categoryRaw">): string =>
  row.positionId ?? JSON.stringify([row.symbol, row.posSide, row.createdTime, row.updatedTime]);

const closedLists = (mode: AccountMode, categories: readonly FuturesCategory[], symbol: string | null | undefined) =>
  categories.map((category): ListQuery<HistoricalPosition> => {
    if (mode === "UNIFIED") return listQuery({ endpoint: positionHistory, values: { category, symbol }, rowKey });
    return listQuery({ endpoint: classicPositionHistory, values: { productType: category, symbol }, rowKey, under: category });
  });

export const closedPositionPages: Pages = (mode, { category, symbol }) =>
  overTime(...endpointsOf(closedLists(mode, among(FUTURES_CATEGORIES, category), symbol)));

/** Closed positions of the last three months, newest first. */
export async function readClosedPositions(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol }: { readonly category: OneOrMore<FuturesCategory>; readonly symbol?: string | null | undefined },
  args: HistoryArguments,
): Promise<Slice<HistoricalPosition>> {
  return mergedLists(reads, account, closedLists(await reads.modeOf(account), each(category), symbol), args);
}
