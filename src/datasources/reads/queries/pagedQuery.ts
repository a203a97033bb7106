import { type Endpoint, leavingNow } from "@exchange-graph/contract/endpoint";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { Page } from "@exchange-graph/contract/page";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { isRead, mapRows, type Row } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { reversedRange, titleOf } from "../../errors/index.js";
import { identityUnder, type ListIdentity, spanFor, type TimeSpan, type TimeWindow } from "../paging/cursor.js";
import { type IsSame, type MergeableList, merged, type Timed } from "../paging/merged.js";
import { type ExchangePage, MAX_FIRST, type Slice, type SliceArguments, slice } from "../paging/pager.js";
import { sliceTokenPaged } from "../paging/tokenPagedList.js";
import type { Reads } from "../reader/reads.js";

/** Arguments of any list over time: a range of time, and a page. */
export interface HistoryArguments extends SliceArguments {
  /** Unix ms. */
  readonly from?: number | null | undefined;
  readonly to?: number | null | undefined;
}

/** Range of time for a list without windows; Unix ms. */
export interface ListRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Parameters that select a page, over all endpoints. */
type Paging = "startTime" | "endTime" | "limit" | "pageSize" | "cursor" | "idLessThan" | "pageNo" | "pageNum";
type OrNull<T> = { readonly [K in keyof T]: T[K] | null };
/** The filter of a list. Null and undefined values are not sent. */
export type PagedValues<P extends ParameterSet> = OrNull<Omit<Values<P>, Paging>>;

/**
 * One of the exchange's paged endpoints as a list. Times, page sizes and page tokens are set under the endpoint's own parameter
 * names.
 */
interface PagedQuery<P extends ParameterSet, W extends object, C extends ProductCategory = never> {
  /** Its rows come as a page, or, for numbered pages, as a plain list. */
  readonly endpoint: Endpoint<P, Page<W> | readonly Row<W>[]>;
  readonly account: ExchangeAccount;
  /** Part of the list's identity. */
  readonly values: PagedValues<P>;
  /** Identifies a row. For merged lists it is also the page token from which the exchange continues. */
  readonly rowKey: (row: W) => string;
  /** The category of the rows, if the exchange does not send it. */
  readonly under?: C;
}

/** A row of the exchange with the category added. */
type WithCategory<W, C> = [C] extends [never] ? W : W & { readonly category: C; readonly categoryRaw: string };

/** The graph's argument names for parameters of a list. */
const HISTORY_NAMES = { startTime: "from", endTime: "to", limit: "first", pageSize: "first" } as const;

/** Reads `first` rows of a list over time, across the exchange's pages and windows. */
export function pagedQuery<P extends ParameterSet, W extends object, C extends ProductCategory = never>(
  reads: Reads,
  query: PagedQuery<P, W, C>,
  args: HistoryArguments,
): Promise<Slice<WithCategory<W, C>>> {
  const { endpoint } = query;
  return slice(
    {
      identity: identityOf(reads, query, args),
      maxPageSize: maxPageSizeOf(endpoint),
      span: spanOf(endpoint, args, reads.now()),
      rowKey: keyOf(query),
      isNumbered: "pageNo" in endpoint.parameters || "pageNum" in endpoint.parameters,
      page: (window, pageToken, limit) => readPage(reads, query, window, pageToken, limit),
    },
    args,
  );
}

/**
 * The same for several lists, read as one. `rule` is the endpoint with the shortest windows, which all lists are read in. A row
 * that `isSame` finds in several of them is returned once.
 */
export function mergedLists<W extends Timed>(
  reads: Reads,
  rule: Pick<Endpoint, "name" | "window">,
  lists: (window: ListRange) => readonly MergeableList<W>[],
  args: HistoryArguments,
  isSame?: IsSame<W>,
): Promise<Slice<W>> {
  const within = (window: TimeWindow) => merged(lists(window), isSame);
  const span = spanOf(rule, args, reads.now());
  const { identity, maxPageSize, rowKey } = within(span);
  return slice(
    {
      identity: identityUnder(identity, (lists) => JSON.stringify([lists, args.from ?? null, args.to ?? null])),
      maxPageSize,
      span,
      rowKey,
      page: (window, ...page) => within(window).page(...page),
    },
    args,
  );
}

/** A list without windows of time, read from its newest row on, for merging. The range of time is sent unchanged. */
export function tokenPagedQuery<P extends ParameterSet, W extends object, C extends ProductCategory = never>(
  reads: Reads,
  query: PagedQuery<P, W, C>,
  args: Pick<HistoryArguments, "from" | "to"> = {},
): MergeableList<WithCategory<W, C>> {
  const stretch = stretchOf(args);
  return { ...listWithin(reads, query, stretch), identity: identityOf(reads, query, stretch) };
}

/** Reads `first` rows of one such list. */
export const latestQuery = <P extends ParameterSet, W extends object, C extends ProductCategory = never>(
  reads: Reads,
  query: PagedQuery<P, W, C>,
  args: HistoryArguments,
): Promise<Slice<WithCategory<W, C>>> => sliceTokenPaged(tokenPagedQuery(reads, query, args), args);

/** The part of a list within a window of time, for merging. */
export const listWithin = <P extends ParameterSet, W extends object, C extends ProductCategory>(
  reads: Reads,
  query: PagedQuery<P, W, C>,
  window: ListRange,
): MergeableList<WithCategory<W, C>> => ({
  identity: identityOf(reads, query, {}),
  part: partOf(query),
  maxPageSize: maxPageSizeOf(query.endpoint),
  rowKey: keyOf(query),
  page: (pageToken, limit) => readPage(reads, query, window, pageToken, limit),
});

/** The requested range of time. Throws `BAD_USER_INPUT` if it ends before it starts. */
export function stretchOf({ from, to }: Pick<HistoryArguments, "from" | "to">): ListRange {
  const stretch = { from: from ?? undefined, to: to ?? undefined };
  if (stretch.from !== undefined && stretch.to !== undefined && stretch.from > stretch.to)
    throw reversedRange(stretch.from, stretch.to);
  return stretch;
}

/** The span of time that such a list covers. Throws `BAD_USER_INPUT`. */
export function spanOf(
  { name, window }: Pick<Endpoint, "name" | "window">,
  { from, to }: HistoryArguments,
  now: number,
): TimeSpan {
  if (window === undefined) throw new Error(`${name} is not a list over time`);
  return spanFor(window, { from: from ?? undefined, to: to ?? undefined }, now);
}

/** Maximum page size of an endpoint. One without a page size returns its whole list. */
export const maxPageSizeOf = ({ parameters: { limit, pageSize } }: { readonly parameters: ParameterSet }): number =>
  (limit ?? pageSize)?.max ?? MAX_FIRST;

const identityOf = <P extends ParameterSet, W extends object>(
  reads: Pick<Reads, "identitiesOf">,
  { endpoint, account, values }: Pick<PagedQuery<P, W>, "endpoint" | "account" | "values">,
  { from, to }: Pick<HistoryArguments, "from" | "to">,
): ListIdentity =>
  identityUnder(reads.identitiesOf(account), (owner) =>
    JSON.stringify([endpoint.name, owner, withoutNulls(values), from ?? null, to ?? null]),
  );

/** Parameters that tell lists apart which are read as one. */
const PARTS = ["type", "planType", "tpslType", "businessType"] as const;

/** The list among those that are read with it, in words of the graph: `USDC_FUTURES`, `SPOT TWAP`. */
function partOf<P extends ParameterSet, W extends object, C extends ProductCategory>({
  endpoint,
  values,
  under,
}: Pick<PagedQuery<P, W, C>, "endpoint" | "values" | "under">): string {
  const fields: Readonly<Record<string, unknown>> = values;
  const category = under ?? fields.category ?? fields.productType;
  return [category ?? titleOf(endpoint.name), ...PARTS.map((name) => fields[name])]
    .filter((word) => typeof word === "string")
    .map((word, at) => (at === 0 && category === undefined ? word : inCapitals(word).replaceAll("-", "_")))
    .join(" ");
}

const withoutNulls = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

const pageNumber = (pageToken: string | undefined): number => (pageToken === undefined ? 1 : Number.parseInt(pageToken, 10));

/** The parameters of a page, under those of the names that the endpoint has. */
function valuesOf<P extends ParameterSet>(
  { parameters }: { readonly parameters: P },
  values: object,
  { from, to }: ListRange,
  pageToken: string | undefined,
  limit: number,
): Values<P> {
  const names: Readonly<Record<Paging, unknown>> = {
    ...{ startTime: from, endTime: to, limit, pageSize: limit },
    ...{ cursor: pageToken, idLessThan: pageToken, pageNo: pageNumber(pageToken), pageNum: pageNumber(pageToken) },
  };
  const paging = Object.entries(names).filter(([name]) => Object.hasOwn(parameters, name));
  return { ...withoutNulls(values), ...Object.fromEntries(paging) } as Values<P>;
}

async function readPage<P extends ParameterSet, W extends object, C extends ProductCategory>(
  reads: Reads,
  { endpoint, account, values, under }: PagedQuery<P, W, C>,
  window: ListRange,
  pageToken: string | undefined,
  limit: number,
): Promise<ExchangePage<WithCategory<W, C>>> {
  // Time has passed while earlier pages waited, so the start may have left the exchange's history.
  const left = leavingNow(endpoint, valuesOf(endpoint, values, window, pageToken, limit), reads.now());
  const found = await reads.read(endpoint, left, account, HISTORY_NAMES);
  const { list, cursor }: Page<W> = "list" in found ? found : { list: found, cursor: nextNumber(found, pageToken) };
  const rows = under === undefined ? list : mapRows(list, (row) => withCategory(under, row));
  return { rows: rows as readonly Row<WithCategory<W, C>>[], next: cursor ?? undefined };
}

const nextNumber = (rows: readonly unknown[], pageToken: string | undefined): string | null =>
  rows.length === 0 ? null : String(pageNumber(pageToken) + 1);

/** A row that could not be decoded is identified by its identifier, if it has one. */
const keyOf =
  <W>({ rowKey }: { readonly rowKey: (row: W) => string }) =>
  (row: Row<W>): string | undefined =>
    isRead(row) ? rowKey(row) : row.rowId;
