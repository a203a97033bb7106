/**
 * Rows of a list that belong to one thing, such as an account, which is added to each row as a field. Iterating yields a copy of
 * each row with that field; code that needs only the row's own fields uses `plain`, without copies.
 */
export class ScopedRows<R extends object, S extends object> implements Iterable<(R & S) | Error> {
  readonly added: readonly string[];

  constructor(
    readonly plain: readonly (R | Error)[],
    private readonly scope: S,
  ) {
    this.added = Object.keys(scope);
  }

  *[Symbol.iterator](): Generator<(R & S) | Error, undefined> {
    // The added fields come first: a copy that begins with the record takes V8 three times as long.
    for (const row of this.plain) yield row instanceof Error ? row : { ...this.scope, ...row };
  }
}
