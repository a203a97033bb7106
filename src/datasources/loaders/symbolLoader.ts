import { oncePerAnswer } from "../queries/oncePerAnswer.js";

/** Rows by their symbol in capitals: the exchange is not strict about letter case. */
export const symbolIndex = <R extends { readonly symbol: string }>() =>
  oncePerAnswer((rows: readonly R[]): ReadonlyMap<string, R> => new Map(rows.map((row) => [row.symbol.toUpperCase(), row])));

/**
 * Finds rows of one request by category and symbol. It reads a category's whole list, once: a list is one call of the
 * rate budget, whoever else reads it, where fifty symbols would be fifty.
 */
export class SymbolLoader<C extends string, R> {
  readonly #lists = new Map<C, Promise<ReadonlyMap<string, R>>>();

  constructor(private readonly read: (category: C) => Promise<ReadonlyMap<string, R>>) {}

  /** The row of this symbol, or `null` where the list has none. Throws `Fault` when the list cannot be read. */
  async load(category: C, symbol: string): Promise<R | null> {
    return (await this.#list(category)).get(symbol.toUpperCase()) ?? null;
  }

  #list(category: C): Promise<ReadonlyMap<string, R>> {
    const known = this.#lists.get(category);
    if (known !== undefined) return known;
    const list = this.read(category);
    this.#lists.set(category, list);
    return list;
  }
}
