import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isScalarType,
  isSpecifiedScalarType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

/**
 * Does graphql-jit run this document as graphql-js does? Measured differences, all of which tests hold:
 *
 * - A variable's default is written into the code as JSON, so one that our own scalars parse (a `DateTime` into a
 *   `Date`) would come out as text.
 * - A variable that is left out inside an object literal comes out as null, and shadows the field's own default.
 * - Telling the type of an interface or union may throw, and that is not caught: the operation would never end.
 *
 * One difference does not show in the document, so resolvers keep to a rule: no list holds promises (a rejected one
 * would leave an item too many). An item that fails alone is an `Error` in the list.
 */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let compilable = true;
  let literals = 0;
  visit(
    document,
    visitWithTypeInfo(types, {
      VariableDefinition({ defaultValue }) {
        const type = getNamedType(types.getInputType());
        if (defaultValue !== undefined && !isEnumType(type) && !(isScalarType(type) && isSpecifiedScalarType(type)))
          compilable = false;
      },
      ObjectValue: { enter: () => void literals++, leave: () => void literals-- },
      Variable() {
        if (literals > 0) compilable = false;
      },
      Field() {
        if (isAbstractType(getNamedType(types.getType()))) compilable = false;
      },
    }),
  );
  return compilable;
}
