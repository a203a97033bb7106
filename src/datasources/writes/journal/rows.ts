/**
 * Reads what a database gives. Not with zod: the thread that has the journal's file reads rows too, and loading zod would be
 * most of what its start takes.
 */

/** What stands in a row is not what its table holds: a later version of the gateway may have written it. */
export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow";
}

/** Gives a value that stands at `at` of a row. Throws `UnreadableRow` when it is of another kind. */
export type Read<T> = (value: unknown, at: string) => T;

export const text: Read<string> = (value, at) => (typeof value === "string" ? value : refuse(at, "text"));
export const integer: Read<number> = (value, at) =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : refuse(at, "an integer");
export const flag: Read<boolean> = (value, at) => (typeof value === "boolean" ? value : refuse(at, "true or false"));
export const anything: Read<unknown> = (value) => value;

export const record: Read<Readonly<Record<string, unknown>>> = (value, at) => (isRecord(value) ? value : refuse(at, "an object"));

export const oneOf =
  <T extends string>(values: readonly T[]): Read<T> =>
  (value, at) =>
    values.find((one) => one === value) ?? refuse(at, `one of ${values.join(", ")}`);

export const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value, at) =>
    value === null ? null : read(value, at);

export const orAbsent =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, at) =>
    value === undefined ? undefined : read(value, at);

/** A text of JSON. */
export const json =
  <T>(read: Read<T>): Read<T> =>
  (value, at) => {
    const written = text(value, at);
    let parsed: unknown;
    try {
      parsed = JSON.parse(written);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return refuse(at, "JSON");
    }
    return read(parsed, at);
  };

/** Reads the columns of a row, or the fields of a record in it, by their names. */
export function columns(row: unknown, at = ""): <T>(name: string, read: Read<T>) => T {
  const values = record(row, at || "the row");
  return (name, read) => read(values[name], at === "" ? name : `${at}.${name}`);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function refuse(at: string, wanted: string): never {
  throw new UnreadableRow(`${at} is not ${wanted}`);
}
