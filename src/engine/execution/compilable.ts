import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

/**
 * Is the type of everything in this document known before it runs? It is not where an interface or union is asked for,
 * nor on a type that tells by its values whether they belong to it. Introspection runs too seldom to be planned for.
 */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let compilable = true;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const type = getNamedType(types.getType());
        if (isAbstractType(type) || (isObjectType(type) && type.isTypeOf)) compilable = false;
        if (name.value === "__schema" || name.value === "__type") compilable = false;
      },
    }),
  );
  return compilable;
}
