import { type Endpoint, leavingNow } from "@exchange-graph/contract/endpoint";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { Page } from "@exchange-graph/contract/page";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { isRead, mapRows, type Row } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { before } from "@exchange-graph/contract/window";
import type { ExchangeAccount } from "../../calls/index.js";
import { reversedRange, titleOf } from "../../errors/index.js";
import { identityUnder, type ListIdentity, spanFor, type TimeSpan, type TimeWindow } from "../paging/cursor.js";
import { type IsSame, type MergeableList, merged, type Timed } from "../paging/merged.js";
import { type ExchangePage, MAX_FIRST, type Slice, type SliceArguments, slice, sliceTokenPaged } from "../paging/pager.js";
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
interface EndpointQuery<P extends ParameterSet, W extends object, C extends ProductCategory = never> {
  /** Its rows come as a page, or, for numbered pages, as a plain list. */
  readonly endpoint: Endpoint<P, Page<W> | readonly Row<W>[]>;
  /** Part of the list's identity. */
  readonly values: PagedValues<P>;
  /** Identifies a row. For merged lists it is also the page token from which the exchange continues. */
  readonly rowKey: (row: W) => string;
  /** The category of the rows, if the exchange does not send it. */
  readonly under?: C;
}

interface PagedQuery<P extends ParameterSet, W extends object, C extends ProductCategory = never> extends EndpointQuery<P, W, C> {
  readonly account: ExchangeAccount;
}

/** One of the lists that are read as one. */
export interface ListQuery<W> {
  readonly endpoint: Pick<Endpoint, "name" | "parameters" | "window">;
  /** Its part within a window of time. `range` is part of its identity. */
  within(reads: Reads, account: ExchangeAccount, window: ListRange, range?: ListRange): MergeableList<W>;
}

export const endpointsOf = (lists: readonly Pick<ListQuery<never>, "endpoint">[]) => lists.map(({ endpoint }) => endpoint);

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
  return slice<WithCategory<W, C>>(
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

/** A list that may be read as one with others. */
export const listQuery = <P extends ParameterSet, W extends object, C extends ProductCategory = never>(
  query: EndpointQuery<P, W, C>,
): ListQuery<WithCategory<W, C>> => ({
  endpoint: query.endpoint,
  within: (reads, account, window, range = {}) => ({
    identity: identityOf(reads, { ...query, account }, range),
    part: partOf(query),
    maxPageSize: maxPageSizeOf(query.endpoint),
    rowKey: keyOf(query),
    page: (pageToken, limit) => readPage(reads, { ...query, account }, window, pageToken, limit),
  }),
});

/** The same for several lists, read as one. A row that `isSame` finds in several of them is returned once. */
export function mergedLists<W extends Timed>(
  reads: Reads,
  account: ExchangeAccount,
  lists: readonly ListQuery<W>[],
  args: HistoryArguments,
  isSame?: IsSame<W>,
): Promise<Slice<W>> {
  const within = (window: TimeWindow) =>
    merged(
      lists.map((list) => list.within(reads, account, window)),
      isSame,
    );
  const span = spanOf(withShortestWindows(endpointsOf(lists)), args, reads.now());
  const whole = within(span);
  const identity = identityUnder(whole.identity, (text) => JSON.stringify([text, args.from ?? null, args.to ?? null]));
  return slice({ ...whole, identity, span, page: (window, ...page) => within(window).page(...page) }, args);
}

/** The one by whose windows all of these lists can be read. */
const withShortestWindows = (endpoints: readonly ListQuery<never>["endpoint"][]): ListQuery<never>["endpoint"] =>
  endpoints.reduce((one, other) => (lengthOf(other) < lengthOf(one) ? other : one));

const lengthOf = ({ window }: Pick<Endpoint, "window">): number => {
  const longest = window?.range ?? window?.age;
  return longest === undefined ? Number.POSITIVE_INFINITY : -before(0, longest);
};

/** Lists without windows of time as one, from their newest rows on. The range of time is sent unchanged. */
export function latestLists<W extends Timed>(
  reads: Reads,
  account: ExchangeAccount,
  lists: readonly ListQuery<W>[],
  args: HistoryArguments,
  isSame?: IsSame<W>,
): Promise<Slice<W>> {
  const range = stretchOf(args);
  const all = lists.map((list) => list.within(reads, account, range, range));
  return sliceTokenPaged(merged(all, isSame), args);
}

/** Reads `first` rows of one such list. */
export function latestQuery<P extends ParameterSet, W extends object, C extends ProductCategory = never>(
  reads: Reads,
  { account, ...query }: PagedQuery<P, W, C>,
  args: HistoryArguments,
): Promise<Slice<WithCategory<W, C>>> {
  const range = stretchOf(args);
  return sliceTokenPaged(listQuery(query).within(reads, account, range, range), args);
}

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

/** The values of an endpoint's parameters. Null and undefined ones are not sent. */
export type FilterOf<E> = E extends Endpoint<infer P, unknown> ? OrNull<Values<P>> : never;

export const withoutNulls = <T extends object>(values: T): { readonly [K in keyof T]: Exclude<T[K], null> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined)) as {
    readonly [K in keyof T]: Exclude<T[K], null>;
  };

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
