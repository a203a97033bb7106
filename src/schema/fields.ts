import type { GraphQLScalarType } from "graphql";
import { Field, Int } from "type-graphql";
import { type Amount, Cost } from "./cost.js";
import { BigInt, DateTime, Decimal, Json } from "./scalars.js";
import { NullOnError } from "./semanticNonNull.js";

/** A field's decorator. `shows` is the type of the records' values, for the compiler only. */
export type Declared<T> = PropertyDecorator & { readonly shows?: T };

/** Declares fields of one kind, each with its description. */
export interface Kind<T> {
  (description: string): Declared<T>;
  withDefault(description: string, defaultValue: T): Declared<T>;
  /** Null if there is no value. */
  orNull(description: string): Declared<T | null>;
  /** Null, with an error, if the record has an error as its value. */
  orError(description: string): Declared<T | Error>;
  optional(description: string, defaultValue?: T): Declared<T | null | undefined>;
  /** The same kind for a deprecated field; the reason names what to use instead. */
  deprecated(reason: string): Kind<T>;
}

interface Options {
  readonly description: string;
  readonly nullable: boolean;
  readonly defaultValue: unknown;
  readonly deprecation: { readonly deprecationReason?: string };
}

/** Makes a kind from a function that declares a field with these options. */
function kindOf<T>(
  declare: (options: Options) => PropertyDecorator,
  deprecation: { readonly deprecationReason?: string } = {},
): Kind<T> {
  const as = (nullable: boolean) => (description: string, defaultValue?: T) =>
    declare({ description, nullable, defaultValue, deprecation });
  return Object.assign(as(false), {
    withDefault: as(false),
    orNull: as(true),
    orError: (description: string) => (prototype: object, name: string | symbol) => {
      as(true)(description)(prototype, name);
      NullOnError()(prototype, name);
    },
    optional: as(true),
    deprecated: (deprecationReason: string) => kindOf<T>(declare, { deprecationReason }),
  });
}

const scalar = <T>(type: object): Kind<T> =>
  kindOf(({ deprecation, ...options }) => Field(() => type, { ...options, ...deprecation }));

export const text = scalar<string>(String);
export const texts = scalar<readonly string[]>([String]);
export const decimal = scalar<string>(Decimal);
export const integer = scalar<number>(Int);
/** A counter that may pass the range of `integer`. */
export const count = scalar<number>(BigInt);
/** A JSON value, parsed. */
export const json = scalar<unknown>(Json);
export const flag = scalar<boolean>(Boolean);
/** A time, in Unix ms. */
export const time = scalar<number>(DateTime);

/** The values of records for an object type, an input or an enum. */
type ShownBy<G> =
  G extends GraphQLScalarType<infer Scalar, unknown>
    ? Scalar
    : G extends new () => infer Shown
      ? Shown
      : G extends Readonly<Record<string, infer Word>>
        ? Word
        : never;

/** A field of another type: an object type, an input or an enum. */
export const of = <G extends object>(type: G): Kind<ShownBy<G>> => scalar(type);

/** An argument with several values of another type. */
export const manyOf = <G extends object>(type: G): Kind<readonly ShownBy<G>[]> => scalar([type]);

/**
 * A field with an enum of the exchange. The exchange adds words without notice: the field can be `UNRECOGNIZED`, and a field
 * `<name>Raw` has the exchange's text.
 */
export const word = <G extends object>(type: G): Kind<ShownBy<G>> =>
  kindOf(({ description, nullable, deprecation }) => (prototype, name) => {
    Field(() => type, { description, nullable, ...deprecation })(prototype, name);
    Field(() => String, {
      description: `\`${String(name)}\` as the exchange sent it, for values that read \`UNRECOGNIZED\``,
      nullable,
      ...deprecation,
    })(prototype, `${String(name)}Raw`);
  });

/** A list, with its maximum number of rows for the cost. */
export const listOf = <G extends object>(type: G, rows: Amount): Kind<readonly ShownBy<G>[]> => list(type, rows, false);

/** A list of the exchange. A row that could not be decoded is null, with the reason in `errors`. */
export const partialListOf = <G extends object>(type: G, rows: Amount): Kind<readonly (ShownBy<G> | Error)[]> =>
  list(type, rows, true);

const list = <T>(type: object, rows: Amount, isPartial: boolean): Kind<T> =>
  kindOf(({ description, nullable, deprecation }) => (prototype, name) => {
    const partial = nullable ? "itemsAndList" : "items";
    Field(() => [type], { description, nullable: isPartial ? partial : nullable, ...deprecation })(prototype, name);
    Cost({ rows })(prototype, name);
  });
