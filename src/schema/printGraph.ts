import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from "graphql";
import { SEMANTIC_NON_NULL } from "./semanticNonNull.js";

/** The schema in SDL, sorted, so that the order of the code does not matter. graphql-js prints no directives of ours. */
export function printGraph(graph: GraphQLSchema): string {
  const document = parse(printSchema(lexicographicSortSchema(graph)), { noLocation: true });
  const marked =
    (typeName: string) =>
    (field: FieldDefinitionNode): FieldDefinitionNode => {
      const type = graph.getType(typeName);
      const levels =
        isObjectType(type) || isInterfaceType(type) ? type.getFields()[field.name.value]?.extensions.semanticNonNull : [];
      return levels === undefined || levels.length === 0
        ? field
        : { ...field, directives: [...(field.directives ?? []), applied(levels)] };
    };
  const printed = visit(document, {
    ObjectTypeDefinition: (type) => ({ ...type, fields: type.fields?.map(marked(type.name.value)) }),
    InterfaceTypeDefinition: (type) => ({ ...type, fields: type.fields?.map(marked(type.name.value)) }),
  });
  return `${print(printed)}\n`;
}

/** The directive with its levels, which have a default. */
const applied = (levels: readonly number[]): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: SEMANTIC_NON_NULL.name },
  arguments:
    levels.length === 1 && levels[0] === 0
      ? []
      : [
          {
            kind: Kind.ARGUMENT,
            name: { kind: Kind.NAME, value: "levels" },
            value: { kind: Kind.LIST, values: levels.map((level) => ({ kind: Kind.INT, value: String(level) })) },
          },
        ],
});
