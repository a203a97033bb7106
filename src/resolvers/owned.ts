import type { ExchangeAccount } from "../datasources/index.js";

/** A record and whose it is: what its global identifier and its joins need besides the record itself. */
export type Owned<R> = R & { readonly account: ExchangeAccount };

export const ownedBy = <R extends object>(account: ExchangeAccount, row: R): Owned<R> => ({ ...row, account });

const lists = new WeakMap<readonly object[], readonly Owned<object>[]>();

/**
 * The rows of one answer with their owner. Private answers are an account's own, and requests share them as long as
 * they are cached, so this is done once per answer.
 */
export function allOwnedBy<R extends object>(account: ExchangeAccount, rows: readonly R[]): readonly Owned<R>[] {
  const done = lists.get(rows) as readonly Owned<R>[] | undefined;
  if (done !== undefined) return done;
  const owned = rows.map((row) => ownedBy(account, row));
  lists.set(rows, owned);
  return owned;
}
