import { inCapitals } from "@exchange-graph/contract/letterCase";
import { isRead, type Row } from "@exchange-graph/contract/rows";
import { WireError } from "@exchange-graph/contract/wireError";
import { unreadFault } from "../../errors/index.js";
import { oncePerAnswer } from "./keptLists.js";

interface Named {
  readonly symbol: string;
}

/** A list's rows by symbol. */
export interface SymbolIndex<R> {
  /** Keys in capitals: the exchange is inconsistent about letter case. */
  readonly rows: ReadonlyMap<string, Row<R>>;
  /** A row whose symbol could not be decoded: it may be any symbol that is not found. */
  readonly unnamed: Row<R> | null;
}

const indexOf = oncePerAnswer((list: readonly Row<Named>[]): SymbolIndex<Named> => {
  const rows = new Map<string, Row<Named>>();
  let unnamed: Row<Named> | null = null;
  for (const row of list) {
    const symbol = isRead(row) ? row.symbol : row.rowId;
    if (symbol === undefined) unnamed = row;
    else rows.set(inCapitals(symbol), row);
  }
  return { rows, unnamed };
});

/** Indexes a list's rows by symbol, once per answer. */
// The index has the rows of this list, and no others.
export const symbolIndex = <R extends Named>(list: readonly Row<R>[]) => indexOf(list) as SymbolIndex<R>;

/** Rows of lists by category and symbol, for one request. A list is one call, where fifty symbols would be fifty. */
export class SymbolLoader<C extends string, R extends Named> {
  readonly #lists = new Map<C, Promise<SymbolIndex<R>>>();

  /** `read` returns a category's list. */
  constructor(private readonly read: (category: C) => Promise<readonly Row<R>[]>) {}

  /** The row of a symbol, or `null` if the list has none. Throws if the list or the row cannot be read. */
  async load(category: C, symbol: string): Promise<R | null> {
    const list = this.#lists.get(category) ?? this.read(category).then((rows) => symbolIndex(rows));
    this.#lists.set(category, list);
    const { rows, unnamed } = await list;
    const row = rows.get(inCapitals(symbol)) ?? unnamed;
    if (row instanceof WireError) throw unreadFault(row);
    return row;
  }
}
