import { type ClassType, Field } from "type-graphql";
import { RecordType } from "./record.js";

@RecordType("Position of a page in the whole list of a connection")
class PageInfo {
  @Field(() => Boolean, { description: "Are there rows after this page? Also true where only the next page would show it" })
  readonly hasNextPage!: boolean;

  @Field(() => Boolean, { description: "Are there rows before this page? True whenever it begins after a cursor" })
  readonly hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: "Cursor of the page's first row; null on an empty page" })
  readonly startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Cursor of the page's last row: pass it as `after` to get the next page; null on an empty page",
  })
  readonly endCursor!: string | null;
}

interface EdgeOf<N> {
  /** An error where the row could not be read. */
  readonly node: N | Error;
  readonly cursor: string;
}

/** One page of a list that can grow without bound, as Relay has it. */
export interface ConnectionOf<N> {
  readonly edges: readonly EdgeOf<N>[];
  readonly nodes: readonly (N | Error)[];
  readonly pageInfo: PageInfo;
}

/** Makes the connection type of a node type, and its edge type. */
export function connectionOf<N extends object>(nodeType: ClassType<N>): ClassType<ConnectionOf<N>> {
  @RecordType(`One row of a ${nodeType.name}Connection`, { name: `${nodeType.name}Edge` })
  class Edge implements EdgeOf<N> {
    @Field(() => nodeType, {
      nullable: true,
      description: "The row itself; null where it could not be read, with an error that says why",
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
      description: "The rows of the page without their cursors; null where one could not be read, with an error that says why",
    })
    readonly nodes!: readonly (N | Error)[];

    @Field(() => PageInfo, { description: "Position of the page in the list" })
    readonly pageInfo!: PageInfo;
  }
  return Connection;
}
