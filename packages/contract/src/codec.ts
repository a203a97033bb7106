import type { WireError } from "./wireError.js";
import { isMissing, NOT_ABOVE_ZERO, readDecimal, readFlag, readInteger, readText, readTime, UNBOUNDED } from "./wireValues.js";

/**
 * Decoding: what the exchange sends on the left, what the graph says on the right.
 *
 * The exchange spells "no number" as empty text, sends numbers and booleans as text (or, in places, not), names one
 * field in two ways and adds enum values without notice. A codec turns one wire value into the graph's vocabulary,
 * once; behind it a missing number is `null`, a time is a number of milliseconds, a flag is a boolean, a list of rows
 * is never `null`, and an enum value is one that we know or `UNKNOWN` with the exchange's own text beside it.
 *
 * Empty text, `null` and a missing key are the same. A field is required only where its record could not be identified
 * without it; everything else is `null` where the exchange leaves it out, and never a figure that nobody has named.
 */

/**
 * Reads one wire value. Throws `WireError` when the value is not what the contract says.
 *
 * A list puts rows that it cannot read into `unread`, and the error in the row's place. Without `unread` one such row
 * fails the whole.
 */
export interface Codec<T> {
  decode(wire: unknown, unread?: WireError[]): T;
  /** The wire keys of every field, nested ones included, for a test that wants to see them all. */
  readonly fields?: FieldSet;
  /** Are there lists in it whose rows can fail alone? */
  readonly hasRows?: boolean;
}

/** What a field reads as: decimals and texts are text, times Unix ms. */
export type FieldKind = "decimal" | "text" | "integer" | "time" | "flag";

/** One field of a record: its codec, its meaning, and the wire keys it may stand under (the first is the usual one). */
export interface Field<T> extends Codec<T> {
  /** What it means, with its unit, and what else the exchange calls it. The graph shows this text. */
  readonly doc: string;
  /** What it reads as; absent on enum fields, and on lists and records within a record. */
  readonly kind?: FieldKind;
  /** Can it be null? */
  readonly optional?: true;
  readonly keys?: readonly string[];
  /** Present on enum fields: what the contract lists. */
  readonly tokens?: readonly string[];
  /** Does it identify the row within its list? */
  readonly isId?: boolean;
}

/** An enum field: besides its value the record carries the exchange's own text under `<name>Raw`. */
export interface TokenField<T extends string> extends Field<T | "UNKNOWN"> {
  readonly tokens: readonly T[];
}
/** An enum field that can be missing. */
export interface OptionalTokenField<T extends string> extends Field<T | "UNKNOWN" | null> {
  readonly tokens: readonly T[];
  readonly optional: true;
}

/** The fields of a record, by the names that they have in our code. */
export type FieldSet = Readonly<Record<string, Field<unknown>>>;

type RawText<F> = F extends { tokens: readonly string[]; optional: true } ? string | null : string;
/** What a record reads as: its fields, and the raw text beside each enum. */
export type RecordOf<S extends FieldSet> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never;
} & {
  readonly [K in keyof S & string as S[K] extends { tokens: readonly string[] } ? `${K}Raw` : never]: RawText<S[K]>;
};
/** What a codec reads as. */
export type Decoded<C> = C extends Codec<infer T> ? T : never;

export const orNull =
  <T>(read: (wire: unknown) => T) =>
  (wire: unknown): T | null =>
    isMissing(wire) ? null : read(wire);

/** Wire keys of a field; none where the record and the wire call it the same. */
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

/** Exact base-10 text. `keys` are the wire names where they differ from the record's. */
export const decimal = (doc: string, ...keys: Keys) => field("decimal", doc, keys, readDecimal);
/** A decimal that may be absent: empty text, `null` and a missing key are `null`. */
export const optionalDecimal = (doc: string, ...keys: Keys) => optionalField("decimal", doc, keys, orNull(readDecimal));
/** A decimal for which the exchange writes `-1` or `unlimited` when there is none: an upper bound. */
export const unboundedDecimal = (doc: string, ...keys: Keys) =>
  optionalField("decimal", doc, keys, (wire): string | null =>
    isMissing(wire) || UNBOUNDED.test(readText(wire)) ? null : readDecimal(wire),
  );
/** A price or size for which the exchange writes `0`, or less, when there is none. */
export const decimalAboveZero = (doc: string, ...keys: Keys) =>
  optionalField("decimal", doc, keys, (wire): string | null => {
    const value = isMissing(wire) ? null : readDecimal(wire);
    return value === null || NOT_ABOVE_ZERO.test(value) ? null : value;
  });
/** Text without which a record means nothing; a bare number (some ids) is read as its digits. */
export const text = (doc: string, ...keys: Keys) => field("text", doc, keys, readText);
/** The text that identifies a row within its list. */
export const id = (doc: string, ...keys: Keys): Field<string> => ({ ...text(doc, ...keys), isId: true });
/** Text that may be empty or absent. */
export const optionalText = (doc: string, ...keys: Keys) => optionalField("text", doc, keys, orNull(readText));
/** A whole number. */
export const integer = (doc: string, ...keys: Keys) => field("integer", doc, keys, readInteger);
export const optionalInteger = (doc: string, ...keys: Keys) => optionalField("integer", doc, keys, orNull(readInteger));
/** A point in time as Unix milliseconds. Seconds, which the exchange sends in places, are recognised by their size. */
export const time = (doc: string, ...keys: Keys) => field("time", doc, keys, readTime);
/** A time that may be absent; the exchange also writes `-1` for "not set". */
export const optionalTime = (doc: string, ...keys: Keys) =>
  optionalField("time", doc, keys, (wire): number | null =>
    isMissing(wire) || wire === "-1" || wire === -1 ? null : readTime(wire),
  );
/** A yes or no in any of the exchange's spellings: `yes`, `YES`, `on`, `true`, a JSON boolean. */
export const flag = (doc: string, ...keys: Keys) => field("flag", doc, keys, readFlag);
export const optionalFlag = (doc: string, ...keys: Keys) => optionalField("flag", doc, keys, orNull(readFlag));

/** How an enum field is spelt: other spellings of a value, keyed in lower case. Letter case never matters. */
type Spellings<T extends string> = Readonly<Record<string, T>>;

function tokenReader<T extends string>(tokens: readonly T[], spellings: Spellings<T> = {}): (wire: unknown) => T | "UNKNOWN" {
  const known = new Map<string, T>(Object.entries(spellings) as [string, T][]);
  for (const token of tokens) known.set(token.toLowerCase(), token);
  return (wire) => known.get(readText(wire).toLowerCase()) ?? "UNKNOWN";
}

/** An enum that the exchange owns: a listed value, or `UNKNOWN` with the raw text in `<name>Raw`. */
export const token = <const T extends string>(
  doc: string,
  tokens: readonly T[],
  spellings?: Spellings<T>,
  ...keys: Keys
): TokenField<T> => ({ doc, ...named(keys), decode: tokenReader(tokens, spellings), tokens });

/** An enum field that may be empty or absent. */
export const optionalToken = <const T extends string>(
  doc: string,
  tokens: readonly T[],
  spellings?: Spellings<T>,
  ...keys: Keys
): OptionalTokenField<T> => ({ doc, ...named(keys), decode: orNull(tokenReader(tokens, spellings)), tokens, optional: true });

/** The fields of a codec and whether it has rows, for one that is made of it. */
export const shapeOf = ({ fields, hasRows }: Codec<unknown>) => ({
  ...(fields === undefined ? {} : { fields }),
  ...(hasRows === true ? ({ hasRows } as const) : {}),
});

/** Reads with `codec`, then reshapes: where one API version's record becomes the other's vocabulary. */
export const mapped = <A, B>(codec: Codec<A>, reshape: (value: A) => B): Codec<B> => ({
  ...shapeOf(codec),
  decode: (wire, unread) => reshape(codec.decode(wire, unread)),
});

/** An object that may be missing altogether. */
export const optional = <T>(codec: Codec<T>): Codec<T | null> => ({
  ...shapeOf(codec),
  decode: (wire, unread) => (isMissing(wire) ? null : codec.decode(wire, unread)),
});

/** An answer that carries nothing: empty text, `null`, `true`, `"success"`, `{}` all mean "done". */
export const nothing: Codec<null> = { decode: () => null };
