import { registerEnumType } from "type-graphql";

/** An enum of the graph: its value names, and the word behind each that the rest of the code uses. */
type EnumObject<T extends string> = Readonly<Record<string, T>>;

export type WordOf<E> = E extends EnumObject<infer T> ? T : never;

/** Stands for what the exchange says and nobody has listed yet. */
export const UNKNOWN = "UNKNOWN";

/** What an enum and each of its words means, and a name for every word whose own spelling does not make one. */
interface EnumTexts<T extends string> {
  readonly description: string;
  readonly meanings: Readonly<Record<T, string>>;
  readonly names?: Partial<Readonly<Record<T, string>>>;
}

/** `USDT-FUTURES`, `one_way_mode` and `cancel_receiveWindow` as names of enum values. */
const screamingSnake = (word: string): string =>
  word
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/\W/g, "_")
    .toUpperCase();

function register<T extends string>(
  name: string,
  description: string,
  values: ReadonlyMap<string, { readonly word: T; readonly meaning: string }>,
) {
  const enumObject: EnumObject<T> = Object.fromEntries([...values].map(([value, { word }]) => [value, word]));
  const valuesConfig = Object.fromEntries([...values].map(([value, { meaning }]) => [value, { description: meaning }]));
  registerEnumType(enumObject, { name, description, valuesConfig });
  return enumObject;
}

const listed = <T extends string>(words: readonly T[], { meanings, names = {} }: EnumTexts<T>) =>
  words.map((word) => [names[word] ?? screamingSnake(word), { word, meaning: meanings[word] }] as const);

/** An enum that is ours, or that clients alone say: what it lists is all there is. */
export const closedEnum = <const T extends string>(name: string, words: readonly T[], texts: EnumTexts<T>): EnumObject<T> =>
  register(name, texts.description, new Map(listed(words, texts)));

/** The enums that answers have, by the contract's list of their words. */
const answered = new Map<readonly string[], object>();

/** The enum of the words that the contract lists for a field. */
export function enumOf(words: readonly string[]): object {
  const found = answered.get(words);
  if (found === undefined) throw new Error(`no enum of the graph has the words ${words.join(", ")}`);
  return found;
}

/** An enum that the exchange answers with and may extend without notice: besides the listed words it has `UNKNOWN`. */
export function openEnum<const T extends string>(
  name: string,
  words: readonly T[],
  texts: EnumTexts<T>,
): EnumObject<T | typeof UNKNOWN> {
  const made = register<T | typeof UNKNOWN>(
    name,
    texts.description,
    new Map<string, { word: T | typeof UNKNOWN; meaning: string }>([
      ...listed(words, texts),
      [
        UNKNOWN,
        { word: UNKNOWN, meaning: "A value that this version does not know; the `Raw` field beside it has the exchange's text" },
      ],
    ]),
  );
  answered.set(words, made);
  return made;
}

/**
 * An enum of the exchange that clients say too: as `openEnum` for answers, and as `<name>Input` for arguments and inputs,
 * which lists what can be said and has no `UNKNOWN`.
 */
export const openEnumWithInput = <const T extends string>(name: string, words: readonly T[], texts: EnumTexts<T>) =>
  [
    openEnum(name, words, texts),
    closedEnum(`${name}Input`, words, {
      ...texts,
      description: `${texts.description}. For arguments and inputs: \`${name}\` without \`UNKNOWN\``,
    }),
  ] as const;
