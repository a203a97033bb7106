import "reflect-metadata";
import { Extensions, Field, ID, InterfaceType } from "type-graphql";

/** What `Query.node` hands out: a record that says which type of the graph it is. */
export interface NodeRecord {
  readonly __typename: string;
}

/** The name of a record's type in the graph. */
export const typeNameOf = ({ __typename }: NodeRecord): string => __typename;

@Extensions({ namesTypes: true })
@InterfaceType({
  description: "An object with a global identifier, by which `node` finds it again",
  resolveType: typeNameOf,
})
export abstract class Node {
  @Field(() => ID, { description: "Global identifier, opaque and stable: the argument of `node(id:)`" })
  readonly id!: string;
}
