import type { ExchangeAccount } from "../datasources/index.js";

/** A record and whose it is: what its global identifier and its joins need besides the record itself. */
export type Owned<R> = R & { readonly account: ExchangeAccount };

export const ownedBy = <R extends object>(account: ExchangeAccount, row: R): Owned<R> => ({ ...row, account });

interface List {
  readonly account: ExchangeAccount;
  readonly rows: readonly unknown[];
}

/** Lists that were marked before, by what was read: requests share an answer as long as it is cached. */
const marked = new WeakMap<readonly unknown[], List>();

export function allOwnedBy<R extends object>(account: ExchangeAccount, rows: readonly R[]): readonly Owned<R>[] {
  const known = marked.get(rows);
  // Made of these very rows, for this very account.
  if (known?.account === account) return known.rows as readonly Owned<R>[];
  const owned = rows.map((row) => ownedBy(account, row));
  marked.set(rows, { account, rows: owned });
  return owned;
}
