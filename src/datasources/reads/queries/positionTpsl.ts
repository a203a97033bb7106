import { type DecimalText, exact, isZero } from "@exchange-graph/contract/decimal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import type { PlanOrder } from "@exchange-graph/contract/plan";
import { openPlanOrders } from "@exchange-graph/contract/planReads";
import type { Position } from "@exchange-graph/contract/position";
import { rowsRead } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import { everyRow, rowWhere } from "../../errors/index.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./categories.js";
import { readPositions } from "./positions.js";

/** The price at which a whole position is closed, and the trigger order. */
export interface PositionExit {
  readonly triggerPrice: DecimalText;
  readonly planOrderId: string | null;
  /** The trigger order itself, if it was read. */
  readonly plan: PlanOrder | undefined;
}
type Role = "takeProfit" | "stopLoss";

/** The fields of a position that determine its take-profit and stop-loss. */
type TpslHolder = Pick<Position, "symbol" | "marginCoin" | "posSide" | "holdMode" | "qty" | "status" | Role | `${Role}Id`> & {
  readonly category: string;
};

/**
 * The take-profit or stop-loss of a whole position; `null` if there is none, or only one for a part. A Classic account's list of
 * positions contains it; a push does not (`isPushed`), so the list is read. A unified account's trigger orders of the category
 * are read once for all positions.
 */
export async function readPositionTpsl(
  reads: Reads,
  account: ExchangeAccount,
  position: TpslHolder,
  role: Role,
  isPushed: boolean,
): Promise<PositionExit | null> {
  const { category, symbol, marginCoin, posSide } = position;
  const hasEnded = position.status === "ended" || (position.qty !== null && isZero(position.qty));
  if (hasEnded || !isFuturesCategory(category)) return null;
  if ((await reads.modeOf(account)) === "UNIFIED") {
    const { list } = await reads.read(openPlanOrders, { category, type: "tpsl" }, account);
    const found = rowsRead(list).flatMap((plan) => tpslOf(plan, position, role));
    // An order that could not be decoded may be the one.
    if (found.length === 0) everyRow(list);
    return firstReached(found, (role === "takeProfit") === (posSide === "long"));
  }
  if (!isPushed || position[role] !== null) return tpslAt(position, role);
  const listed = await readPositions(reads, account, { category, symbol });
  const same = rowWhere(listed, (one) => one.marginCoin === marginCoin && one.posSide === posSide);
  return same === null ? null : tpslAt(same, role);
}

const tpslAt = (position: Pick<Position, Role | `${Role}Id`>, role: Role): PositionExit | null => {
  const triggerPrice = position[role];
  return triggerPrice === null ? null : { triggerPrice, planOrderId: position[`${role}Id`], plan: undefined };
};

/** The take-profit or stop-loss of a trigger order if it is for the whole position. Without a quantity it always is. */
function tpslOf(plan: PlanOrder, position: TpslHolder, role: Role): readonly PositionExit[] {
  const triggerPrice = plan[role];
  const isOfIt =
    isNamed(plan.symbol, position.symbol) &&
    (plan.posSide === position.posSide || (plan.posSide === null && position.holdMode === "one_way_mode"));
  const isWhole = plan.qty === null || (position.qty !== null && exact(plan.qty).gte(exact(position.qty).abs()));
  return isOfIt && isWhole && triggerPrice !== null ? [{ triggerPrice, planOrderId: plan.orderId, plan }] : [];
}

/** Of several, the one that the price reaches first: the lowest above it, the highest below it. */
const firstReached = (found: readonly PositionExit[], isAbove: boolean): PositionExit | null =>
  found.reduce<PositionExit | null>((first, one) => {
    if (first === null) return one;
    const isLower = exact(one.triggerPrice).lt(exact(first.triggerPrice));
    return isLower === isAbove ? one : first;
  }, null);
