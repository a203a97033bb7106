import type { PlanOrder } from "@exchange-graph/contract/plan";
import { classicOpenPlanOrders, openPlanOrders } from "@exchange-graph/contract/planReads";
import type { Row } from "@exchange-graph/contract/rows";
import {
  FUTURES_CATEGORIES,
  PRODUCT_CATEGORIES,
  type ProductCategory,
  STRATEGY_TYPES,
} from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { everyRow } from "../../errors/index.js";
import { MAX_FIRST, type RequestReads, readOpenPlanOrders, rowsOf } from "../../reads/index.js";

export type RiskyPlan = PlanOrder & { readonly category: ProductCategory };

/** The lists that `readRiskyPlans` reads. */
export const PLAN_LISTS = [openPlanOrders, classicOpenPlanOrders].map(({ name }) => name);

/** The lists without exits of positions: Classic ones, and those of unified accounts. */
const CLASSIC_KINDS = ["normal_plan", "track_plan"];
const UNIFIED_KINDS = STRATEGY_TYPES.filter((type) => type !== "tpsl");

/** The trigger orders of an account that place orders. Exits of positions are not read. Throws `Fault`. */
export async function readRiskyPlans(reads: RequestReads, account: ExchangeAccount): Promise<readonly RiskyPlan[]> {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const lists = (isUnified ? PRODUCT_CATEGORIES : FUTURES_CATEGORIES).flatMap((category) =>
    (isUnified ? UNIFIED_KINDS : CLASSIC_KINDS).map((kind) => inList(reads, account, category, kind)),
  );
  // Only lists of Classic accounts show whether a trigger order of hedge mode closes a position.
  return (await Promise.all(lists))
    .flat()
    .filter(({ holdMode, tradeSide }) => !(holdMode === "hedge_mode" && tradeSide === "close"));
}

async function inList(
  reads: RequestReads,
  account: ExchangeAccount,
  category: ProductCategory,
  kind: string,
): Promise<readonly RiskyPlan[]> {
  const plans: Row<PlanOrder>[] = [];
  for (let after: string | undefined; ; ) {
    const page = await readOpenPlanOrders(reads, account, { category, kind }, { first: MAX_FIRST, after });
    plans.push(...rowsOf(page));
    after = page.rows.at(-1)?.cursor;
    if (!page.hasNextPage || after === undefined) break;
  }
  return everyRow(plans).map((plan) => ({ ...plan, category }));
}
