import {
  callsAtMost,
  DEFAULT_FIRST,
  isCursorLike,
  MAX_FIRST,
  type PageCountArguments,
  type Pages,
} from "../datasources/reads/index.js";
import {
  type Amount,
  type ArgumentValues,
  type CostContext,
  type FieldCost,
  type KeptList,
  MARKET_LISTS,
  type MarketList,
} from "../schema/cost.js";
import { categoryNamed, FuturesCategoryInput } from "../schema/enums/category.js";
import { FinancialRecordCategoryInput } from "../schema/enums/financialRecord.js";
import { SpotOrderKindInput } from "../schema/enums/order.js";
import { PlanTypeInput } from "../schema/enums/plan.js";
import { bounded, marginCoins } from "../schema/listLengths.js";
import { batchSizeOf } from "../schema/mutations/orders.js";

/** Costs that several resolvers share, for `@Cost`. Costs of a single field are declared at the field. */

/** The exchange's maximum page size over all lists. */
export const PAGE = 100;

export const first = ({ first }: ArgumentValues): number => bounded(first, DEFAULT_FIRST, MAX_FIRST);

export const FUTURES: readonly FuturesCategoryInput[] = Object.values(FuturesCategoryInput);

/** A requested time, Unix ms: `NaN` if it is invalid, undefined without one. */
export function timeArgument(argument: unknown): number | undefined {
  if (argument === null || argument === undefined) return undefined;
  return typeof argument === "string" ? Date.parse(argument) : Number.NaN;
}

/** One call for a list, none if its answer is cached. */
export const unlessKept =
  (list: KeptList): Amount =>
  (_args, { outlook }) =>
    outlook.kept(list) === undefined ? 1 : 0;

const textOf = (argument: unknown): string | undefined => (typeof argument === "string" ? argument : undefined);

const spotOrderKinds = new Map(Object.entries(SpotOrderKindInput));
const planKinds = new Map(Object.entries(PlanTypeInput));
/** The requested kinds of trigger orders; undefined: all. */
const planKindsIn = (kinds: unknown): PageCountArguments["planKinds"] =>
  Array.isArray(kinds) ? kinds.flatMap((kind) => planKinds.get(String(kind)) ?? []) : undefined;
/** The categories of all lists: those of products, and one more. */
const recordCategories = new Map<string, string>(Object.entries(FinancialRecordCategoryInput));
/** The calls for a page; none if the cursor cannot be one of any list, because it is refused first. */
function pageCalls(pages: Pages, args: ArgumentValues, { mode, outlook }: CostContext): number {
  const { after, category, symbol, orderId, coin, tpslType } = args;
  if (typeof after === "string" && !isCursorLike(after)) return 0;
  return callsAtMost(
    pages,
    {
      first: first(args),
      hasCursor: after !== null && after !== undefined,
      from: timeArgument(args.from),
      to: timeArgument(args.to),
      category: recordCategories.get(String(category)),
      symbol: textOf(symbol),
      orderId: textOf(orderId),
      coin: textOf(coin),
      tpslType: spotOrderKinds.get(String(tpslType)),
      planKinds: planKindsIn(args.kinds),
    },
    mode,
    outlook.now(),
  );
}

export const paged = (pages: Pages): FieldCost => ({
  // Whether a page is refused does not depend on `kinds`: a list of no kinds is empty, not refused.
  refused: (args, place) => pageCalls(pages, { ...args, kinds: undefined }, place) === 0,
  calls: (args, place) => pageCalls(pages, args, place),
  rows: first,
});

/** A paged list of one category or of all. A symbol without a category is looked up in all categories first. */
export const pagedByCategory = (pages: Pages): FieldCost => ({
  ...paged(pages),
  lists: ({ category, symbol }) =>
    typeof category === "string" || typeof symbol !== "string" ? {} : { instruments: [undefined] },
});

/** Lists in which rows are looked up by their category, or by the requested one. */
export const joined = (...lists: readonly MarketList[]): FieldCost => ({
  lists: (args, place) => Object.fromEntries(lists.map((list) => [list, [categoryNamed(args.category) ?? place.category]])),
});
/** Tickers of margin pairs are selected by the list of instruments. */
export const tickerJoin: FieldCost = {
  lists(args, place) {
    const category = categoryNamed(args.category) ?? place.category;
    return { tickers: [category], instruments: category === undefined || category === "MARGIN" ? ["MARGIN"] : [] };
  },
};
export const instrumentJoin = joined("instruments");
/** Every coin is valued by its pair with USDT. */
export const usdtPrice: FieldCost = { lists: { tickers: ["SPOT"] } };

/** A list of accounts in this mode. For accounts in the other mode it is refused before anything is sent. */
export const only = (mode: NonNullable<CostContext["mode"]>, cost: FieldCost): FieldCost => ({
  calls: 1,
  ...cost,
  refused: (_args, place) => place.mode !== undefined && place.mode !== mode,
});

/** A list of each product type of futures: without one, those of the three that are no demo. */
export const PRODUCT_TYPE = {
  nullable: true,
  description: "Only this futures category, by the coin of the margin. Default: all but the demo ones, from one list each",
};
const productTypes = ({ productType }: ArgumentValues): number =>
  productType === null || productType === undefined ? FUTURES.length : 1;
export const ofProductTypes = {
  calls: productTypes,
  rows: (args, place) => productTypes(args) * marginCoins(args, place),
} satisfies FieldCost;

/** Lists that the rules of writes do not read. */
const NO_RULES: ReadonlySet<MarketList> = new Set(["chains", "loanTerms", "openInterests"]);

/** A write reads what its rules need, is sent, and is looked up if its answer is lost. */
export const WRITE = {
  calls: 12,
  lists: Object.fromEntries(MARKET_LISTS.filter((list) => !NO_RULES.has(list)).map((list) => [list, [undefined]])),
} satisfies FieldCost;
/** The same for several orders at once, each of which is sent and looked up. */
export const BATCH = { ...WRITE, calls: (args) => WRITE.calls - 2 + 2 * batchSizeOf(args) } satisfies FieldCost;
/** A cancel and a halt are never refused for their own calls, which are charged once they have ended. */
export const NEVER_REFUSED = { calls: 0 } satisfies FieldCost;
/** Looks an exit of a position up in the lists of open and ended ones. */
export const TRIGGER_LOOKUP = 2;
/** Looks a trigger order up in the lists of every kind. */
export const PLAN_LOOKUP = 12;

/** The settings of a symbol, and its rules. */
export const futuresSettings: FieldCost = {
  calls: (_args, { mode }) => (mode === "UNIFIED" ? 1 : 2),
  lists: ({ category }, { mode }) => (mode === "CLASSIC" ? {} : { instruments: [categoryNamed(category)] }),
};
