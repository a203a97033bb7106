import { registerEnumType } from "type-graphql";

/** An enum of the graph: value names, each with the word that the rest of the code uses. */
type EnumObject<T extends string> = Readonly<Record<string, T>>;

export type EnumValueOf<E> = E extends EnumObject<infer T> ? T : never;

/** The records' value for words of the exchange that the enum does not list. */
export const UNKNOWN = "UNKNOWN";
/** Its name in the graph, where `UNKNOWN` is the outcome of a write. */
export const UNRECOGNIZED = "UNRECOGNIZED";

/** The listed word that equals a stored text, or `UNKNOWN`. */
export const wordOf = <T extends string>(values: EnumObject<T | typeof UNKNOWN>, text: string): T | typeof UNKNOWN =>
  Object.values(values).find((word) => word === text) ?? UNKNOWN;

/** Meaning of each word of an enum. */
type Meanings<T extends string> = Readonly<Record<T, string>>;
/** Value names for words that cannot be converted to one. */
type Names<T extends string> = Partial<Readonly<Record<T, string>>>;

/** Converts a word such as `USDT-FUTURES`, `one_way_mode` or `cancel_receiveWindow` to the name of an enum value. */
export const screamingSnake = (word: string): string =>
  word
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/\W/g, "_")
    .toUpperCase();

/** The name of an enum value, with its word and its meaning. */
type Value<T extends string> = readonly [name: string, word: T, meaning: string];

function register<T extends string>(name: string, description: string, values: readonly Value<T>[]): EnumObject<T> {
  const enumObject = Object.fromEntries(values.map(([value, word]) => [value, word]));
  const valuesConfig = Object.fromEntries(values.map(([value, , meaning]) => [value, { description: meaning }]));
  registerEnumType(enumObject, { name, description, valuesConfig });
  return enumObject;
}

const listed = <T extends string>(values: readonly T[], meanings: Meanings<T>, names: Names<T> = {}) =>
  values.map((word): Value<T> => [names[word] ?? screamingSnake(word), word, meanings[word]]);

const UNLISTED: Value<typeof UNKNOWN> = [
  UNRECOGNIZED,
  UNKNOWN,
  "A value that this version does not recognize; the `Raw` field beside it has the exchange's text",
];

/** An enum of the gateway's own: its words, each with its meaning. */
export const ownEnum = <T extends string>(name: string, description: string, meanings: Meanings<T>): EnumObject<T> =>
  closedEnum(name, Object.keys(meanings) as T[], description, meanings);

/** An enum whose values are all listed, of words that only clients send. */
export const closedEnum = <const T extends string>(
  name: string,
  values: readonly T[],
  description: string,
  meanings: Meanings<T>,
  names?: Names<T>,
): EnumObject<T> => register(name, description, listed(values, meanings, names));

/** Enums of answers, by the contract's list of their words. */
const answered = new Map<readonly string[], object>();

/** The enum for a field whose words the contract lists. */
export function enumOf(values: readonly string[]): object {
  const found = answered.get(values);
  if (found === undefined) throw new Error(`no enum of the graph has the words ${values.join(", ")}`);
  return found;
}

/** An enum of the exchange's answers, which may get new words without notice: besides the listed words it has `UNRECOGNIZED`. */
export function openEnum<const T extends string>(
  name: string,
  values: readonly T[],
  description: string,
  meanings: Meanings<T>,
  names?: Names<T>,
): EnumObject<T | typeof UNKNOWN> {
  const made = register<T | typeof UNKNOWN>(name, description, [...listed(values, meanings, names), UNLISTED]);
  answered.set(values, made);
  return made;
}

/**
 * An enum of the exchange that clients send too: like `openEnum` for answers, and as `<name>Input`, without `UNRECOGNIZED`, for
 * arguments and inputs.
 */
export const openEnumWithInput = <const T extends string>(
  name: string,
  values: readonly T[],
  description: string,
  meanings: Meanings<T>,
  names?: Names<T>,
) => {
  const about = `${description}. For arguments and inputs: \`${name}\` without \`UNRECOGNIZED\``;
  return [
    openEnum(name, values, description, meanings, names),
    closedEnum(`${name}Input`, values, about, meanings, names),
  ] as const;
};
