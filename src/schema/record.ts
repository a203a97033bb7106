import { Extensions, Field, ObjectType } from "type-graphql";

/**
 * An object type. Its fields are read off the record as they stand, without a resolver each: whatever has to be found
 * out or worked out is a field resolver, in `src/resolvers`. The class gives the name unless there is one in `options`.
 * `lasting` says that its records are reference data: kept, and shown unchanged in many answers.
 */
export const RecordType =
  (
    description: string,
    {
      name,
      lasting = false,
      ...options
    }: { readonly name?: string; readonly lasting?: boolean; readonly implements?: abstract new () => object } = {},
  ): ClassDecorator =>
  (target) => {
    ObjectType(name ?? target.name, { ...options, description, simpleResolvers: true })(target);
    if (lasting) Extensions({ lasting })(target);
  };

/**
 * A field with one of the exchange's own words. The exchange adds words without notice, so the field can be `UNKNOWN`,
 * and its text as it came stands beside it under `<name>Raw`.
 */
export const EnumField =
  (type: () => object, description: string, { nullable = false }: { readonly nullable?: boolean } = {}): PropertyDecorator =>
  (prototype, name) => {
    Field(type, { description, nullable })(prototype, name);
    Field(() => String, {
      description: `\`${String(name)}\` as the exchange sent it, for values that read \`UNKNOWN\``,
      nullable,
    })(prototype, `${String(name)}Raw`);
  };
