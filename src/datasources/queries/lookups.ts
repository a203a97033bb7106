import { classicPositionHistory, positionHistory } from "@exchange-graph/contract/positionHistory";
import type { Row } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { before } from "@exchange-graph/contract/window";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { MAX_FIRST, type Slice } from "../paging/pager.js";
import type { Reads } from "../reads/reads.js";
import { rowWhere } from "../rows.js";
import { isFuturesCategory } from "./category.js";
import { readFills } from "./fills.js";
import { readOngoingLoans } from "./loans.js";
import { readClosedPositions, readPositions } from "./positions.js";
import { readSharkFinHoldings } from "./sharkFin.js";

const rowsOf = <R>({ rows }: Slice<R>): readonly Row<R>[] => rows.map(({ row }) => row);

/** Finding one thing again, where the exchange has lists alone. Each gives `null` for what it no longer lists. */

/** A running loan. */
export const findLoan = async (reads: Reads, account: ExchangeAccount, orderId: string) =>
  rowWhere(await readOngoingLoans(reads, account, { orderId }), (loan) => loan.orderId === orderId);

/** An execution: it is looked for among those of its order. */
export async function findFill(
  reads: Reads,
  account: ExchangeAccount,
  { category, orderId, execId }: { readonly category: ProductCategory; readonly orderId: string | null; readonly execId: string },
) {
  const fills = rowsOf(await readFills(reads, account, { category, orderId }, { first: MAX_FIRST }));
  return rowWhere(fills, (fill) => fill.execId === execId);
}

/** What identifies an open position. */
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

/** What identifies a closed position. */
interface ClosedPositionKey {
  readonly category: string;
  readonly symbol: string;
  /** Older records leave it out: then the times identify it. */
  readonly positionId: string | null;
  /** Unix ms: the position is listed by one of these. */
  readonly createdTime: number | null;
  readonly updatedTime: number | null;
}

/** A closed position: it is looked for in its own symbol and its own lifetime. */
export async function findClosedPosition(reads: Reads, account: ExchangeAccount, key: ClosedPositionKey) {
  const { category, symbol, positionId, createdTime, updatedTime } = key;
  const { window } = (await reads.modeOf(account)) === "UNIFIED" ? positionHistory : classicPositionHistory;
  const oldest = window?.age === undefined ? 0 : before(reads.now(), window.age);
  if (!isFuturesCategory(category) || (updatedTime !== null && updatedTime < oldest)) return null;
  // What the exchange keeps moves on while it is asked: the oldest moment is not named.
  const from = createdTime === null || createdTime < oldest ? undefined : createdTime;
  const asked = { from, to: updatedTime ?? undefined, first: MAX_FIRST };
  const { rows } = await readClosedPositions(reads, account, { category, symbol }, asked);
  return rowWhere(
    rows.map(({ row }) => row),
    (row) =>
      row.positionId === positionId &&
      (positionId !== null || (row.createdTime === createdTime && row.updatedTime === updatedTime)),
  );
}

/** What identifies a holding of a shark-fin product. */
interface SharkFinHoldingKey {
  readonly productId: string;
  readonly subscribeCoin: string;
  /** Unix ms, where the exchange has set them. */
  readonly interestStartTime: number | null;
  readonly settleTime: number | null;
}

/** A shark-fin product among those that the account holds, or else among those that were settled. */
export async function findSharkFinHolding(reads: Reads, account: ExchangeAccount, key: SharkFinHoldingKey) {
  for (const status of ["subscribed", "settled"] as const) {
    const { rows } = await readSharkFinHoldings(reads, account, { status }, { first: MAX_FIRST });
    const found = rowWhere(
      rows.map(({ row }) => row),
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
