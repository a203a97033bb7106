import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { Page } from "@exchange-graph/contract/page";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Row } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { newestFirst, overTime, type Pages, type Walk } from "./pageCounts.js";
import { type HistoryArguments, latestQuery, type PagedValues, pagedQuery } from "./pagedQuery.js";

/** A paged list of an account. `V` are its filters. */
export interface PagedAccountList<V, W extends object, P extends Pages = Walk> {
  readonly pages: P;
  /** Reads rows, newest first. */
  readonly read: (reads: Reads, account: ExchangeAccount, values: V, args: HistoryArguments) => Promise<Slice<W>>;
}

type PagedEndpoint<P extends ParameterSet, W extends object> = Endpoint<P, Page<W> | readonly Row<W>[]>;

/** A list that is read in windows of time. `rowKey` identifies a row. */
export const listOverTime = <P extends ParameterSet, W extends object>(
  endpoint: PagedEndpoint<P, W>,
  rowKey: (row: W) => string,
): PagedAccountList<PagedValues<P>, W> => ({
  pages: overTime(endpoint),
  read: (reads, account, values, args) => pagedQuery(reads, { endpoint, account, values, rowKey }, args),
});

/** A list over time of which each account mode has an endpoint of its own. */
export const listOfMode = <U extends ParameterSet, C extends ParameterSet, W extends object>(
  unified: PagedEndpoint<U, W>,
  classic: PagedEndpoint<C, W>,
  rowKey: (row: W) => string,
): PagedAccountList<PagedValues<U> & PagedValues<C>, W, Pages> => ({
  pages: (mode) => (mode === "UNIFIED" ? overTime(unified) : overTime(classic)),
  read: async (reads, account, values, args) =>
    (await reads.modeOf(account)) === "UNIFIED"
      ? pagedQuery(reads, { endpoint: unified, account, values, rowKey }, args)
      : pagedQuery(reads, { endpoint: classic, account, values, rowKey }, args),
});

/** A list that is read from its newest row on. */
export const listNewestFirst = <P extends ParameterSet, W extends object>(
  endpoint: PagedEndpoint<P, W>,
  rowKey: (row: W) => string,
): PagedAccountList<PagedValues<P>, W> => ({
  pages: newestFirst(endpoint),
  read: (reads, account, values, args) => latestQuery(reads, { endpoint, account, values, rowKey }, args),
});
