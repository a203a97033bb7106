import { isObject, jsonIn } from "@exchange-graph/contract/json";

/** Decodes rows of a database without zod: the journal's thread uses this too, and loading zod would take most of its start. */

/** A row does not match its table: a later version of the gateway may have written it. */
export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow";
}

/** Decodes the value at `at` of a row. Throws `UnreadableRow` if it has another type. */
export type Read<T> = (value: unknown, at: string) => T;

export const text: Read<string> = (value, at) => (typeof value === "string" ? value : refuse(at, "text"));
export const integer: Read<number> = (value, at) =>
  typeof value === "number" && Number.isSafeInteger(value) ? value : refuse(at, "an integer");
export const flag: Read<boolean> = (value, at) => (typeof value === "boolean" ? value : refuse(at, "true or false"));
export const anything: Read<unknown> = (value) => value;

export const record: Read<Readonly<Record<string, unknown>>> = (value, at) => (isObject(value) ? value : refuse(at, "an object"));

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

export const json =
  <T>(read: Read<T>): Read<T> =>
  (value, at) => {
    const parsed = jsonIn(text(value, at));
    return parsed === undefined ? refuse(at, "JSON") : read(parsed, at);
  };

/** Decodes columns of a row, or fields of a record in it, by name. */
export function columns(row: unknown, at = ""): <T>(name: string, read: Read<T>) => T {
  const values = record(row, at || "the row");
  return (name, read) => read(values[name], at === "" ? name : `${at}.${name}`);
}

function refuse(at: string, wanted: string): never {
  throw new UnreadableRow(`${at} is not ${wanted}`);
}
