import type { Row } from "@exchange-graph/contract/rows";
import { type ExchangePage, type Slice, type SliceArguments, slice } from "./pager.js";
import type { TimeSpan } from "./windows.js";

/** A list that is read from its newest row on: it has pages, but no windows of time. */
export interface TokenPagedList<R> {
  /** What the list is about. A cursor is good for the same list only. */
  readonly identity: string;
  readonly maxPageSize: number;
  /** Identifies a row, where it could be read. */
  rowKey(row: Row<R>): string | undefined;
  readonly page: (pageToken: string | undefined, limit: number) => Promise<ExchangePage<R>>;
}

const NO_WINDOW = { from: 0, to: 0 };
const NO_SPAN: TimeSpan = { ...NO_WINDOW, windows: 1, windowUpTo: () => NO_WINDOW };

/** Takes `first` rows after a cursor, over as many pages as that needs. */
export const sliceTokenPaged = <R>(list: TokenPagedList<R>, asked: SliceArguments): Promise<Slice<R>> =>
  slice(
    {
      identity: list.identity,
      maxPageSize: list.maxPageSize,
      span: NO_SPAN,
      rowKey: (row) => list.rowKey(row),
      page: (_window, pageToken, limit) => list.page(pageToken, limit),
    },
    asked,
  );
