import type { PlanOrder } from "@exchange-graph/contract/plan";
import { classicOpenPlanOrders, openPlanOrders } from "@exchange-graph/contract/planReads";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import {
  FUTURES_CATEGORIES,
  PRODUCT_CATEGORIES,
  type ProductCategory,
  STRATEGY_TYPES,
} from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../../calls/index.js";
import { everyRow } from "../../errors/index.js";
import { MAX_FIRST, type RequestReads, readOpenPlanOrders, rowsOf } from "../../reads/index.js";

/** An open trigger order, with the category of its list. */
export type OpenPlan = PlanOrder & { readonly category: ProductCategory };

/** The lists that `readRiskyPlans` reads. */
export const PLAN_LISTS = [openPlanOrders, classicOpenPlanOrders].map(({ name }) => name);

/** The lists without exits of positions: Classic ones, and those of unified accounts. */
const CLASSIC_KINDS = ["normal_plan", "track_plan"];
const UNIFIED_KINDS = STRATEGY_TYPES.filter((type) => type !== "tpsl");

/** The trigger orders of an account that place orders. Exits of positions are not read. Throws `Fault`. */
export async function readRiskyPlans(reads: RequestReads, account: ExchangeAccount): Promise<readonly OpenPlan[]> {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const lists = (isUnified ? PRODUCT_CATEGORIES : FUTURES_CATEGORIES).flatMap((category) =>
    (isUnified ? UNIFIED_KINDS : CLASSIC_KINDS).map((kind) => readEveryPlan(reads, account, category, kind)),
  );
  // Only lists of Classic accounts show whether a trigger order of hedge mode closes a position.
  return everyRow((await Promise.all(lists)).flat()).filter((plan) => !closesHedge(plan));
}

/** Whether it closes a position of hedge mode. */
export const closesHedge = ({ holdMode, tradeSide }: PlanOrder): boolean => holdMode === "hedge_mode" && tradeSide === "close";

/** The open trigger orders of a category: those of one kind, or of every kind that the exchange lists. Throws `Fault`. */
export async function readEveryPlan(
  reads: RequestReads,
  account: ExchangeAccount,
  category: ProductCategory,
  kind?: string,
): Promise<readonly Row<OpenPlan>[]> {
  const plans: Row<OpenPlan>[] = [];
  for (let after: string | undefined; ; ) {
    const page = await readOpenPlanOrders(reads, account, { category, kind }, { first: MAX_FIRST, after });
    plans.push(...mapRows(rowsOf(page), (plan) => ({ ...plan, category })));
    after = page.rows.at(-1)?.cursor;
    if (!page.hasNextPage || after === undefined) return plans;
  }
}
