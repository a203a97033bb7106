import "reflect-metadata";
import type { Codec, Field as ContractField, FieldKind, FieldSet } from "@exchange-graph/contract/codec";
import { ArgsType, Extensions, InputType, InterfaceType, ObjectType } from "type-graphql";
import { enumOf } from "./enums/exchangeEnum.js";
import "./enums/index.js";
import { type Declared, decimal, flag, integer, type Kind, text, time, word } from "./fields.js";

/**
 * An object type. Its fields are properties of the record and need no resolvers; fields that are read or computed are field
 * resolvers in `src/resolvers`. The name is the class's, unless `options` has one. `lasting` marks reference data, which is
 * cached and appears unchanged in many answers.
 */
export const RecordType =
  (
    description: string,
    {
      name,
      lasting = false,
      ...options
    }: {
      readonly name?: string;
      readonly lasting?: boolean;
      readonly implements?: (abstract new () => object) | (abstract new () => object)[];
    } = {},
  ): ClassDecorator =>
  (target) => {
    ObjectType(name ?? target.name, { ...options, description, simpleResolvers: true })(target);
    if (lasting) Extensions({ lasting })(target);
    declareFields(target);
  };

/** A type made by type-graphql's decorator, with the inherited fields. */
const declaring =
  (decoratorOf: (name: string) => ClassDecorator): ClassDecorator =>
  (target) => {
    decoratorOf(target.name)(target);
    declareFields(target);
  };

/** An interface type, named after the class. */
export const Interface = (description: string) => declaring((name) => InterfaceType(name, { description }));

/** An input type, named after the class. */
export const Input = (description: string) => declaring((name) => InputType(name, { description }));

/** Names of the input types of which exactly one field must be given. */
export const ONE_OF_INPUTS = new Set<string>();

/** An input type, named after the class, of which exactly one field must be given (`@oneOf`). */
export const OneOfInput = (description: string) =>
  declaring((name) => {
    ONE_OF_INPUTS.add(name);
    return InputType(name, { description });
  });

export const Arguments = () => declaring(() => ArgsType());

/** Declares the inherited fields of a type as its own, from its base classes up to the next type. */
function declareFields(target: Parameters<ClassDecorator>[0]): void {
  for (let at: unknown = Object.getPrototypeOf(target); typeof at === "function"; at = Object.getPrototypeOf(at)) {
    const fields = inherited.get(at);
    if (fields === undefined) return;
    for (const [field, declare] of Object.entries(fields)) declare(target.prototype, field);
  }
}

/** GraphQL types of the contract's field kinds. */
const KINDS: Readonly<Record<FieldKind, Kind<unknown>>> = { decimal, text, integer, time, flag };

/** Inherited fields, by the class that types extend. */
const inherited = new WeakMap<object, Readonly<Record<string, PropertyDecorator>>>();

/**
 * The fields of a record of the contract, for the type that extends it: type, nullability and description come from the contract.
 * `without`: fields that are not in the graph, or that the type declares itself, as it must for lists and records. `descriptions`: other
 * descriptions, for fields that several records share.
 */
export function recordOf<T extends object, const K extends keyof T & string = never>(
  { fields = {} }: Codec<T>,
  {
    without = [],
    descriptions = {},
  }: { readonly without?: readonly K[]; readonly descriptions?: { readonly [N in keyof T]?: string } } = {},
): new () => Omit<T, K | `${K}Raw`> {
  const texts = new Map<string, unknown>(Object.entries(descriptions));
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

/**
 * Fields of a record of the contract that the graph groups, by their names in the group. Descriptions include the exchange's
 * names.
 */
export function groupOf<T extends object, const M extends Readonly<Record<string, keyof T & string>>>(
  { fields = {} }: Codec<T>,
  names: M,
): new () => { readonly [N in keyof M]: T[M[N]] } {
  return classWith(
    Object.entries(names).map(([own, name]) => {
      const field = fieldNamed(fields, name);
      const wireNames = (field.keys ?? [name]).map((key) => `\`${key}\``).join(", ");
      return [own, field, `${field.doc} (${wireNames})`];
    }),
  );
}

function fieldNamed(fields: FieldSet, name: string): ContractField<unknown> {
  const field = fields[name];
  if (field === undefined) throw new Error(`the contract has no field ${name}`);
  return field;
}

type FieldTable = Readonly<Record<string, Declared<unknown>>>;
type Fields<F> = {
  readonly [N in keyof F as undefined extends ValueOf<F[N]> ? never : N]: ValueOf<F[N]>;
} & { readonly [N in keyof F as undefined extends ValueOf<F[N]> ? N : never]?: Exclude<ValueOf<F[N]>, undefined> };
type ValueOf<D> = D extends Declared<infer T> ? T : never;

/** A base class for types that share these fields: each subclass declares them as its own. */
export const fieldsOf = <const F extends FieldTable>(fields: F): (new () => Fields<F>) => extended(Object, fields);

/** Like `fieldsOf`, in addition to the fields of another class. */
export function extended<B extends object, const F extends FieldTable>(base: new () => B, fields: F): new () => B & Fields<F> {
  const Shared = class extends (base as new () => object) {};
  inherited.set(Shared, fields);
  return Shared as new () => B & Fields<F>;
}

/** A base class whose subclasses have these fields: contract name, field and description. */
const classWith = <T>(fields: readonly (readonly [string, ContractField<unknown>, string])[]): (new () => T) =>
  fieldsOf(
    Object.fromEntries(
      fields.map(([name, { kind, tokens, optional = false }, description]) => {
        const declared = tokens === undefined ? kind && KINDS[kind] : word(enumOf(tokens));
        if (declared === undefined) throw new Error(`the type has to declare ${name}, a list or a record, itself`);
        return [name, optional ? declared.orNull(description) : declared(description)];
      }),
    ),
  ) as new () => T;
