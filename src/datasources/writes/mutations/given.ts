import { isObject } from "@exchange-graph/contract/json";

/** An input as its client has filled it in: what was left out and what was set to null are the same. */
export type Given<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]: Given<Exclude<T[K], null>> }
    : T;

/** Leaves out everything that is null. */
export function given<T extends object>(input: T): Given<T> {
  const kept = Object.entries(input).flatMap(([name, value]: [string, unknown]) =>
    value === null || value === undefined ? [] : [[name, isObject(value) ? given(value) : value]],
  );
  return Object.fromEntries(kept) as Given<T>;
}
