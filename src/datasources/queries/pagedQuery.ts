import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { Page } from "@exchange-graph/contract/page";
import type { ParameterSet, Values } from "@exchange-graph/contract/parameter";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { badInput } from "../fault.js";
import { type IsSame, type MergeableList, merged, type Timed } from "../paging/merged.js";
import { type ExchangePage, MAX_FIRST, type Slice, type SliceArguments, slice } from "../paging/pager.js";
import { spanFor, type TimeSpan, type TimeWindow } from "../paging/windows.js";
import type { Reads } from "../reads/reads.js";

/** What a client may say about any list over time: a stretch of it, and how much of it at once. */
export interface HistoryArguments extends SliceArguments {
  /** Unix ms. */
  readonly from?: number | null | undefined;
  readonly to?: number | null | undefined;
}

/** What bounds a list that has no windows of time; Unix ms. */
export interface Stretch {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** One of the exchange's paged endpoints as a list. `W` is what bounds a page in time. */
export interface PagedQuery<P extends ParameterSet, D, R, W = TimeWindow> {
  readonly endpoint: Endpoint<P, D>;
  readonly account: ExchangeAccount;
  /** What the list is filtered by: part of its identity. */
  readonly filter: Readonly<Record<string, string | number | null | undefined>>;
  readonly values: (window: W, pageToken: string | undefined, limit: number) => Values<P>;
  readonly page: (data: D, pageToken: string | undefined) => Page<R>;
  /** Tells rows apart. A list that is merged with others is also read on from here: it is what the exchange pages by. */
  readonly rowKey: (row: R) => string;
}

/** The graph's words for the parameters of a list. */
const HISTORY_NAMES = { startTime: "from", endTime: "to", limit: "first", pageSize: "first" } as const;

/** Reads `first` rows of a list over time, across the exchange's pages and windows. */
export function pagedQuery<P extends ParameterSet, D, R>(
  reads: Reads,
  query: PagedQuery<P, D, R>,
  asked: HistoryArguments,
): Promise<Slice<R>> {
  const { endpoint } = query;
  return slice(
    {
      identity: identityOf(query, asked),
      maxPageSize: maxPageSizeOf(endpoint),
      span: spanOf(endpoint, asked, reads.now()),
      rowKey: keyOf(query),
      isNumbered: "pageNo" in endpoint.parameters,
      page: (window, pageToken, limit) => readPage(reads, query, query.values(window, pageToken, limit), pageToken),
    },
    asked,
  );
}

/** The same of several lists of one endpoint, read as one. A row that `isSame` finds in several of them comes once. */
export function mergedQuery<P extends ParameterSet, D, R extends Timed>(
  reads: Reads,
  endpoint: Endpoint<P, D>,
  queries: readonly Omit<PagedQuery<P, D, R>, "endpoint">[],
  asked: HistoryArguments,
  isSame: IsSame<R>,
): Promise<Slice<R>> {
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
 * The list without windows of time, read from its newest row on: to be sliced alone or merged with others. The exchange is
 * asked for the stretch as it is.
 */
export function tokenPagedQuery<P extends ParameterSet, D, R>(
  reads: Reads,
  query: PagedQuery<P, D, R, Stretch>,
  asked: Pick<HistoryArguments, "from" | "to"> = {},
): MergeableList<R> {
  const stretch = stretchOf(asked);
  return { ...listWithin(reads, query, stretch), identity: identityOf(query, stretch) };
}

/** The part of a list that lies in a window of time. */
const listWithin = <P extends ParameterSet, D, R, W>(
  reads: Reads,
  query: PagedQuery<P, D, R, W>,
  window: W,
): MergeableList<R> => ({
  identity: identityOf(query, {}),
  maxPageSize: maxPageSizeOf(query.endpoint),
  rowKey: keyOf(query),
  page: (pageToken, limit) => readPage(reads, query, query.values(window, pageToken, limit), pageToken),
});

/** The stretch that a client asks for. Throws `BAD_USER_INPUT` when it ends before it starts. */
export function stretchOf({ from, to }: Pick<HistoryArguments, "from" | "to">): Stretch {
  const stretch = { from: from ?? undefined, to: to ?? undefined };
  if (stretch.from !== undefined && stretch.to !== undefined && stretch.from > stretch.to)
    throw badInput([{ argument: "to", rule: "must not be before from" }]);
  return stretch;
}

function spanOf({ name, window }: Pick<Endpoint, "name" | "window">, { from, to }: HistoryArguments, now: number): TimeSpan {
  if (window === undefined) throw new Error(`${name} is not a list over time`);
  return spanFor(window, { from: from ?? undefined, to: to ?? undefined }, now);
}

/** The largest page that an endpoint gives. One without a page size gives its list whole. */
export const maxPageSizeOf = ({ parameters: { limit, pageSize } }: { readonly parameters: ParameterSet }): number =>
  (limit ?? pageSize)?.max ?? MAX_FIRST;

type Identity = Pick<PagedQuery<ParameterSet, unknown, unknown>, "account" | "filter"> & {
  readonly endpoint: { readonly name: string };
};

const identityOf = ({ endpoint, account, filter }: Identity, { from, to }: Pick<HistoryArguments, "from" | "to">): string =>
  JSON.stringify([endpoint.name, account.name, filter, from ?? null, to ?? null]);

async function readPage<P extends ParameterSet, D, R>(
  reads: Reads,
  { endpoint, account, page }: Pick<PagedQuery<P, D, R>, "endpoint" | "account" | "page">,
  values: Values<P>,
  pageToken: string | undefined,
): Promise<ExchangePage<R>> {
  const { list, cursor } = page(await reads.read(endpoint, values, account, HISTORY_NAMES), pageToken);
  return { rows: list, next: cursor ?? undefined };
}

/** A row that could not be read is told by its identifier, where that can be. */
const keyOf =
  <R>({ rowKey }: { readonly rowKey: (row: R) => string }) =>
  (row: Row<R>): string | undefined =>
    isRead(row) ? rowKey(row) : row.rowId;
