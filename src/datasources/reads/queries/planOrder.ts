import type { PlanOrder } from "@exchange-graph/contract/plan";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import { mapRows, type Row, rowsRead } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import {
  CLASSIC_PLAN_LISTS,
  type FuturesCategory,
  type ProductCategory,
  STRATEGY_TYPES,
  type StrategyType,
} from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { rowWhere } from "../../errors/index.js";
import { MAX_FIRST, rowsOf } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./categories.js";
import { pageOrNone, readPlanOrderHistory } from "./planOrders.js";

/** Identifies a trigger order: one of its two identifiers, and its category and symbol. */
interface PlanOrderKey {
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly orderId?: string | null | undefined;
  readonly clientOid?: string | null | undefined;
  /** The kind, if the order was just placed: then the other lists are not read. */
  readonly type?: StrategyType | undefined;
}

/** One trigger order, open or ended, or `null` if the exchange does not list it. */
export async function readPlanOrder(reads: Reads, account: ExchangeAccount, key: PlanOrderKey): Promise<PlanOrder | null> {
  const { orderId, clientOid } = key;
  const isIt = (plan: PlanOrder): boolean =>
    orderId === undefined || orderId === null ? plan.clientOid === clientOid : plan.orderId === orderId;
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const { category } = key;
  // Classic spot lists its trigger orders among its orders.
  if (!isUnified && !isFuturesCategory(category)) return null;
  const { waiting, past } =
    isUnified || !isFuturesCategory(category)
      ? unifiedLists(reads, account, key)
      : classicLists(reads, account, { ...key, category });
  const open = await waiting();
  const found = rowsRead(open).find(isIt);
  return found ?? rowWhere([...(await past()), ...open], isIt);
}

/** The lists of a Classic account that have a kind. */
const CLASSIC_LISTS_OF: Readonly<Record<StrategyType, readonly string[]>> = {
  tpsl: ["profit_loss"],
  trigger: ["normal_plan"],
  trailing_stop: ["track_plan", "profit_loss"],
  oco: [],
  iceberg: [],
  twap: [],
};

type Lists = { readonly [K in "waiting" | "past"]: () => Promise<readonly Row<PlanOrder>[]> };

/** An order that was just placed is on the first page of the history if it has already ended. */
const LATEST = 100;

/** The lists of a unified account have no filter by identifier: one page of the graph is searched in the history. */
const unifiedLists = (reads: Reads, account: ExchangeAccount, { category, type: only }: PlanOrderKey): Lists => ({
  async waiting() {
    const types = STRATEGY_TYPES.filter((type) => (only ?? type) === type);
    const none = { list: [], cursor: null };
    const answers = await Promise.all(
      types.map((type) => pageOrNone({ category, type }, reads.read(openPlanOrders, { category, type }, account), none)),
    );
    return answers.flatMap(({ list }) => list);
  },
  async past() {
    if (only !== undefined) return (await reads.read(planOrderHistory, { category, type: only, limit: LATEST }, account)).list;
    return rowsOf(await readPlanOrderHistory(reads, account, { category }, { first: MAX_FIRST }));
  },
});

function classicLists(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, orderId, clientOid, type }: PlanOrderKey & { readonly category: FuturesCategory },
): Lists {
  const kinds = CLASSIC_PLAN_LISTS.filter((kind) => (type === undefined ? true : CLASSIC_LISTS_OF[type].includes(kind)));
  const of = (endpoint: typeof classicOpenPlanOrders | typeof classicPlanOrderHistory) => async () => {
    const ids = orderId === undefined || orderId === null ? { clientOid: clientOid ?? undefined } : { orderId };
    const answers = await Promise.all(
      kinds.map((planType) => reads.read(endpoint, { productType: category, symbol, planType, ...ids }, account)),
    );
    return answers.flatMap(({ list }) => mapRows(list, (row) => withCategory(category, row)));
  };
  return { waiting: of(classicOpenPlanOrders), past: of(classicPlanOrderHistory) };
}
