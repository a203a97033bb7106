import { inCapitals } from "@exchange-graph/contract/letterCase";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { WireError } from "@exchange-graph/contract/wireError";
import DataLoader from "dataloader";
import { Fault } from "../fault.js";
import { unreadFault } from "../rows.js";
import { oncePerAnswer } from "./oncePerAnswer.js";

/** A list's rows by their symbol. */
export interface SymbolIndex<R> {
  /** In capitals: the exchange is not strict about letter case. */
  readonly rows: ReadonlyMap<string, Row<R>>;
  /** A row whose symbol could not be read: it may be any that is not found. */
  readonly unnamed: Row<R> | null;
}

/** Puts a list's rows under their symbols. */
export const symbolIndex = <R extends { readonly symbol: string }>() =>
  oncePerAnswer((list: readonly Row<R>[]): SymbolIndex<R> => {
    const rows = new Map<string, Row<R>>();
    let unnamed: Row<R> | null = null;
    for (const row of list) {
      const symbol = isRead(row) ? row.symbol : row.rowId;
      if (symbol === undefined) unnamed = row;
      else rows.set(inCapitals(symbol), row);
    }
    return { rows, unnamed };
  });

function readOr<R>(row: Row<R> | null): R | null {
  if (row instanceof WireError) throw unreadFault(row);
  return row;
}

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
  constructor(read: (category: C) => Promise<SymbolIndex<R>>) {
    const find = async ({ category, symbol }: Wanted<C>): Promise<R | null> => {
      const { rows, unnamed } = await read(category);
      return readOr(rows.get(inCapitals(symbol)) ?? unnamed);
    };
    this.#loader = new DataLoader<Wanted<C>, R | null, string>(
      (batch) => Promise.all(batch.map((wanted): Promise<R | null | Fault> => find(wanted).catch(asAnswer))),
      {
        cacheKeyFn: ({ category, symbol }) => `${category} ${inCapitals(symbol)}`,
      },
    );
  }

  /** The row of this symbol, or `null` where the list has none. Throws when the list, or the row, cannot be read. */
  load(category: C, symbol: string): Promise<R | null> {
    return this.#loader.load({ category, symbol });
  }
}

/** A batch answers each of its keys, with a failure where there is one. Anything but a fault is ours, and fails the batch. */
function asAnswer(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}
