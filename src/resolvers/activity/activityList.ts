import type { ExchangeAccount } from "../../datasources/index.js";
import type { PagedAccountList, Pages, Slice, SliceArguments } from "../../datasources/reads/index.js";
import type { ActivityKind } from "../../schema/enums/activity.js";
import type { ProductCategoryInput } from "../../schema/enums/category.js";
import type { NodeRecord } from "../../schema/node.js";
import { withAccount } from "../accountScoped.js";
import type { RequestContext } from "../context.js";

/** A range of time including both ends, Unix ms. */
interface TimeBounds {
  readonly from: number;
  readonly to: number;
}

/** A page of a list between two times. */
export type ActivityPage = SliceArguments &
  TimeBounds & {
    /** Only this symbol, for lists that the exchange filters. */
    readonly symbol?: string | undefined;
    /** Whether it ends now. Then times that differ with each request need not be sent. */
    readonly isLatest?: boolean | undefined;
  };

/** The rows of one list, as items of a timeline. */
export interface ActivityItem {
  readonly record: NodeRecord;
  readonly key: string;
  /** Unix ms. */
  readonly time: number | null;
  readonly symbol?: string;
  readonly category?: string;
}

export interface ActivityList {
  readonly kind: ActivityKind;
  readonly name: string;
  /** Its category; a list without one may have rows of all, or of none. */
  readonly category?: ProductCategoryInput;
  readonly hasSymbols?: boolean;
  /** Undefined if it takes no call. */
  readonly pages: Pages | undefined;
  readonly read: (context: RequestContext, account: ExchangeAccount, page: ActivityPage) => Promise<Slice<ActivityItem>>;
}

/**
 * A list that the exchange divides, for example by coin, into parts that have to be read first. `pages`: of finding and reading all
 * parts.
 */
export interface DividedList extends Omit<ActivityList, "read"> {
  readonly parts: (context: RequestContext, account: ExchangeAccount, times: TimeBounds) => Promise<readonly ActivityList[]>;
}

type ItemOf<R> = (row: R, account: ExchangeAccount) => ActivityItem;

/** The list whose items are these rows. */
export const itemsOf = <R>(
  list: Omit<ActivityList, "read">,
  rowsOf: (context: RequestContext, account: ExchangeAccount, page: ActivityPage) => Promise<Slice<R>>,
  itemOf: ItemOf<R>,
): ActivityList => ({
  ...list,
  read: async (context, account, page) => {
    const { rows, hasNextPage } = await rowsOf(context, account, page);
    return {
      rows: rows.map(({ row, cursor }) => ({ row: row instanceof Error ? row : itemOf(row, account), cursor })),
      hasNextPage,
    };
  },
});

/** The same of a paged list of the exchange, without symbols. `values` are its filters. */
export const pagedItems = <V, W extends object>(
  kind: ActivityKind,
  name: string,
  { pages, read }: PagedAccountList<V, W, Pages>,
  values: V,
  itemOf: ItemOf<W>,
): ActivityList => itemsOf({ kind, name, pages }, ({ reads }, account, page) => read(reads, account, values, page), itemOf);

/** A record of an account as an item. */
export const item = <R extends object>(
  type: string,
  account: ExchangeAccount,
  row: R,
  { key, at }: { readonly key: string; readonly at: number | null },
): ActivityItem => ({ record: { __typename: type, ...withAccount(account, row) }, key: `${type} ${key}`, time: at });
