import { isObject } from "./json.js";

/**
 * The border: what the exchange sends on the left, what the graph says on the right.
 *
 * The exchange spells "no number" as empty text, sends numbers and booleans as text (or, in places, not), names one
 * field in two ways and adds enum values without notice. A codec turns one wire value into the graph's vocabulary,
 * once; behind it a missing number is `null`, a time is a number of milliseconds, a flag is a boolean, a list is
 * never `null`, and an enum value is one that we know or `UNKNOWN` with the exchange's own text beside it.
 */

/** A payload that breaks the contract. The message names the place and the expected type, never the value. */
export class WireError extends Error {
  override readonly name = "WireError";
  #path = "";

  constructor(readonly expected: string) {
    super(`data: expected ${expected}`);
  }

  /** Puts the place one level up in front: the path grows while the error travels outwards. */
  within(step: string | number): this {
    this.#path = (typeof step === "number" ? `[${step}]` : `.${step}`) + this.#path;
    this.message = `data${this.#path}: expected ${this.expected}`;
    return this;
  }
}

/** Reads one wire value. Throws `WireError` when the value is not what the contract says. */
export interface Codec<T> {
  decode(wire: unknown): T;
  /** The wire keys of every field, nested ones included, for a test that wants to see them all. */
  readonly fields?: FieldSet;
}

/** One field of a record: its codec, its meaning, and the wire keys it may stand under (the first is the usual one). */
export interface Field<T> extends Codec<T> {
  readonly doc: string;
  readonly keys?: readonly string[];
  /** Present on enum fields: what the contract lists. */
  readonly tokens?: readonly string[];
}

/** An enum field: besides its value the record carries the exchange's own text under `<name>Raw`. */
interface TokenField<T extends string> extends Field<T | "UNKNOWN"> {
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

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const EXPONENT = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/;
const UNBOUNDED = /^(?:-1(?:\.0*)?|unlimited)$/i;
const NOT_ABOVE_ZERO = /^-|^0+(?:\.0+)?$/;
const isMissing = (wire: unknown): wire is undefined | null | "" => wire === undefined || wire === null || wire === "";

/** Moves the point of a number in exponent notation, digit by digit, so that nothing is rounded. */
function withoutExponent(text: string): string | undefined {
  const match = EXPONENT.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const shift = Number.parseInt(exponent, 10);
  if (Math.abs(shift) > 100) return undefined;
  const digits = `${"0".repeat(Math.max(0, 1 - shift - whole.length))}${whole}${fraction}`;
  const point = digits.length - fraction.length + shift;
  const padded = digits.padEnd(point, "0");
  const left = padded.slice(0, point).replace(/^0+(?=\d)/, "") || "0";
  const right = padded.slice(point);
  return `${sign}${left}${right === "" ? "" : `.${right}`}`;
}

function readDecimal(wire: unknown): string {
  if (typeof wire === "string" && DECIMAL.test(wire)) return wire;
  const text = typeof wire === "number" ? String(wire) : wire;
  const plain = typeof text === "string" ? (DECIMAL.test(text) ? text : withoutExponent(text)) : undefined;
  if (plain === undefined) throw new WireError("a decimal number");
  return plain;
}

function readText(wire: unknown): string {
  if (typeof wire === "string") return wire;
  if (typeof wire === "number" || typeof wire === "bigint") return String(wire);
  throw new WireError("text");
}

function readInteger(wire: unknown): number {
  const value = typeof wire === "string" && /^-?\d+$/.test(wire) ? Number.parseInt(wire, 10) : wire;
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new WireError("a whole number");
  return value;
}

/** A Unix time below this many units is in seconds: as milliseconds it would lie before March 1973. */
const SECONDS_BELOW = 100_000_000_000;

function readTime(wire: unknown): number {
  const value = readInteger(wire);
  if (value < 0) throw new WireError("a Unix time");
  return value !== 0 && value < SECONDS_BELOW ? value * 1000 : value;
}

const FLAGS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ yes: true, no: false, true: true, false: false, on: true, off: false }),
);

function readFlag(wire: unknown): boolean {
  if (typeof wire === "boolean") return wire;
  const flag = typeof wire === "string" ? FLAGS.get(wire.toLowerCase()) : undefined;
  if (flag === undefined) throw new WireError("yes or no");
  return flag;
}

const orNull =
  <T>(read: (wire: unknown) => T) =>
  (wire: unknown): T | null =>
    isMissing(wire) ? null : read(wire);

type Keys = readonly string[];
const field = <T>(doc: string, keys: Keys, decode: (wire: unknown) => T): Field<T> =>
  keys.length === 0 ? { doc, decode } : { doc, keys, decode };

/** Exact base-10 text. `keys` are the wire names where they differ from the record's. */
export const decimal = (doc: string, ...keys: Keys) => field(doc, keys, readDecimal);
/** A decimal that may be absent: empty text, `null` and a missing key are `null`. */
export const optionalDecimal = (doc: string, ...keys: Keys) => field(doc, keys, orNull(readDecimal));
/** A decimal for which the exchange writes `-1` or `unlimited` when there is none: an upper bound. */
export const unboundedDecimal = (doc: string, ...keys: Keys) =>
  field(doc, keys, (wire): string | null => (isMissing(wire) || UNBOUNDED.test(readText(wire)) ? null : readDecimal(wire)));
/** A price or size for which the exchange writes `0`, or less, when there is none. */
export const decimalAboveZero = (doc: string, ...keys: Keys) =>
  field(doc, keys, (wire): string | null => {
    const value = isMissing(wire) ? null : readDecimal(wire);
    return value === null || NOT_ABOVE_ZERO.test(value) ? null : value;
  });
/** A running total, which the exchange leaves empty as long as there is nothing to add. */
export const decimalOrZero = (doc: string, ...keys: Keys) =>
  field(doc, keys, (wire) => (isMissing(wire) ? "0" : readDecimal(wire)));
/** Text that is always there; a bare number (some ids) is read as its digits. */
export const text = (doc: string, ...keys: Keys) => field(doc, keys, readText);
/** Text that may be empty or absent. */
export const optionalText = (doc: string, ...keys: Keys) => field(doc, keys, orNull(readText));
/** A whole number. */
export const integer = (doc: string, ...keys: Keys) => field(doc, keys, readInteger);
export const optionalInteger = (doc: string, ...keys: Keys) => field(doc, keys, orNull(readInteger));
/** A point in time as Unix milliseconds. Seconds, which the exchange sends in places, are recognised by their size. */
export const time = (doc: string, ...keys: Keys) => field(doc, keys, readTime);
/** A time that may be absent; the exchange also writes `-1` for "not set". */
export const optionalTime = (doc: string, ...keys: Keys) =>
  field(doc, keys, (wire): number | null => (isMissing(wire) || wire === "-1" || wire === -1 ? null : readTime(wire)));
/** A yes or no in any of the exchange's spellings: `yes`, `YES`, `on`, `true`, a JSON boolean. */
export const flag = (doc: string, ...keys: Keys) => field(doc, keys, readFlag);
export const optionalFlag = (doc: string, ...keys: Keys) => field(doc, keys, orNull(readFlag));

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
): TokenField<T> => ({ ...field(doc, keys, tokenReader(tokens, spellings)), tokens });

/** An enum field that may be empty or absent. */
export const optionalToken = <const T extends string>(
  doc: string,
  tokens: readonly T[],
  spellings?: Spellings<T>,
  ...keys: Keys
): OptionalTokenField<T> => ({ ...field(doc, keys, orNull(tokenReader(tokens, spellings))), tokens, optional: true });

/** A list of anything; `null`, empty text and a missing key are the empty list. */
export const listOf = <T>(item: Codec<T>): Codec<readonly T[]> => ({
  ...(item.fields === undefined ? {} : { fields: item.fields }),
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

/** A list as a field of a record. */
export const list = <T>(doc: string, item: Codec<T>, ...keys: Keys): Field<readonly T[]> => ({
  ...listOf(item),
  doc,
  ...(keys.length === 0 ? {} : { keys }),
});

/** A record inside a record. */
export const nested = <T>(doc: string, inner: Codec<T>, ...keys: Keys): Field<T> => ({
  doc,
  decode: (wire) => inner.decode(wire),
  ...(inner.fields === undefined ? {} : { fields: inner.fields }),
  ...(keys.length === 0 ? {} : { keys }),
});

/** A list of texts. */
export const texts = (doc: string, ...keys: Keys): Field<readonly string[]> => list(doc, { decode: readText }, ...keys);

/** A codec whose fields can be taken up again: by name, so that another record may spell them otherwise. */
interface RecordCodec<S extends FieldSet> extends Codec<RecordOf<S>> {
  readonly fields: S;
}

/** A JSON object with the given fields. Keys that the contract does not name are left behind. */
export function record<const S extends FieldSet>(fields: S): RecordCodec<S> {
  const plan = Object.entries(fields).map(([name, { keys, decode, tokens }]) => {
    const [key = name, ...others] = keys ?? [];
    return { name, key, others, decode, raw: tokens === undefined ? undefined : `${name}Raw` };
  });
  return {
    fields,
    decode(wire) {
      if (!isObject(wire)) throw new WireError("an object");
      const result: Record<string, unknown> = {};
      for (const { name, key, others, decode, raw } of plan) {
        let value = wire[key];
        for (const other of others) value ??= wire[other];
        try {
          result[name] = decode(value);
        } catch (error) {
          throw error instanceof WireError ? error.within(key) : error;
        }
        if (raw !== undefined) result[raw] = isMissing(value) ? null : readText(value);
      }
      return result as RecordOf<S>;
    },
  };
}

/** The same fields under other wire keys: how the other generation spells a record. */
export const respelt = <const S extends FieldSet>(fields: S, spelling: { readonly [K in keyof S]?: readonly string[] }): S => {
  const keysOf: Readonly<Record<string, readonly string[] | undefined>> = spelling;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, keysOf[name] === undefined ? field : { ...field, keys: keysOf[name] }]),
  ) as unknown as S;
};

/** Reads with `codec`, then reshapes: where one generation's record becomes the other's vocabulary. */
export const mapped = <A, B>(codec: Codec<A>, reshape: (value: A) => B): Codec<B> => ({
  ...(codec.fields === undefined ? {} : { fields: codec.fields }),
  decode: (wire) => reshape(codec.decode(wire)),
});

/** An object that may be missing altogether. */
export const optional = <T>(codec: Codec<T>): Codec<T | null> => ({
  ...(codec.fields === undefined ? {} : { fields: codec.fields }),
  decode: (wire) => (isMissing(wire) ? null : codec.decode(wire)),
});

/** A fixed row such as a candle or a book level: positions become named fields. */
export function row<const S extends FieldSet>(fields: S): RecordCodec<S> {
  const names = Object.keys(fields);
  const inner = record(fields);
  return {
    fields,
    decode(wire) {
      if (!Array.isArray(wire)) throw new WireError("a row");
      return inner.decode(Object.fromEntries(names.map((name, at) => [name, wire[at]])));
    },
  };
}

/** An answer that carries nothing: empty text, `null`, `true`, `"success"`, `{}` all mean "done". */
export const nothing: Codec<null> = { decode: () => null };
