import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { Page } from "@exchange-graph/contract/page";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { isRead, mapRows, type Row } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { badInput } from "../fault.js";
import { type IsSame, type MergeableList, merged, type Timed } from "../paging/merged.js";
import { type ExchangePage, MAX_FIRST, type Slice, type SliceArguments, slice } from "../paging/pager.js";
import { sliceTokenPaged } from "../paging/tokenPagedList.js";
import { spanFor, type TimeSpan, type TimeWindow } from "../paging/windows.js";
import type { Reads } from "../reads/reads.js";

/** What a client may say about any list over time: a stretch of it, and how much of it at once. */
export interface HistoryArguments extends SliceArguments {
  /** Unix ms. */
  readonly from?: number | null | undefined;
  readonly to?: number | null | undefined;
}

/** What bounds a list that has no windows of time; Unix ms. */
interface Stretch {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What says which page of a list is meant, whatever an endpoint calls it. */
type Paging = "startTime" | "endTime" | "limit" | "pageSize" | "cursor" | "idLessThan" | "pageNo";
type OrNull<T> = { readonly [K in keyof T]: T[K] | null };

/** One of the exchange's paged endpoints as a list. Times, page sizes and page tokens are filled in by the endpoint's own names. */
interface PagedQuery<P extends ParameterSet, W extends object, C extends FuturesCategory = never> {
  /** Its rows come as a page or, where pages are numbered, as they are. */
  readonly endpoint: Endpoint<P, Page<W> | readonly Row<W>[]>;
  readonly account: ExchangeAccount;
  /** What the list is asked by: part of its identity. What is null or undefined is not asked by. */
  readonly values: OrNull<Omit<Values<P>, Paging>>;
  /** Identifies a row. A list that is merged with others is also read on from here: it is what the exchange pages by. */
  readonly rowKey: (row: W) => string;
  /** The category of the rows, where the exchange leaves it out. */
  readonly under?: C;
}

/** A row of the exchange's with the category that it leaves out. */
type Under<W, C> = [C] extends [never] ? W : W & { readonly category: C; readonly categoryRaw: string };

/** The graph's words for the parameters of a list. */
const HISTORY_NAMES = { startTime: "from", endTime: "to", limit: "first", pageSize: "first" } as const;

/** Reads `first` rows of a list over time, across the exchange's pages and windows. */
export function pagedQuery<P extends ParameterSet, W extends object, C extends FuturesCategory = never>(
  reads: Reads,
  query: PagedQuery<P, W, C>,
  asked: HistoryArguments,
): Promise<Slice<Under<W, C>>> {
  const { endpoint } = query;
  return slice(
    {
      identity: identityOf(query, asked),
      maxPageSize: maxPageSizeOf(endpoint),
      span: spanOf(endpoint, asked, reads.now()),
      rowKey: keyOf(query),
      isNumbered: "pageNo" in endpoint.parameters,
      page: (window, pageToken, limit) => readPage(reads, query, window, pageToken, limit),
    },
    asked,
  );
}

/** The same of several lists of one endpoint, read as one. A row that `isSame` finds in several of them comes once. */
export function mergedQuery<P extends ParameterSet, W extends object & Timed>(
  reads: Reads,
  endpoint: PagedQuery<P, W>["endpoint"],
  queries: readonly Omit<PagedQuery<P, W>, "endpoint">[],
  asked: HistoryArguments,
  isSame: IsSame<W>,
): Promise<Slice<W>> {
  const within = (window: TimeWindow) =>
    merged(
      queries.map((query) => listWithin(reads, { ...query, endpoint }, window)),
      isSame,
    );
  const span = spanOf(endpoint, asked, reads.now());
  const { maxPageSize, rowKey } = within(span);
  return slice(
    {
      identity: JSON.stringify(queries.map((query) => identityOf({ ...query, endpoint }, asked))),
      maxPageSize,
      span,
      rowKey,
      page: (window, pageToken, limit) => within(window).page(pageToken, limit),
    },
    asked,
  );
}

/**
 * The list without windows of time, read from its newest row on, to be merged with others. The exchange is asked for the
 * stretch as it is.
 */
export function tokenPagedQuery<P extends ParameterSet, W extends object, C extends FuturesCategory = never>(
  reads: Reads,
  query: PagedQuery<P, W, C>,
  asked: Pick<HistoryArguments, "from" | "to"> = {},
): MergeableList<Under<W, C>> {
  const stretch = stretchOf(asked);
  return { ...listWithin(reads, query, stretch), identity: identityOf(query, stretch) };
}

/** Reads `first` rows of such a list alone. */
export const latestQuery = <P extends ParameterSet, W extends object, C extends FuturesCategory = never>(
  reads: Reads,
  query: PagedQuery<P, W, C>,
  asked: HistoryArguments,
): Promise<Slice<Under<W, C>>> => sliceTokenPaged(tokenPagedQuery(reads, query, asked), asked);

/** The part of a list that lies in a window of time. */
const listWithin = <P extends ParameterSet, W extends object, C extends FuturesCategory>(
  reads: Reads,
  query: PagedQuery<P, W, C>,
  window: Stretch,
): MergeableList<Under<W, C>> => ({
  identity: identityOf(query, {}),
  maxPageSize: maxPageSizeOf(query.endpoint),
  rowKey: keyOf(query),
  page: (pageToken, limit) => readPage(reads, query, window, pageToken, limit),
});

/** The stretch that a client asks for. Throws `BAD_USER_INPUT` when it ends before it starts. */
export function stretchOf({ from, to }: Pick<HistoryArguments, "from" | "to">): Stretch {
  const stretch = { from: from ?? undefined, to: to ?? undefined };
  if (stretch.from !== undefined && stretch.to !== undefined && stretch.from > stretch.to)
    throw badInput([{ argument: "to", rule: "must not be before from" }]);
  return stretch;
}

/** The stretch that such a list covers. Throws `BAD_USER_INPUT`. */
export function spanOf(
  { name, window }: Pick<Endpoint, "name" | "window">,
  { from, to }: HistoryArguments,
  now: number,
): TimeSpan {
  if (window === undefined) throw new Error(`${name} is not a list over time`);
  return spanFor(window, { from: from ?? undefined, to: to ?? undefined }, now);
}

/** The largest page that an endpoint gives. One without a page size gives its list whole. */
export const maxPageSizeOf = ({ parameters: { limit, pageSize } }: { readonly parameters: ParameterSet }): number =>
  (limit ?? pageSize)?.max ?? MAX_FIRST;

const identityOf = <P extends ParameterSet, W extends object>(
  { endpoint, account, values }: Pick<PagedQuery<P, W>, "endpoint" | "account" | "values">,
  { from, to }: Pick<HistoryArguments, "from" | "to">,
): string => JSON.stringify([endpoint.name, account.name, given(values), from ?? null, to ?? null]);

const given = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

const pageNumber = (pageToken: string | undefined): number => (pageToken === undefined ? 1 : Number.parseInt(pageToken, 10));

/** What an endpoint is asked for a page by: of all the names of these things, those that it has. */
function valuesOf<P extends ParameterSet>(
  { parameters }: { readonly parameters: P },
  values: object,
  { from, to }: Stretch,
  pageToken: string | undefined,
  limit: number,
): Values<P> {
  const names: Readonly<Record<Paging, unknown>> = {
    ...{ startTime: from, endTime: to, limit, pageSize: limit },
    ...{ cursor: pageToken, idLessThan: pageToken, pageNo: pageNumber(pageToken) },
  };
  const paging = Object.entries(names).filter(([name]) => Object.hasOwn(parameters, name));
  return { ...given(values), ...Object.fromEntries(paging) } as Values<P>;
}

async function readPage<P extends ParameterSet, W extends object, C extends FuturesCategory>(
  reads: Reads,
  { endpoint, account, values, under }: PagedQuery<P, W, C>,
  window: Stretch,
  pageToken: string | undefined,
  limit: number,
): Promise<ExchangePage<Under<W, C>>> {
  const found = await reads.read(endpoint, valuesOf(endpoint, values, window, pageToken, limit), account, HISTORY_NAMES);
  const { list, cursor }: Page<W> = "list" in found ? found : { list: found, cursor: nextNumber(found, pageToken) };
  const rows = under === undefined ? list : mapRows(list, (row) => withCategory(under, row));
  return { rows: rows as readonly Row<Under<W, C>>[], next: cursor ?? undefined };
}

const nextNumber = (rows: readonly unknown[], pageToken: string | undefined): string | null =>
  rows.length === 0 ? null : String(pageNumber(pageToken) + 1);

/** A row that could not be read is named by its identifier, where it has one. */
const keyOf =
  <W>({ rowKey }: { readonly rowKey: (row: W) => string }) =>
  (row: Row<W>): string | undefined =>
    isRead(row) ? rowKey(row) : row.rowId;
