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

/** Whether all records of an interface have `__typename`, so that plans can be made for each type in advance. */
export const namesTypes = ({ extensions }: GraphQLAbstractType): boolean => extensions.namesTypes === true;

/**
 * Whether a document can be compiled. It cannot if it uses an interface or union whose records do not have `__typename`, or a
 * type with `isTypeOf`.
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
