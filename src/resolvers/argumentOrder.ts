import { type GraphQLArgument, type GraphQLSchema, isObjectType } from "graphql";

/** Arguments that lists share, in the order of every field: first these, then the field's other arguments, then `LAST`. */
const FIRST = [
  "first",
  "after",
  "kinds",
  "category",
  "categories",
  "productType",
  "periodType",
  "symbol",
  "symbols",
  "coin",
  "coins",
];
const LAST = ["from", "to", "maxAgeMs", "pace"];

function rankOf({ name }: GraphQLArgument): number {
  const end = LAST.indexOf(name);
  if (end >= 0) return FIRST.length + 1 + end;
  const start = FIRST.indexOf(name);
  return start >= 0 ? start : FIRST.length;
}

/** Orders the arguments of all fields in the same way. By default they have the order of their classes. */
export function orderArguments(graph: GraphQLSchema): void {
  for (const type of Object.values(graph.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields()))
      field.args = [...field.args].sort((one, other) => rankOf(one) - rankOf(other));
  }
}
