import { type ExchangeAccount, isRead, isUnreadPart } from "../datasources/index.js";
import type { Slice, SliceArguments } from "../datasources/reads/index.js";
import type { ConnectionOf } from "../schema/connection.js";
import { type AccountScoped, withAccount } from "./accountScoped.js";
import { partial } from "./pageArguments.js";

/** Converts a slice of a list to a connection; `toNode` converts a row to a node. A row that could not be decoded is an error. */
export function connectionFrom<R, N>(
  { rows, hasNextPage, endCursor, total }: Slice<R>,
  after: string | null | undefined,
  toNode: (row: R) => N,
): ConnectionOf<N> {
  const isFirst = after === undefined || after === null;
  const edges = rows.map(({ row, cursor }) => ({ node: isRead(row) ? toNode(row) : row, cursor }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage,
      hasPreviousPage: !isFirst,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: endCursor ?? edges.at(-1)?.cursor ?? null,
    },
    totalCount: total ?? (isFirst && !hasNextPage && !rows.some(({ row }) => isUnreadPart(row)) ? rows.length : null),
  };
}

/** A page of a list of an account, each row with its account. A row that cannot be read is an error. */
export async function accountConnection<Q, V, R extends object>(
  read: (reads: Q, account: ExchangeAccount, filter: V, page: SliceArguments) => Promise<Slice<R>>,
  reads: Q,
  account: ExchangeAccount,
  filter: V,
  page: SliceArguments,
): Promise<ConnectionOf<AccountScoped<R>>> {
  return connectionFrom(await read(reads, account, filter, partial(page)), page.after, (row) => withAccount(account, row));
}
