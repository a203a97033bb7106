import type { Row } from "@exchange-graph/contract/rows";
import type { ListIdentity, TimeSpan } from "./cursor.js";
import { type ExchangePage, type Slice, type SliceArguments, slice } from "./pager.js";

/** A list that is read from its newest row on, with pages but without windows of time. */
export interface TokenPagedList<R> {
  /** A cursor is valid for the same list only. */
  readonly identity: ListIdentity;
  readonly maxPageSize: number;
  /** Identifies a row, if it could be decoded. */
  rowKey(row: Row<R>): string | undefined;
  readonly page: (pageToken: string | undefined, limit: number, isPartial: boolean) => Promise<ExchangePage<R>>;
}

const NO_WINDOW = { from: 0, to: 0 };
const NO_SPAN: TimeSpan = { ...NO_WINDOW, windows: 1, windowUpTo: () => NO_WINDOW };

/** Returns `first` rows after a cursor, from as many pages as needed. */
export const sliceTokenPaged = <R>(list: TokenPagedList<R>, args: SliceArguments): Promise<Slice<R>> =>
  slice(
    {
      identity: list.identity,
      maxPageSize: list.maxPageSize,
      span: NO_SPAN,
      rowKey: (row) => list.rowKey(row),
      page: (_window, ...page) => list.page(...page),
    },
    args,
  );
