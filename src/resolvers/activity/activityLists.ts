import { callsAtMost, MAX_ITEMS } from "../../datasources/reads/index.js";
import type { ArgumentValues, CostContext } from "../../schema/cost.js";
import type { AccountMode } from "../../schema/enums/account.js";
import { ActivityKind, OF_SUB_ACCOUNTS } from "../../schema/enums/activity.js";
import { categoryNamed, type ProductCategoryInput } from "../../schema/enums/category.js";
import { bounded } from "../../schema/listLengths.js";
import { timeArgument } from "../fieldCosts.js";
import type { ActivityList, DividedList } from "./activityList.js";
import { EARN, fundLists, LOANS } from "./funds.js";
import { tradingLists } from "./trading.js";

type List = ActivityList | DividedList;
const listsOf = (mode: AccountMode): readonly List[] => [...tradingLists(mode), ...LOANS, ...EARN, ...fundLists(mode)];
const LISTS: Readonly<Record<AccountMode, readonly List[]>> = { UNIFIED: listsOf("UNIFIED"), CLASSIC: listsOf("CLASSIC") };

interface Filter {
  readonly kinds?: readonly ActivityKind[] | null | undefined;
  readonly categories?: readonly ProductCategoryInput[] | null | undefined;
  readonly symbols?: readonly string[] | null | undefined;
}

const DEFAULT_KINDS = Object.values(ActivityKind).filter((kind) => !OF_SUB_ACCOUNTS.includes(kind));

/** The lists that may have rows for the filter. */
export const listsFor = (mode: AccountMode, { kinds, categories, symbols }: Filter): readonly List[] =>
  LISTS[mode].filter(
    ({ kind, category, hasSymbols = false }) =>
      (kinds ?? DEFAULT_KINDS).includes(kind) &&
      (hasSymbols || ((categories ?? null) === null && (symbols ?? null) === null)) &&
      (category === undefined || (categories ?? [category]).includes(category)),
  );

const kindNames = new Map(Object.entries(ActivityKind));
const MODES: readonly AccountMode[] = ["UNIFIED", "CLASSIC"];
const enumsIn = <T>(argument: unknown, valueOf: (one: unknown) => T | undefined): readonly T[] | null =>
  Array.isArray(argument) ? argument.flatMap((one: unknown) => valueOf(one) ?? []) : null;

/** Maximum number of rows that are read of a filtered list, including rows that the filter leaves out. */
const FILTERED_ROWS = 500;

/** Whether rows of the list may be left out by the filter. */
export const isFiltered = (
  { category, hasSymbols = false }: Pick<ActivityList, "category" | "hasSymbols">,
  { categories, symbols }: Filter,
): boolean => hasSymbols && ((symbols ?? null) !== null || ((categories ?? null) !== null && category === undefined));

/** Each list is read as far as the page could need it. */
export function activityCalls(args: ArgumentValues, { mode, outlook }: CostContext): number {
  const first = bounded(args.first, 20, MAX_ITEMS) + 1;
  const filter = {
    kinds: enumsIn(args.kinds, (one) => kindNames.get(String(one))),
    categories: enumsIn(args.categories, categoryNamed),
    symbols: Array.isArray(args.symbols) ? args.symbols.map(String) : null,
  };
  const page = { first, hasCursor: true, from: timeArgument(args.from), to: timeArgument(args.to) };
  const ofMode = (one: AccountMode) =>
    listsFor(one, filter).reduce(
      (sum, list) =>
        sum +
        (list.pages === undefined
          ? 0
          : callsAtMost(
              list.pages,
              { ...page, ...(isFiltered(list, filter) && { first: FILTERED_ROWS }), category: list.category },
              one,
              outlook.now(),
            )),
      0,
    );
  return Math.max(...(mode === undefined ? MODES : [mode]).map(ofMode));
}
