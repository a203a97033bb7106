import type { PlanOrder } from "@exchange-graph/contract/plan";
import {
  classicOpenPlanOrders,
  classicPlanOrderHistory,
  openPlanOrders,
  planOrderHistory,
} from "@exchange-graph/contract/planReads";
import { mapRows, type Row, rowsRead } from "@exchange-graph/contract/rows";
import { withCategory } from "@exchange-graph/contract/trading";
import { type FuturesCategory, STRATEGY_TYPES } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { MAX_FIRST } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { rowWhere } from "../rows.js";
import { CLASSIC_KINDS, readPlanOrderHistory } from "./planOrders.js";

/** What finds a trigger order: one of its two identifiers, and where to look. */
interface PlanOrderKey {
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly orderId?: string | null | undefined;
  readonly clientOid?: string | null | undefined;
  /** Is it a take-profit, a stop-loss or a trailing stop that has just been placed? Then the other lists need not be read. */
  readonly isExit?: boolean;
}

/**
 * One trigger order, or `null` when the exchange lists none: among those that wait, or else among those that do not wait
 * any more.
 */
export async function readPlanOrder(reads: Reads, account: ExchangeAccount, key: PlanOrderKey): Promise<PlanOrder | null> {
  const { orderId, clientOid } = key;
  const isIt = (plan: PlanOrder): boolean =>
    orderId === undefined || orderId === null ? plan.clientOid === clientOid : plan.orderId === orderId;
  const lists = (await reads.modeOf(account)) === "UNIFIED" ? unifiedLists : classicLists;
  const { waiting, past } = lists(reads, account, key);
  const open = await waiting();
  const found = rowsRead(open).find(isIt);
  return found ?? rowWhere([...(await past()), ...open], isIt);
}

type Lists = { readonly [K in "waiting" | "past"]: () => Promise<readonly Row<PlanOrder>[]> };

/** What was placed a moment ago is on the first page of the history, if it waits no longer. */
const LATEST = 100;

/** A unified account's lists know no identifiers: the history is looked through as far as one page of the graph goes. */
const unifiedLists = (reads: Reads, account: ExchangeAccount, { category, isExit = false }: PlanOrderKey): Lists => ({
  async waiting() {
    const types = STRATEGY_TYPES.filter((type) => !isExit || type === "tpsl");
    const answers = await Promise.all(types.map((type) => reads.read(openPlanOrders, { category, type }, account)));
    return answers.flatMap(({ list }) => list);
  },
  async past() {
    if (isExit) return (await reads.read(planOrderHistory, { category, type: "tpsl", limit: LATEST }, account)).list;
    const { rows } = await readPlanOrderHistory(reads, account, { category }, { first: MAX_FIRST });
    return rows.map(({ row }) => row);
  },
});

function classicLists(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, orderId, clientOid, isExit = false }: PlanOrderKey,
): Lists {
  const kinds = CLASSIC_KINDS.filter((kind) => !isExit || kind === "profit_loss");
  const of = (endpoint: typeof classicOpenPlanOrders | typeof classicPlanOrderHistory) => async () => {
    const ids = orderId === undefined || orderId === null ? { clientOid: clientOid ?? undefined } : { orderId };
    const answers = await Promise.all(
      kinds.map((planType) => reads.read(endpoint, { productType: category, symbol, planType, ...ids }, account)),
    );
    return answers.flatMap(({ list }) => mapRows(list, (row) => withCategory(category, row)));
  };
  return { waiting: of(classicOpenPlanOrders), past: of(classicPlanOrderHistory) };
}
