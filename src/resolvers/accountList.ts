import type { ExchangeAccount, RequestReads } from "../datasources/index.js";
import { categoriesAsked, type Pages, type Reads, type Slice, type SliceArguments } from "../datasources/reads/index.js";
import type { FieldCost } from "../schema/cost.js";
import type { AccountMode } from "../schema/enums/account.js";
import type { ProductCategoryInput } from "../schema/enums/category.js";
import type { Declared } from "../schema/fields.js";
import { extended, type Fields, type FieldTable } from "../schema/record.js";
import { withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import { paged, pagedByCategory } from "./fieldCosts.js";
import { accountField, type GraphField } from "./fieldTable.js";
import { HistoryArguments, type PageArguments, partial } from "./pageArguments.js";

/** A list as queries declare it: what a page costs, and how it is read. */
interface ReadList<V, W, R = RequestReads> {
  readonly pages: Pages;
  /** Default: by `pages`. */
  readonly cost?: FieldCost;
  readonly read: (
    reads: R,
    account: ExchangeAccount,
    values: V,
    asked: SliceArguments & Pick<HistoryArguments, "from" | "to">,
  ) => Promise<Slice<W>>;
}

interface AccountList<F extends FieldTable, W> {
  readonly description: string;
  /** The arguments that select rows. A cursor has their values, in this order. */
  readonly filter?: F;
  /** Default: `HistoryArguments`. */
  readonly page?: new () => PageArguments;
  /** A row in the graph's words. Default: the row with its account. */
  readonly node?: (account: ExchangeAccount, row: W) => object;
}
type Aged<V, W> =
  | { readonly list: ReadList<V, W>; readonly maxAgeMs?: undefined }
  | { readonly list: ReadList<V, W, Reads>; readonly maxAgeMs: Declared<number | null | undefined> };

/** A field for a list of an account in pages, newest first. A page shows what can be read, and says what cannot. */
export function accountList<W extends object, F extends FieldTable = Record<never, never>>(
  type: new () => object,
  { description, filter, page = HistoryArguments, node = withAccount, ...read }: AccountList<F, W> & Aged<Fields<F>, W>,
): GraphField {
  const { list, maxAgeMs } = read;
  const names = Object.keys(filter ?? {});
  return accountField(type, {
    description,
    cost: list.cost ?? paged(list.pages),
    args: extended(page, { ...filter, ...(maxAgeMs && { maxAgeMs }) }),
    resolve: async (account: ExchangeAccount, { reads }, args) => {
      const given = new Map<string, unknown>(Object.entries(args));
      const values = Object.fromEntries(names.map((name) => [name, given.get(name)])) as Fields<F>;
      const slice =
        read.maxAgeMs === undefined
          ? await read.list.read(reads, account, values, partial(args))
          : await read.list.read(reads.within(args.maxAgeMs), account, values, partial(args));
      return connectionFrom(slice, args.after, (row) => node(account, row));
    },
  });
}

/** The filter of a list with a category: one, or else all that list the symbol. */
interface InCategory<C> {
  readonly category?: C | null | undefined;
  readonly symbol?: string | null | undefined;
}

/** A list of one category, or of all that have the symbol: of those that `ofMode` names. */
export const inCategories = <C extends ProductCategoryInput, V extends InCategory<C>, W>(
  pages: Pages,
  read: ReadList<Omit<V, "category"> & { readonly category: C | readonly C[] }, W>["read"],
  ofMode: (mode: AccountMode) => readonly C[],
): ReadList<V, W> => ({
  pages,
  cost: pagedByCategory(pages),
  read: async (reads, account, { category, ...filter }, asked) =>
    read(reads, account, { category: category ?? (await categoriesAsked(reads, account, filter, ofMode)), ...filter }, asked),
});
