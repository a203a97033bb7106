import { plain } from "@exchange-graph/contract/decimal";
import * as calls from "../../handlers/wire/fill.js";
import type { Fill } from "../../world/orders/order.js";

/** Executions in pushes. */

/** v3. */
export function unifiedFill(fill: Fill) {
  const { posSide, createdTime, ...same } = calls.unifiedFill(fill);
  return { ...same, holdSide: posSide === "" && fill.position !== undefined ? "net" : posSide, execTime: createdTime };
}

/** v3, pushed early: without value and fee. */
export function unifiedFastFill(fill: Fill): unknown {
  const { category, symbol, orderId, clientOid, execId, side, holdSide, ...rest } = unifiedFill(fill);
  const { tradeScope, execPrice, execQty, execTime, updatedTime } = rest;
  return {
    ...{ category, symbol, orderId, clientOid, execId, side, holdSide },
    ...{ tradeScope, execPrice, execQty, execTime, updatedTime },
  };
}

/** v2 spot: only here a paid fee is positive. */
export function classicSpotFill(fill: Fill): unknown {
  const { userId, feeDetail, ...same } = calls.classicSpotFill(fill);
  return { ...same, feeDetail: [{ ...feeDetail, totalDeductionFee: "0", totalFee: plain(fill.fee.amount) }] };
}

/** v2 futures. Unlike in calls the side is that of the trade in the market, in hedge mode too. */
export function classicFuturesFill(fill: Fill): unknown {
  const { enterPointSource, ...same } = calls.classicFuturesFill(fill);
  return { ...same, side: fill.side, orderType: fill.orderType, uTime: same.cTime };
}
