import { type ExchangeAccount, isRead, type Row } from "../datasources/index.js";
import { ScopedRows } from "../schema/scopedRows.js";

/** A record with its account, which its global identifier and its joins need. */
export type AccountScoped<R> = R & { readonly account: ExchangeAccount };

/** The same without its resolved fields. */
export type Of<T> = AccountScoped<Omit<T, "account" | "id">>;

/** The account comes first: a copy that begins with the record takes V8 three times as long. */
export const withAccount = <R extends object>(account: ExchangeAccount, row: R): AccountScoped<R> => ({ account, ...row });

/** The same for a record that may not exist. */
export const foundWithAccount = <R extends object>(
  account: ExchangeAccount,
  record: R | null | undefined,
): AccountScoped<R> | null => (record === null || record === undefined ? null : withAccount(account, record));

/** The same for rows of a list: for those that belong to something, and for those that could not be decoded. */
export const ownedRows = <R extends object>(
  account: ExchangeAccount,
  rows: readonly Row<R>[],
  isMeant: (row: R) => boolean = () => true,
): readonly Row<AccountScoped<R>>[] =>
  rows.filter((row) => !isRead(row) || isMeant(row)).map((row) => (isRead(row) ? withAccount(account, row) : row));

/** The same for several records. */
export const allOwnedBy = <R extends object>(account: ExchangeAccount, records: readonly R[]): readonly AccountScoped<R>[] =>
  records.map((record) => withAccount(account, record));

/** The same for the rows of a list that could be decoded; they are copied only if needed. */
export const rowsWithAccount = <R extends object>(
  account: ExchangeAccount,
  rows: readonly Row<R>[],
): Iterable<AccountScoped<R> | Error> => new ScopedRows<R, { readonly account: ExchangeAccount }>(rows, { account });
