import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { Page } from "@exchange-graph/contract/page";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import type { Row } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/accounts/exchangeAccount.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { newestFirst, overTime, type Walk } from "./pageCounts.js";
import { type HistoryArguments, latestQuery, type PagedValues, pagedQuery } from "./pagedQuery.js";

/** A list that both account modes have in common, as one paged endpoint. */
interface PagedList<P extends ParameterSet, W extends object> {
  readonly pages: Walk;
  /** Reads rows, newest first. */
  readonly read: (reads: Reads, account: ExchangeAccount, values: PagedValues<P>, asked: HistoryArguments) => Promise<Slice<W>>;
}

/** A list that is read in windows of time. `rowKey` identifies a row. */
export const listOverTime = <P extends ParameterSet, W extends object>(
  endpoint: Endpoint<P, Page<W> | readonly Row<W>[]>,
  rowKey: (row: W) => string,
): PagedList<P, W> => ({
  pages: overTime(endpoint),
  read: (reads, account, values, asked) => pagedQuery(reads, { endpoint, account, values, rowKey }, asked),
});

/** A list that is read from its newest row on. */
export const listNewestFirst = <P extends ParameterSet, W extends object>(
  endpoint: Endpoint<P, Page<W> | readonly Row<W>[]>,
  rowKey: (row: W) => string,
): PagedList<P, W> => ({
  pages: newestFirst(endpoint),
  read: (reads, account, values, asked) => latestQuery(reads, { endpoint, account, values, rowKey }, asked),
});
