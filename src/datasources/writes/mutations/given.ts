import { isObject } from "@exchange-graph/contract/json";

/** An input in which missing fields and nulls are the same. */
export type Given<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Given<Exclude<T[K], null>> }
    : T;

/** Removes all null fields. */
export function given<T extends object>(input: T): Given<T> {
  const kept = Object.entries(input).flatMap(([name, value]: [string, unknown]) =>
    value === null || value === undefined ? [] : [[name, isObject(value) ? given(value) : value]],
  );
  return Object.fromEntries(kept) as Given<T>;
}
