import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLField,
  GraphQLInt,
  GraphQLList,
  type GraphQLSchema,
  getNullableType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { Extensions } from "type-graphql";
import { mayCall } from "./cost.js";

/** The directive of clients that handle errors themselves, Relay and urql among them: null comes with an error only. */
export const SEMANTIC_NON_NULL = new GraphQLDirective({
  name: "semanticNonNull",
  description:
    "The field, or at level 1 each item of its list, is null only with an error at that path. Clients that handle errors can treat it as non-null",
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLList(GraphQLInt),
      defaultValue: [0],
      description: "0 is the field itself, 1 the items of its list",
    },
  },
});

/** Declares that a property of a record is null only if the record has an error as its value. */
export const NullOnError = (): PropertyDecorator & MethodDecorator => Extensions({ nullOnError: true });

declare module "graphql" {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    readonly nullOnError?: true;
    /** Levels at which the field is null only with an error. */
    readonly semanticNonNull?: readonly number[];
  }
}

type Field = GraphQLField<unknown, unknown>;

/** Whether the description names a null without an error. */
const describesNull = ({ description }: Field): boolean =>
  (description ?? "").split(/; |\. /).some((part) => /\bnull\b/i.test(part) && !/\breason\b/.test(part));

/** Whether the field itself calls the exchange, so that it can fail alone. */
const fails = (field: Field): boolean => mayCall(field) || field.extensions.nullOnError === true;

function levelsOf(field: Field): readonly number[] {
  if (describesNull(field)) return [];
  const type = getNullableType(field.type);
  return [
    ...(isNonNullType(field.type) || !fails(field) ? [] : [0]),
    ...(isListType(type) && !isNonNullType(type.ofType) ? [1] : []),
  ];
}

/**
 * Marks the fields that are null only with an error: those that can fail alone, and the rows of lists, which can be impossible to
 * decode. A field that can be null for another reason says so in its description.
 */
export function markSemanticNonNull(graph: GraphQLSchema): void {
  for (const type of Object.values(graph.getTypeMap())) {
    if ((!isObjectType(type) && !isInterfaceType(type)) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const levels = levelsOf(field);
      if (levels.length > 0) field.extensions = { ...field.extensions, semanticNonNull: levels };
    }
  }
}
