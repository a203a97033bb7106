import { classicPositionHistory, positionHistory } from "@exchange-graph/contract/positionHistory";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { before } from "@exchange-graph/contract/window";
import type { ExchangeAccount } from "../../calls/index.js";
import { rowWhere } from "../../errors/index.js";
import { MAX_FIRST, rowsOf } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./category.js";
import { readFills } from "./fills.js";
import { readOngoingLoans } from "./loans.js";
import { readClosedPositions, readPositions } from "./positions.js";
import { sharkFinHoldings } from "./sharkFin.js";

/**
 * Look-ups of single objects for which the exchange has only lists. Each returns `null` for an object that is no longer listed.
 */

/** A running loan. */
export const findLoan = async (reads: Reads, account: ExchangeAccount, orderId: string) =>
  rowWhere(await readOngoingLoans(reads, account, { orderId }), (loan) => loan.orderId === orderId);

/** An execution, from the executions of its order. */
export async function findFill(
  reads: Reads,
  account: ExchangeAccount,
  { category, orderId, execId }: { readonly category: ProductCategory; readonly orderId: string | null; readonly execId: string },
) {
  const fills = rowsOf(await readFills(reads, account, { category, orderId }, { first: MAX_FIRST }));
  return rowWhere(fills, (fill) => fill.execId === execId);
}

/** The identity of an open position. */
interface PositionKey {
  readonly category: string;
  readonly symbol: string;
  readonly marginCoin: string;
  readonly posSide: string;
}

/** An open position. */
export async function findPosition(reads: Reads, account: ExchangeAccount, key: PositionKey) {
  const { category, symbol, marginCoin, posSide } = key;
  if (!isFuturesCategory(category)) return null;
  const positions = await readPositions(reads, account, { category, symbol });
  return rowWhere(positions, (position) => position.marginCoin === marginCoin && position.posSide === posSide);
}

/** The identity of a closed position. */
interface ClosedPositionKey {
  readonly category: string;
  readonly symbol: string;
  /** Missing in older records; then the times identify it. */
  readonly positionId: string | null;
  /** Unix ms: one of these is the time by which the position is listed. */
  readonly createdTime: number | null;
  readonly updatedTime: number | null;
}

/** A closed position, from the history of its symbol during its lifetime. */
export async function findClosedPosition(reads: Reads, account: ExchangeAccount, key: ClosedPositionKey) {
  const { category, symbol, positionId, createdTime, updatedTime } = key;
  const { window } = (await reads.modeOf(account)) === "UNIFIED" ? positionHistory : classicPositionHistory;
  const oldest = window?.age === undefined ? 0 : before(reads.now(), window.age);
  if (!isFuturesCategory(category) || (updatedTime !== null && updatedTime < oldest)) return null;
  // The exchange's retention period moves during the call, so its oldest time is not sent.
  const from = createdTime === null || createdTime < oldest ? undefined : createdTime;
  const asked = { from, to: updatedTime ?? undefined, first: MAX_FIRST };
  return rowWhere(
    rowsOf(await readClosedPositions(reads, account, { category, symbol }, asked)),
    (row) =>
      row.positionId === positionId &&
      (positionId !== null || (row.createdTime === createdTime && row.updatedTime === updatedTime)),
  );
}

/** The identity of a shark-fin holding. */
interface SharkFinHoldingKey {
  readonly productId: string;
  readonly subscribeCoin: string;
  /** Unix ms, if the exchange has set them. */
  readonly interestStartTime: number | null;
  readonly settleTime: number | null;
}

/** A shark-fin holding of the account, current or settled. */
export async function findSharkFinHolding(reads: Reads, account: ExchangeAccount, key: SharkFinHoldingKey) {
  for (const status of ["subscribed", "settled"] as const) {
    const found = rowWhere(
      rowsOf(await sharkFinHoldings.read(reads, account, { status }, { first: MAX_FIRST })),
      (row) =>
        row.productId === key.productId &&
        row.subscribeCoin === key.subscribeCoin &&
        row.interestStartTime === key.interestStartTime &&
        row.settleTime === key.settleTime,
    );
    if (found !== null) return found;
  }
  return null;
}
