import { isObject, type JsonObject } from "./json.js";
import type { Row } from "./rows.js";
import { WireError } from "./wireError.js";
import { isMissing, NOT_ABOVE_ZERO, readDecimal, readFlag, readInteger, readText, readTime, UNBOUNDED } from "./wireValues.js";

/**
 * The border: what the exchange sends on the left, what the graph says on the right.
 *
 * The exchange spells "no number" as empty text, sends numbers and booleans as text (or, in places, not), names one
 * field in two ways and adds enum values without notice. A codec turns one wire value into the graph's vocabulary,
 * once; behind it a missing number is `null`, a time is a number of milliseconds, a flag is a boolean, a list of rows
 * is never `null`, and an enum value is one that we know or `UNKNOWN` with the exchange's own text beside it.
 *
 * Empty text, `null` and a missing key are the same. A field is required only where its record could not be told apart
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
  /** Does it tell the row apart from the others of its list? */
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
type RecordOf<S extends FieldSet> = {
  readonly [K in keyof S]: S[K] extends Field<infer T> ? T : never;
} & {
  readonly [K in keyof S & string as S[K] extends { tokens: readonly string[] } ? `${K}Raw` : never]: RawText<S[K]>;
};
/** What a codec reads as. */
export type Decoded<C> = C extends Codec<infer T> ? T : never;

const orNull =
  <T>(read: (wire: unknown) => T) =>
  (wire: unknown): T | null =>
    isMissing(wire) ? null : read(wire);

type Keys = readonly string[];
const named = (keys: Keys) => (keys.length === 0 ? {} : { keys });
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
/** The text that tells a row apart from the others of its list. */
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

/** What a list of rows needs to know of them. */
const rowIdOf = ({ fields = {} }: Codec<unknown>): ((wire: unknown) => string | undefined) => {
  const [name, { keys = [name ?? ""] } = {}] = Object.entries(fields).find(([, { isId }]) => isId === true) ?? [];
  if (name === undefined) return () => undefined;
  return (wire) => {
    const value = isObject(wire) ? firstPresent(wire, keys) : undefined;
    return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
  };
};

const firstPresent = (wire: JsonObject, keys: Keys): unknown => {
  for (const key of keys) if (!isMissing(wire[key])) return wire[key];
  return undefined;
};

const fieldsOf = ({ fields }: Codec<unknown>) => (fields === undefined ? {} : { fields });

/** Errors that were found in a part of what is read: they are further away than the part itself says. */
function placeWithin(unread: readonly WireError[], from: number, step: string | number): void {
  for (let at = from; at < unread.length; at++) unread[at]?.within(step);
}

/** A list of rows, each of which stands or fails alone; `null`, empty text and a missing key are the empty list. */
export function listOf<T>(item: Codec<T>): Codec<readonly Row<T>[]> {
  const rowId = rowIdOf(item);
  return {
    ...fieldsOf(item),
    hasRows: true,
    decode(wire, unread) {
      if (isMissing(wire)) return [];
      if (!Array.isArray(wire)) throw new WireError("a list");
      const items: Row<T>[] = [];
      for (let at = 0; at < wire.length; at++) {
        const known = unread === undefined ? 0 : unread.length;
        try {
          items.push(item.decode(wire[at], unread));
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          error.within(at);
          if (unread === undefined) throw error;
          error.rowId = rowId(wire[at]);
          // What else could not be read in it is lost with it.
          unread.length = known;
          unread.push(error);
          items.push(error);
          continue;
        }
        if (unread !== undefined && unread.length > known) placeWithin(unread, known, at);
      }
      return items;
    },
  };
}

/** A list that means something as a whole alone, such as one side of a book: one item that cannot be read fails it. */
export const strictListOf = <T>(item: Codec<T>): Codec<readonly T[]> => ({
  ...fieldsOf(item),
  decode(wire) {
    if (isMissing(wire)) return [];
    if (!Array.isArray(wire)) throw new WireError("a list");
    const items: T[] = [];
    for (let at = 0; at < wire.length; at++) {
      try {
        items.push(item.decode(wire[at]));
      } catch (error) {
        throw error instanceof WireError ? error.within(at) : error;
      }
    }
    return items;
  },
});

/** A list of rows as a field of a record. */
export const list = <T>(doc: string, item: Codec<T>, ...keys: Keys): Field<readonly Row<T>[]> => ({
  ...listOf(item),
  doc,
  ...named(keys),
});

/** A list that means something as a whole alone, as a field of a record. */
export const strictList = <T>(doc: string, item: Codec<T>, ...keys: Keys): Field<readonly T[]> => ({
  ...strictListOf(item),
  doc,
  ...named(keys),
});

/** A record inside a record. */
export const nested = <T>(doc: string, inner: Codec<T>, ...keys: Keys): Field<T> => ({
  doc,
  ...fieldsOf(inner),
  ...(inner.hasRows === true ? { hasRows: true } : {}),
  ...named(keys),
  decode: (wire, unread) => inner.decode(wire, unread),
});

/** A list of texts. */
export const texts = (doc: string, ...keys: Keys): Field<readonly string[]> => strictList(doc, { decode: readText }, ...keys);
/** A list of texts that may be absent. */
export const optionalTexts = (doc: string, ...keys: Keys): Field<readonly string[] | null> => ({
  doc,
  ...named(keys),
  decode: orNull(strictListOf({ decode: readText }).decode),
});

/** A codec whose fields can be taken up again: by name, so that another record may spell them otherwise. */
export interface RecordCodec<S extends FieldSet> extends Codec<RecordOf<S>> {
  readonly fields: S;
}

/** What a record's decoding needs of a field, in order. */
const planOf = (fields: FieldSet) =>
  Object.entries(fields).map(([name, { keys, decode, tokens, hasRows = false }]) => {
    const [key = name, ...others] = keys ?? [];
    return { name, key, others, decode, hasRows, raw: tokens === undefined ? undefined : `${name}Raw` };
  });

type Step = ReturnType<typeof planOf>[number];

/**
 * The decoding of a record as one function with a line for each field: a loop over fields sees all kinds of fields at one
 * place, and takes twice the time. Nothing but names of the contract goes into its text.
 */
function readerOf(plan: readonly Step[]): (wire: JsonObject, unread: WireError[] | undefined) => unknown {
  const lines = plan.map(({ key, others, hasRows, raw }, at) => {
    const value = `wire[${JSON.stringify(key)}]`;
    return [
      `at = ${at};`,
      `const wire${at} = ${others.length === 0 ? value : `isMissing(${value}) ? firstPresent(wire, plan[${at}].others) : ${value}`};`,
      hasRows ? `const field${at} = withRows(plan[${at}], wire${at}, unread);` : `const field${at} = decode${at}(wire${at});`,
      raw === undefined ? "" : `const raw${at} = isMissing(wire${at}) ? null : readText(wire${at});`,
    ].join("\n");
  });
  const fields = plan.flatMap(({ name, raw }, at) => [
    `${JSON.stringify(name)}: field${at}`,
    ...(raw === undefined ? [] : [`${JSON.stringify(raw)}: raw${at}`]),
  ]);
  const make = new Function(
    ...["plan", "isMissing", "firstPresent", "readText", "withRows", "located"],
    `"use strict";
    ${plan.map((_, at) => `const decode${at} = plan[${at}].decode;`).join("\n")}
    return (wire, unread) => {
      let at = 0;
      try {
        ${lines.join("\n")}
        return { ${fields.join(", ")} };
      } catch (error) {
        throw located(error, plan[at].key);
      }
    };`,
  );
  return make(plan, isMissing, firstPresent, readText, withRows, located);
}

/** A field with rows that can fail alone. */
function withRows({ key, decode }: Step, value: unknown, unread: WireError[] | undefined): unknown {
  const known = unread === undefined ? 0 : unread.length;
  const read = decode(value, unread);
  if (unread !== undefined) placeWithin(unread, known, key);
  return read;
}

const located = (error: unknown, key: string): unknown => (error instanceof WireError ? error.within(key) : error);

/** A JSON object with the given fields. Keys that the contract does not name are left behind. */
export function record<const S extends FieldSet>(fields: S): RecordCodec<S> {
  const plan = planOf(fields);
  let read: ReturnType<typeof readerOf> | undefined;
  return {
    fields,
    ...(plan.some(({ hasRows }) => hasRows) ? { hasRows: true } : {}),
    decode(wire, unread) {
      if (!isObject(wire)) throw new WireError("an object");
      // Made when it is first needed: a start needs none.
      read ??= readerOf(plan);
      return read(wire, unread) as RecordOf<S>;
    },
  };
}

/** The same fields under other wire keys: how the other API version spells a record. */
export const withWireKeys = <const S extends FieldSet>(
  fields: S,
  spelling: { readonly [K in keyof S]?: readonly string[] },
): S => {
  const keysOf: Readonly<Record<string, readonly string[] | undefined>> = spelling;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, keysOf[name] === undefined ? field : { ...field, keys: keysOf[name] }]),
  ) as unknown as S;
};

/** Reads with `codec`, then reshapes: where one API version's record becomes the other's vocabulary. */
export const mapped = <A, B>(codec: Codec<A>, reshape: (value: A) => B): Codec<B> => ({
  ...fieldsOf(codec),
  ...(codec.hasRows === true ? { hasRows: true } : {}),
  decode: (wire, unread) => reshape(codec.decode(wire, unread)),
});

/** An object that may be missing altogether. */
export const optional = <T>(codec: Codec<T>): Codec<T | null> => ({
  ...fieldsOf(codec),
  ...(codec.hasRows === true ? { hasRows: true } : {}),
  decode: (wire, unread) => (isMissing(wire) ? null : codec.decode(wire, unread)),
});

/** A fixed row such as a candle or a book level: positions become named fields. */
export function row<const S extends FieldSet>(fields: S): RecordCodec<S> {
  const plan = planOf(fields);
  return {
    fields,
    decode(wire) {
      if (!Array.isArray(wire)) throw new WireError("a row");
      const result: Record<string, unknown> = {};
      for (let at = 0; at < plan.length; at++) {
        const step = plan[at];
        if (step === undefined) continue;
        try {
          result[step.name] = step.decode(wire[at]);
        } catch (error) {
          throw error instanceof WireError ? error.within(step.name) : error;
        }
      }
      return result as RecordOf<S>;
    },
  };
}

/** An answer that carries nothing: empty text, `null`, `true`, `"success"`, `{}` all mean "done". */
export const nothing: Codec<null> = { decode: () => null };
