import DataLoader from "dataloader";
import { inCapitals } from "../../contract/letterCase.js";
import { Fault } from "../fault.js";
import { oncePerAnswer } from "../queries/oncePerAnswer.js";

/** Rows by their symbol in capitals: the exchange is not strict about letter case. */
export const symbolIndex = <R extends { readonly symbol: string }>() =>
  oncePerAnswer((rows: readonly R[]): ReadonlyMap<string, R> => new Map(rows.map((row) => [inCapitals(row.symbol), row])));

interface Wanted<C extends string> {
  readonly category: C;
  readonly symbol: string;
}

/**
 * Finds rows of one request by category and symbol. A batch reads each category's whole list, and the request keeps
 * it: a list is one call of the rate budget, whoever else reads it, where fifty symbols would be fifty.
 */
export class SymbolLoader<C extends string, R> {
  readonly #loader: DataLoader<Wanted<C>, R | null, string>;

  /** `read` gives a category's list; reading it again within the request costs nothing. */
  constructor(read: (category: C) => Promise<ReadonlyMap<string, R>>) {
    const find = async ({ category, symbol }: Wanted<C>): Promise<R | null> =>
      (await read(category)).get(inCapitals(symbol)) ?? null;
    this.#loader = new DataLoader<Wanted<C>, R | null, string>(
      (batch) => Promise.all(batch.map((wanted): Promise<R | null | Fault> => find(wanted).catch(asAnswer))),
      {
        cacheKeyFn: ({ category, symbol }) => `${category} ${inCapitals(symbol)}`,
      },
    );
  }

  /** The row of this symbol, or `null` where the list has none. Throws `Fault` when the list cannot be read. */
  load(category: C, symbol: string): Promise<R | null> {
    return this.#loader.load({ category, symbol });
  }
}

/** A batch answers each of its keys, with a failure where there is one. Anything but a fault is ours, and fails the batch. */
function asAnswer(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}
