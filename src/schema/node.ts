import "reflect-metadata";
import { Extensions, Field, ID, InterfaceType } from "type-graphql";

/** A record that `Query.node` returns, with the name of its type in the graph. */
export interface NodeRecord {
  readonly __typename: string;
}

/** The name of a record's type in the graph, for `resolveType`. */
export const typeNameOf = ({ __typename }: NodeRecord): string => __typename;

@Extensions({ namesTypes: true })
@InterfaceType({
  description: "An object with a global identifier, which `node` takes",
  resolveType: typeNameOf,
})
export abstract class Node {
  @Field(() => ID, { description: "Global identifier, opaque and stable: the argument of `node(id:)`" })
  readonly id!: string;
}
