import { isRead, isUnreadPart } from "../datasources/index.js";
import type { Slice } from "../datasources/reads/index.js";
import type { ConnectionOf } from "../schema/connection.js";

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
