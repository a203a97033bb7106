import type { Codec, Field as ContractField, FieldKind, FieldSet } from "@exchange-graph/contract/codec";
import { Extensions, Field, Int, ObjectType } from "type-graphql";
import { enumOf } from "./enums/exchangeEnum.js";
import "./enums/index.js";
import { DateTime, Decimal } from "./scalars.js";

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
    for (const [field, declare] of inherited.get(Object.getPrototypeOf(target)) ?? []) declare(target.prototype, field);
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

/** How the graph shows what the contract reads. */
const TYPES: Readonly<Record<FieldKind, () => object>> = {
  decimal: () => Decimal,
  text: () => String,
  integer: () => Int,
  time: () => DateTime,
  flag: () => Boolean,
};

/** The fields that types inherit, by the class that they extend. */
const inherited = new WeakMap<object, ReadonlyMap<string, PropertyDecorator>>();

/**
 * The fields of a record of the contract, for the type that extends it: each has its type, nullability and meaning from there.
 * `without`: fields that the graph does not have, or that the type declares in its own way, as it must all lists and records.
 * `says`: meanings that differ here, because several records share the field.
 */
export function recordOf<T extends object, const K extends keyof T & string = never>(
  { fields = {} }: Codec<T>,
  { without = [], says = {} }: { readonly without?: readonly K[]; readonly says?: { readonly [N in keyof T]?: string } } = {},
): new () => Omit<T, K | `${K}Raw`> {
  const texts = new Map<string, unknown>(Object.entries(says));
  const left = new Set<string>(without);
  const kept = Object.entries(fields).filter(([name]) => !left.has(name));
  return classWith(kept.map(([name, field]) => [name, field, String(texts.get(name) ?? field.doc)]));
}

/** Only these fields of a record of the contract. */
export function partOf<T extends object, const K extends keyof T & string>(
  { fields = {} }: Codec<T>,
  names: readonly K[],
): new () => Pick<T, K | (`${K}Raw` & keyof T)> {
  return classWith(names.map((name) => [name, fieldNamed(fields, name), fieldNamed(fields, name).doc]));
}

/** Fields of a record of the contract that the graph groups, by their names in the group. Descriptions add the exchange's names. */
export function groupOf<T extends object, const M extends Readonly<Record<string, keyof T & string>>>(
  { fields = {} }: Codec<T>,
  names: M,
): new () => { readonly [N in keyof M]: T[M[N]] } {
  return classWith(
    Object.entries(names).map(([own, name]) => {
      const field = fieldNamed(fields, name);
      const words = (field.keys ?? [name]).map((key) => `\`${key}\``).join(", ");
      return [own, field, `${field.doc} (${words})`];
    }),
  );
}

function fieldNamed(fields: FieldSet, name: string): ContractField<unknown> {
  const field = fields[name];
  if (field === undefined) throw new Error(`the contract has no field ${name}`);
  return field;
}

/** A class for types that share these fields: each of them declares them as its own. */
export function sharing<T>(fields: ReadonlyMap<string, PropertyDecorator>): new () => T {
  class Shared {}
  inherited.set(Shared, fields);
  return Shared as new () => T;
}

/** A class whose subclasses have these fields: each with its name in the graph and its description. */
const classWith = <T>(fields: readonly (readonly [string, ContractField<unknown>, string])[]): (new () => T) =>
  sharing(
    new Map(
      fields.map(([name, { kind, tokens, optional: nullable = false }, description]) => {
        if (tokens !== undefined) return [name, EnumField(() => enumOf(tokens), description, { nullable })];
        if (kind === undefined) throw new Error(`the type has to declare ${name}, a list or a record, itself`);
        return [name, Field(TYPES[kind], { description, nullable })];
      }),
    ),
  );
