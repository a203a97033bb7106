import { type ClassType, Field, Int } from "type-graphql";
import { flag, text } from "./fields.js";
import { fieldsOf, RecordType } from "./record.js";
import { NullOnError } from "./semanticNonNull.js";

@RecordType("Position of a page in the whole list of a connection")
class PageInfo extends fieldsOf({
  hasNextPage: flag("Whether there are rows after this page. It is also true if only the next page can show that there are none"),
  hasPreviousPage: flag("Whether there are rows before this page. It is true for each page that was requested with a cursor"),
  startCursor: text.orNull("Cursor of the page's first row; null on an empty page"),
  endCursor: text.orNull("Cursor of the page's last row: pass it as `after` to get the next page; null on an empty page"),
}) {}

interface EdgeOf<N> {
  /** An error if the row could not be decoded. */
  readonly node: N | Error;
  readonly cursor: string;
}

/** One page of a list without an upper bound, as a Relay connection. */
export interface ConnectionOf<N> {
  readonly edges: readonly EdgeOf<N>[];
  readonly nodes: readonly (N | Error)[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number | null;
}

/** Makes the connection type and the edge type of a node type. */
export function connectionOf<N extends object>(nodeType: ClassType<N>): ClassType<ConnectionOf<N>> {
  @RecordType(`One row of \`${nodeType.name}Connection\``, { name: `${nodeType.name}Edge` })
  class Edge implements EdgeOf<N> {
    @NullOnError()
    @Field(() => nodeType, {
      nullable: true,
      description:
        "The row itself; null for a row, or for a part of the list, that could not be read, with the reason in `errors`",
    })
    readonly node!: N | Error;

    @Field(() => String, { description: "Opaque cursor of this row: pass it as `after` to the same list" })
    readonly cursor!: string;
  }

  @RecordType(`One page of a list of ${nodeType.name}, newest first`, { name: `${nodeType.name}Connection` })
  class Connection implements ConnectionOf<N> {
    @Field(() => [Edge], { description: "The rows of the page, each with its cursor" })
    readonly edges!: readonly Edge[];

    @Field(() => [nodeType], {
      nullable: "items",
      description:
        "The rows of the page without their cursors; null for a row, or for a part of the list, that could not be read, with the reason in `errors`",
    })
    readonly nodes!: readonly (N | Error)[];

    @Field(() => PageInfo, { description: "Position of the page in the list" })
    readonly pageInfo!: PageInfo;

    @Field(() => Int, {
      nullable: true,
      description:
        "Number of rows of the whole list, where it is known without a further call: if the list has been read to its end; otherwise null",
    })
    readonly totalCount!: number | null;
  }
  return Connection;
}
