import { isRead } from "../datasources/index.js";
import type { Slice } from "../datasources/paging/pager.js";
import type { ConnectionOf } from "../schema/connection.js";

/** A slice of a list as a connection; `toNode` makes a row into what the graph shows. One that could not be read is an error. */
export function connectionFrom<R, N>(
  { rows, hasNextPage }: Slice<R>,
  after: string | null | undefined,
  toNode: (row: R) => N,
): ConnectionOf<N> {
  const edges = rows.map(({ row, cursor }) => ({ node: isRead(row) ? toNode(row) : row, cursor }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage,
      hasPreviousPage: after !== undefined && after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
