import { unknownRecord } from "@exchange-graph/contract/codec";
import { type PlanOrder, type SubOrder, subOrder } from "@exchange-graph/contract/plan";
import { classicPlanSubOrders, strategySubOrders } from "@exchange-graph/contract/planReads";
import { isRead, mapRows, type Row } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import { identityUnder } from "../paging/cursor.js";
import { MAX_FIRST, type Slice, sliceTokenPaged } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./categories.js";
import { newestFirst, type Pages } from "./pageCounts.js";
import { type HistoryArguments, latestQuery } from "./pagedQuery.js";

export type { SubOrder } from "@exchange-graph/contract/plan";

export const subOrderPages: Pages = (mode) => newestFirst(mode === "UNIFIED" ? strategySubOrders : classicPlanSubOrders);

const rowKey = ({ subOrderId }: SubOrder): string => subOrderId;

/** The fields of a trigger order by which its orders are found. */
export type Placing = Pick<PlanOrder, "orderId" | "category" | "symbol" | "planType" | "executeOrderId">;

/** The orders that a trigger order has placed, newest first. */
export async function readSubOrders(
  reads: Reads,
  account: ExchangeAccount,
  plan: Placing,
  args: HistoryArguments,
): Promise<Slice<SubOrder>> {
  const { orderId } = plan;
  if ((await reads.modeOf(account)) === "UNIFIED") {
    const query = { endpoint: strategySubOrders, account, values: { orderId }, rowKey };
    return latestQuery(reads, query, args);
  }
  return sliceTokenPaged(
    {
      identity: identityUnder(reads.identitiesOf(account), (owner) =>
        JSON.stringify([classicPlanSubOrders.name, owner, orderId]),
      ),
      maxPageSize: MAX_FIRST,
      rowKey: (row) => (isRead(row) ? rowKey(row) : row.rowId),
      page: async () => ({ rows: await classicSubOrders(reads, account, plan), next: undefined }),
    },
    args,
  );
}

/** The exchange has no list for take-profits and stop-losses; once they are triggered, their own list names the order. */
async function classicSubOrders(
  reads: Reads,
  account: ExchangeAccount,
  { orderId: planOrderId, category, symbol, planType, executeOrderId }: Placing,
): Promise<readonly Row<SubOrder>[]> {
  const market = { ...NOT_LISTED, category, categoryRaw: category, symbol };
  if (isFuturesCategory(category) && (planType === "normal_plan" || planType === "track_plan")) {
    const { list } = await reads.read(classicPlanSubOrders, { planType, planOrderId, productType: category }, account);
    return mapRows(list, ({ orderId: subOrderId, type, typeRaw, ...order }) => ({
      ...{ ...market, ...order, subOrderId, orderType: type, orderTypeRaw: typeRaw },
    }));
  }
  return executeOrderId === null ? [] : [{ ...market, subOrderId: executeOrderId }];
}

/** Fields that the lists of a Classic account lack; the order itself has them. */
const NOT_LISTED = unknownRecord(subOrder);
