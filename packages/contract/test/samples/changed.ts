import { readFileSync } from "node:fs";

/** Path of a value in JSON. */
type Place = readonly (string | number)[];

/** Reads a file of samples: one of them per line. */
export const samplesIn = <S>(name: string): readonly S[] =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Every key in a sample; of a list those of its first row, of a row of bare values each position. */
export function* placesIn(value: unknown, path: Place = []): Generator<Place> {
  if (Array.isArray(value)) {
    const [first] = value;
    if (typeof first === "object" && first !== null) yield* placesIn(first, [...path, 0]);
    else if (typeof path.at(-1) === "number" || path.length === 0) for (const at of value.keys()) yield [...path, at];
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [...path, key];
    yield* placesIn(inner, [...path, key]);
  }
}

/** Whether the value at a place is neither an object nor a list. */
export const isLeaf = (value: unknown, path: Place): boolean => {
  const at = path.reduce<unknown>((inner, step) => (inner as Readonly<Record<string | number, unknown>>)[step], value);
  return typeof at !== "object" || at === null;
};

/** The sample with another value at a place; without the key where there is none. */
export function withValue(value: unknown, [step, ...rest]: Place, to: unknown): unknown {
  if (step === undefined) return to;
  if (Array.isArray(value)) return value.map((item, at) => (at === step ? withValue(item, rest, to) : item));
  const { [step]: inner, ...others } = value as Readonly<Record<string | number, unknown>>;
  return rest.length === 0 && to === undefined ? others : { ...others, [step]: withValue(inner, rest, to) };
}

/** A place as an error names it. */
export const placeText = (path: Place): string =>
  path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
