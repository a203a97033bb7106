import { inCapitals } from "@exchange-graph/contract/letterCase";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { WireError } from "@exchange-graph/contract/wireError";
import DataLoader from "dataloader";
import { type Fault, faultIn, unreadFault } from "../../errors/index.js";
import { oncePerAnswer } from "./keptLists.js";

/** A list's rows by symbol. */
export interface SymbolIndex<R> {
  /** Keys in capitals: the exchange is inconsistent about letter case. */
  readonly rows: ReadonlyMap<string, Row<R>>;
  /** A row whose symbol could not be decoded: it may be any symbol that is not found. */
  readonly unnamed: Row<R> | null;
}

/** Indexes a list's rows by symbol. */
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
 * Loads rows for one request by category and symbol. A batch reads the whole list of each category, which the request keeps: a
 * list is one call, where fifty symbols would be fifty.
 */
export class SymbolLoader<C extends string, R> {
  readonly #loader: DataLoader<Wanted<C>, R | null, string>;

  /** `read` returns a category's list; reading it again within the request takes no call. */
  constructor(read: (category: C) => Promise<SymbolIndex<R>>) {
    const find = async ({ category, symbol }: Wanted<C>): Promise<R | null> => {
      const { rows, unnamed } = await read(category);
      return readOr(rows.get(inCapitals(symbol)) ?? unnamed);
    };
    // A fault is the result of each key of a batch. Any other error is internal and fails the batch.
    this.#loader = new DataLoader<Wanted<C>, R | null, string>(
      (batch) => Promise.all(batch.map((wanted): Promise<R | null | Fault> => find(wanted).catch(faultIn))),
      {
        cacheKeyFn: ({ category, symbol }) => `${category} ${inCapitals(symbol)}`,
      },
    );
  }

  /** The row of a symbol, or `null` if the list has none. Throws if the list or the row cannot be read. */
  load(category: C, symbol: string): Promise<R | null> {
    return this.#loader.load({ category, symbol });
  }
}
