import {
  type BulkResult,
  cancelSymbolOrders,
  classicCancelAllFuturesOrders,
  classicCancelSpotSymbolOrders,
  classicClosePositions,
  closePositions,
  countdownCancelAll,
} from "@exchange-graph/contract/bulkWrites";
import { isZero } from "@exchange-graph/contract/decimal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import type { Order } from "@exchange-graph/contract/order";
import { classicFuturesOpenOrders, classicSpotOpenOrders, openOrders } from "@exchange-graph/contract/orderReads";
import type { Page } from "@exchange-graph/contract/page";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import { classicPositions, type Position, positions } from "@exchange-graph/contract/position";
import { isRead } from "@exchange-graph/contract/rows";
import { FUTURES_TRADING, SPOT_TRADING, UNIFIED_TRADING } from "../../reads/index.js";
import { RECORDS_LOOKED_AT } from "./evidence.js";
import { type LookUpResult, type LostWrite, policy } from "./policy.js";
import type { BulkReply } from "./replies.js";

/** Calls about many orders prove themselves: once none of them is left, it does not matter which request did it. */

const reply = (orders: readonly BulkResult[]): BulkReply => ({ orders: [...orders] });
const NAMELESS: BulkReply = { orders: [] };

const NONE_OPEN = "none of the orders from before it is open";
const NONE_HELD = "none of the positions is held; while one is, the outcome stays unknown";

/** Whether orders from before the write are open. A full page may leave some out, and one that cannot be read may be one. */
function noneOpen(
  { entry }: Pick<LostWrite<ParameterSet>, "entry">,
  { list }: Page<Pick<Order, "createdTime">>,
): LookUpResult<BulkReply> {
  const isOlder = ({ createdTime }: Pick<Order, "createdTime">): boolean => createdTime === null || createdTime <= entry.sentAt;
  if (list.some((row) => isRead(row) && isOlder(row))) return "no trace";
  return list.length >= RECORDS_LOOKED_AT || !list.every(isRead) ? "undecidable" : { accepted: NAMELESS };
}

type Held = Pick<Position, "symbol" | "posSide" | "qty">;
/** A remaining position may be what the write could not close. */
function noneHeld(
  { list }: Page<Held>,
  { symbol, side }: { readonly symbol?: string | undefined; readonly side?: string | undefined },
): LookUpResult<BulkReply> {
  const isMeant = (row: Held): boolean =>
    isNamed(row.symbol, symbol) && (side ?? row.posSide) === row.posSide && (row.qty === null || !isZero(row.qty));
  return list.some((row) => !isRead(row) || isMeant(row)) ? "undecidable" : { accepted: NAMELESS };
}

export const cancelSymbolOrdersPolicy = policy(cancelSymbolOrders, {
  invalidates: UNIFIED_TRADING,
  reply,
  priority: "cancel",
  proof: {
    reads: [openOrders.name],
    shows: NONE_OPEN,
    look: async (lookUp, lost) => {
      const { category, symbol } = lost.values;
      return noneOpen(lost, await lookUp.read(openOrders, { category, symbol, limit: RECORDS_LOOKED_AT }));
    },
  },
});

export const classicCancelSpotSymbolOrdersPolicy = policy(classicCancelSpotSymbolOrders, {
  invalidates: SPOT_TRADING,
  reply: () => NAMELESS,
  priority: "cancel",
  proof: {
    reads: [classicSpotOpenOrders.name],
    shows: NONE_OPEN,
    look: async (lookUp, lost) =>
      noneOpen(lost, await lookUp.read(classicSpotOpenOrders, { symbol: lost.values.symbol, limit: RECORDS_LOOKED_AT })),
  },
});

export const classicCancelAllFuturesOrdersPolicy = policy(classicCancelAllFuturesOrders, {
  invalidates: FUTURES_TRADING,
  reply,
  priority: "cancel",
  proof: {
    reads: [classicFuturesOpenOrders.name],
    shows: NONE_OPEN,
    look: async (lookUp, lost) => {
      const { productType, symbol } = lost.values;
      return noneOpen(lost, await lookUp.read(classicFuturesOpenOrders, { productType, symbol, limit: RECORDS_LOOKED_AT }));
    },
  },
});

export const closePositionsPolicy = policy(closePositions, {
  invalidates: UNIFIED_TRADING,
  reply,
  proof: {
    reads: [positions.name],
    shows: NONE_HELD,
    look: async (lookUp, { values: { category, symbol, posSide: side } }) =>
      noneHeld(await lookUp.read(positions, { category }), { symbol, side }),
  },
});

export const classicClosePositionsPolicy = policy(classicClosePositions, {
  invalidates: FUTURES_TRADING,
  reply,
  proof: {
    reads: [classicPositions.name],
    shows: NONE_HELD,
    look: async (lookUp, { values: { productType, symbol, holdSide: side } }) =>
      noneHeld(await lookUp.read(classicPositions, { productType }), { symbol, side }),
  },
});

/** No read shows it; `SwitchKeeper` repeats the call. */
export const countdownCancelAllPolicy = policy(countdownCancelAll, { invalidates: [], reply: () => null });
