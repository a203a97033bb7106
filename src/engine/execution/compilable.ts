import {
  type DocumentNode,
  type GraphQLAbstractType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

/**
 * Do the records of an interface name their type in `__typename`? Then it is known what each of them is once it is there, and
 * every type has its plan before.
 */
export const namesTypes = ({ extensions }: GraphQLAbstractType): boolean => extensions.namesTypes === true;

/**
 * Is it known of everything in this document how its type is found? It is not of an interface or union whose records do not
 * name it, nor of a type that tells by its values whether they belong to it.
 */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let compilable = true;
  visit(
    document,
    visitWithTypeInfo(types, {
      Field() {
        const type = getNamedType(types.getType());
        if ((isAbstractType(type) && !namesTypes(type)) || (isObjectType(type) && type.isTypeOf)) compilable = false;
      },
    }),
  );
  return compilable;
}
