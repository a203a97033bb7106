import type { Feed } from "../graph/feed.js";
import type { Latest } from "../graph/latest.js";
import { useLatest } from "../graph/useLatest.js";

/**
 * Rows of an account that each event contains completely, while the component is mounted; undefined until they are known, and when
 * the gateway could not read them. Without an account there are none.
 */
export function useRows<Result, Variables extends object, Rows>(
  rowsOf: Latest<Result, Variables & { account?: string | null | undefined }, Rows>,
  account: string,
  variables: Variables,
): { readonly rows: NonNullable<Rows> | undefined; readonly feed: Feed } {
  const { value, feed } = useLatest(rowsOf, account === "" ? undefined : { ...variables, account });
  return { rows: value ?? undefined, feed };
}

/** One of the rows as it is now; null if it is no longer among them, undefined while they are not known. */
export const currentOf = <Row extends { readonly id: string }>(
  rows: readonly Row[] | undefined,
  id: string | undefined,
): Row | null | undefined => (rows === undefined || id === undefined ? undefined : (rows.find((row) => row.id === id) ?? null));
