import type { Endpoint } from "../../contract/endpoint.js";
import type { Page } from "../../contract/page.js";
import type { ParameterSet, Values } from "../../contract/parameter.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { type Slice, type SliceArguments, slice } from "../paging/pager.js";
import { spanFor, type TimeWindow } from "../paging/windows.js";
import type { RequestReads } from "../reads/requestReads.js";

/** What a caller may say about any list over time: a stretch of it, and how much of it at once. */
export interface HistoryArguments extends SliceArguments {
  /** Unix ms. */
  readonly from?: number | null | undefined;
  readonly to?: number | null | undefined;
}

/** How one of the exchange's paged endpoints is read as one list. */
export interface PagedQuery<P extends ParameterSet, D, R> {
  readonly endpoint: Endpoint<P, D>;
  readonly account: ExchangeAccount;
  /** What the list is filtered by, in text: part of its identity. */
  readonly filter: Readonly<Record<string, string | null | undefined>>;
  readonly values: (window: TimeWindow, mark: string | undefined, limit: number) => Values<P>;
  readonly page: (data: D, mark: string | undefined) => Page<R>;
  readonly rowKey: (row: R) => string;
  readonly maxPageSize: number;
}

/** The graph's words for the parameters of a list over time. */
export const HISTORY_NAMES = { startTime: "from", endTime: "to", limit: "first", pageSize: "first" } as const;

/** Reads `first` rows of a list over time, across the exchange's pages and windows. */
export function pagedQuery<P extends ParameterSet, D, R>(
  reads: RequestReads,
  query: PagedQuery<P, D, R>,
  asked: HistoryArguments,
): Promise<Slice<R>> {
  const { endpoint, account, filter } = query;
  if (endpoint.window === undefined) throw new Error(`${endpoint.name} is not a list over time`);
  const span = spanFor(endpoint.window, { from: asked.from ?? undefined, to: asked.to ?? undefined }, reads.now());
  return slice(
    {
      identity: JSON.stringify([endpoint.name, account.name, filter, asked.from ?? null, asked.to ?? null]),
      maxPageSize: query.maxPageSize,
      span,
      rowKey: query.rowKey,
      page: async (window, mark, limit) => {
        const data = await reads.read(endpoint, query.values(window, mark, limit), account, HISTORY_NAMES);
        const { list, cursor } = query.page(data, mark);
        return { rows: list, next: cursor ?? undefined };
      },
    },
    asked,
  );
}
