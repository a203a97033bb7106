import { Field, ID, InterfaceType } from "type-graphql";

/** What `Query.node` hands out: a record that says which type of the graph it is. */
export interface NodeRecord {
  readonly __typename: string;
}

/** The name of a record's type in the graph. */
export const typeNameOf = ({ __typename }: NodeRecord): string => __typename;

@InterfaceType({
  description: "Something with an identifier of its own, by which it can be asked for again with `node`",
  resolveType: typeNameOf,
})
export abstract class Node {
  @Field(() => ID, { description: "Global identifier: opaque, stable, good for `node(id:)`" })
  readonly id!: string;
}
