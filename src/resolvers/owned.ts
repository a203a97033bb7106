import { type ExchangeAccount, mapRows, type Row } from "../datasources/index.js";

/** A record and whose it is: what its global identifier and its joins need besides the record itself. */
export type Owned<R> = R & { readonly account: ExchangeAccount };

/** The account comes first: a copy that begins with the record takes the engine three times as long. */
export const ownedBy = <R extends object>(account: ExchangeAccount, row: R): Owned<R> => ({ account, ...row });

/** The same for every record. */
export const allOwnedBy = <R extends object>(account: ExchangeAccount, records: readonly R[]): readonly Owned<R>[] =>
  records.map((record) => ownedBy(account, record));

/** The same for every row of a list, as far as they could be read. */
export const rowsOwnedBy = <R extends object>(account: ExchangeAccount, rows: readonly Row<R>[]): readonly Row<Owned<R>>[] =>
  mapRows(rows, (row) => ownedBy(account, row));
