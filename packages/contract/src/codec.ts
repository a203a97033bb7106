import type { Finding } from "./wireError.js";
import {
  isMissing,
  NOT_ABOVE_ZERO,
  readDecimal,
  readFlag,
  readInteger,
  readPlaces,
  readText,
  readTime,
  UNBOUNDED,
} from "./wireValues.js";

/**
 * Decoding of the exchange's values.
 *
 * The exchange sends empty text for a missing number, numbers and booleans as text (or not), two names for one field, and new
 * enum values without notice. A codec decodes each value once: afterwards a missing number is `null`, a time is a number of
 * milliseconds, a flag is a boolean, a list of rows is never `null`, and an enum value is a known one, or `UNKNOWN` with the
 * exchange's own text in a second field.
 *
 * Empty text, `null` and a missing key are the same. A field is required only if its record could not be identified without it;
 * any other field is `null` if the exchange does not send it, or sends what cannot be read.
 */

/**
 * Reads one wire value. Throws `WireError` when the value is not what the contract says.
 *
 * `found` receives what could be read in part: a row of a list that could not be read, whose place the error takes; a field that
 * could not be read and may be missing, which is `null`; a value that the contract does not list. Without `found` an unread row
 * fails the whole.
 */
export interface Codec<T> {
  decode(wire: unknown, found?: Finding[]): T;
  /** The wire keys of all fields, including nested ones, for tests. */
  readonly fields?: FieldSet;
  /** Whether it contains lists whose rows can fail alone. */
  readonly hasRows?: boolean;
}

/** Types of fields: decimals and texts are text, times Unix ms. */
export type FieldKind = "decimal" | "text" | "integer" | "time" | "flag";

/** One field of a record: its codec, its meaning, and its possible wire keys (the first is the usual one). */
export interface Field<T> extends Codec<T> {
  /** Its meaning with the unit, and the exchange's other names for it. It is the field's description in the graph. */
  readonly doc: string;
  /** Its type; undefined for enum fields, and for lists and records within a record. */
  readonly kind?: FieldKind;
  /** Whether it can be null. */
  readonly optional?: true;
  /** Whether its record cannot be read without it, although it may be missing. */
  readonly needed?: true;
  readonly keys?: readonly string[];
  /** Present on enum fields: the values that the contract lists. */
  readonly tokens?: readonly string[];
  /** Whether it identifies the row within its list. */
  readonly isId?: boolean;
}

/** An enum field: besides its value the record has the exchange's own text under `<name>Raw`. */
export interface TokenField<T extends string> extends Field<T | "UNKNOWN"> {
  readonly tokens: readonly T[];
}
export interface OptionalTokenField<T extends string> extends Field<T | "UNKNOWN" | null> {
  readonly tokens: readonly T[];
  readonly optional: true;
}

export type FieldSet = Readonly<Record<string, Field<unknown>>>;

type RawText<F> = F extends { tokens: readonly string[]; optional: true } ? string | null : string;
/** The decoded record: its fields, and the original text of each enum. */
export type RecordOf<S extends FieldSet> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never;
} & {
  readonly [K in keyof S & string as S[K] extends { tokens: readonly string[] } ? `${K}Raw` : never]: RawText<S[K]>;
};
export type Decoded<C> = C extends Codec<infer T> ? T : never;

export const orNull =
  <T>(read: (wire: unknown) => T) =>
  (wire: unknown): T | null =>
    isMissing(wire) ? null : read(wire);

/** Wire keys of a field; none if the record and the wire have the same name for it. */
export type Keys = readonly string[];
export const named = (keys: Keys) => (keys.length === 0 ? {} : { keys });
const field = <T>(kind: FieldKind, doc: string, keys: Keys, decode: (wire: unknown) => T): Field<T> => ({
  doc,
  kind,
  ...named(keys),
  decode,
});
const optionalField = <T>(kind: FieldKind, doc: string, keys: Keys, decode: (wire: unknown) => T | null): Field<T | null> => ({
  ...field(kind, doc, keys, decode),
  optional: true,
});

/**
 * The same field, but if it is there and cannot be read, neither is its record: without it the record would mislead. These are
 * quantities and states of orders and positions, and terms whose `null` has a meaning, such as "no stop-loss".
 */
export const needed = <F extends Field<unknown>>(field: F): F => ({ ...field, needed: true });

/** Exact base-10 text. `keys` are the wire names where they differ from the record's. */
export const decimal = (doc: string, ...keys: Keys) => field("decimal", doc, keys, readDecimal);
/** A decimal that may be absent: empty text, `null` and a missing key are `null`. */
export const optionalDecimal = (doc: string, ...keys: Keys) => optionalField("decimal", doc, keys, orNull(readDecimal));
/**
 * A decimal for which the exchange writes `-1` or `unlimited` when there is none: an upper bound. It is needed, since `null` would
 * mean that there is none.
 */
export const unboundedDecimal = (doc: string, ...keys: Keys) =>
  needed(
    optionalField("decimal", doc, keys, (wire): string | null =>
      isMissing(wire) || UNBOUNDED.test(readText(wire)) ? null : readDecimal(wire),
    ),
  );
/** A price or size for which the exchange writes `0`, or less, when there is none. */
export const decimalAboveZero = (doc: string, ...keys: Keys) =>
  optionalField("decimal", doc, keys, (wire): string | null => {
    const value = isMissing(wire) ? null : readDecimal(wire);
    return value === null || NOT_ABOVE_ZERO.test(value) ? null : value;
  });
/** Required text; a bare number (some ids) is read as its digits. */
export const text = (doc: string, ...keys: Keys) => field("text", doc, keys, readText);
/** The text that identifies a row within its list. */
export const id = (doc: string, ...keys: Keys): Field<string> => ({ ...text(doc, ...keys), isId: true });
export const optionalText = (doc: string, ...keys: Keys) => optionalField("text", doc, keys, orNull(readText));
export const integer = (doc: string, ...keys: Keys) => field("integer", doc, keys, readInteger);
export const optionalInteger = (doc: string, ...keys: Keys) => optionalField("integer", doc, keys, orNull(readInteger));
/** A number of decimals. A larger one would be computed with, digit by digit. */
export const optionalPlaces = (doc: string, ...keys: Keys) => optionalField("integer", doc, keys, orNull(readPlaces));
/** A point in time as Unix milliseconds. Seconds, which the exchange sends in places, are recognised by their size. */
export const time = (doc: string, ...keys: Keys) => field("time", doc, keys, readTime);
/** A time that may be absent; the exchange also writes `-1` for "not set". */
export const optionalTime = (doc: string, ...keys: Keys) =>
  optionalField("time", doc, keys, (wire): number | null =>
    isMissing(wire) || wire === "-1" || wire === -1 ? null : readTime(wire),
  );
/** A boolean in any of the exchange's forms: `yes`, `YES`, `on`, `true`, a JSON boolean. */
export const flag = (doc: string, ...keys: Keys) => field("flag", doc, keys, readFlag);
export const optionalFlag = (doc: string, ...keys: Keys) => optionalField("flag", doc, keys, orNull(readFlag));

/** Other wire names of an enum's values, in lower case. Letter case never matters. */
type WireNames<T extends string> = Readonly<Record<string, T>>;

function tokenReader<T extends string>(tokens: readonly T[], wireNames: WireNames<T> = {}): (wire: unknown) => T | "UNKNOWN" {
  const values = new Map<string, T>(Object.entries(wireNames) as [string, T][]);
  for (const token of tokens) values.set(token.toLowerCase(), token);
  return (wire) => values.get(readText(wire).toLowerCase()) ?? "UNKNOWN";
}

/** An enum of the exchange: a listed value, or `UNKNOWN` with the raw text in `<name>Raw`. */
export const token = <const T extends string>(
  doc: string,
  tokens: readonly T[],
  wireNames?: WireNames<T>,
  ...keys: Keys
): TokenField<T> => ({ doc, ...named(keys), decode: tokenReader(tokens, wireNames), tokens });

export const optionalToken = <const T extends string>(
  doc: string,
  tokens: readonly T[],
  wireNames?: WireNames<T>,
  ...keys: Keys
): OptionalTokenField<T> => ({ doc, ...named(keys), decode: orNull(tokenReader(tokens, wireNames)), tokens, optional: true });

/** The fields of a codec and whether it has rows, for a codec that is built on it. */
export const shapeOf = ({ fields, hasRows }: Codec<unknown>) => ({
  ...(fields === undefined ? {} : { fields }),
  ...(hasRows === true ? ({ hasRows } as const) : {}),
});

/** The fields of records that are read from one object. A field of the same name may have other wire keys in each. */
export const joinedFields = (...codecs: readonly Codec<unknown>[]): FieldSet =>
  Object.fromEntries(
    codecs.flatMap(({ fields = {} }, at) =>
      Object.entries(fields).map(([name, field]) => [
        at === 0 ? name : `${at}.${name}`,
        { ...field, keys: field.keys ?? [name] },
      ]),
    ),
  );

/** A record of which nothing is known: each field is null, and so is the text of each enum. */
export const unknownRecord = <T>({ fields = {} }: Codec<T>): { readonly [K in keyof T]: null } =>
  Object.fromEntries(
    Object.entries(fields)
      .flatMap(([name, { tokens }]) => (tokens === undefined ? [name] : [name, `${name}Raw`]))
      .map((name) => [name, null]),
  ) as { readonly [K in keyof T]: null };

/**
 * Decodes with `codec`, then converts the value: for records of one API version that are converted to the vocabulary of the
 * other.
 */
export const mapped = <A, B>(codec: Codec<A>, reshape: (value: A) => B): Codec<B> => ({
  ...shapeOf(codec),
  decode: (wire, found) => reshape(codec.decode(wire, found)),
});

/** The same field with its value converted, unless it is null. */
export const converted = <T>(field: Field<T | null>, convert: (value: T) => T): Field<T | null> => ({
  ...field,
  decode(wire) {
    const value = field.decode(wire);
    return value === null ? null : convert(value);
  },
});

/** An object that may be missing. */
export const optional = <T>(codec: Codec<T>): Codec<T | null> => ({
  ...shapeOf(codec),
  decode: (wire, found) => (isMissing(wire) ? null : codec.decode(wire, found)),
});

/** An answer without content: empty text, `null`, `true`, `"success"` and `{}` all mean success. */
export const nothing: Codec<null> = { decode: () => null };
