import type { ExchangeAccount, Row } from "../datasources/index.js";
import { ScopedRows } from "../schema/scopedRows.js";

/** A record and whose it is: what its global identifier and its joins need besides the record itself. */
export type AccountScoped<R> = R & { readonly account: ExchangeAccount };

/** The account comes first: a copy that begins with the record takes the engine three times as long. */
export const withAccount = <R extends object>(account: ExchangeAccount, row: R): AccountScoped<R> => ({ account, ...row });

/** The same for every record. */
export const allOwnedBy = <R extends object>(account: ExchangeAccount, records: readonly R[]): readonly AccountScoped<R>[] =>
  records.map((record) => withAccount(account, record));

/** The same for every row of a list, as far as they could be read: copied where what is shown of them needs that. */
export const rowsWithAccount = <R extends object>(
  account: ExchangeAccount,
  rows: readonly Row<R>[],
): Iterable<AccountScoped<R> | Error> => new ScopedRows<R, { readonly account: ExchangeAccount }>(rows, { account });
