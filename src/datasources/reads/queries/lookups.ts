import type { Decoded } from "@exchange-graph/contract/codec";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { FINANCIAL_RECORD_CATEGORIES, type FinancialRecord, financialRecords } from "@exchange-graph/contract/financialRecord";
import type { Position } from "@exchange-graph/contract/position";
import { classicPositionHistory, type HistoricalPosition, positionHistory } from "@exchange-graph/contract/positionHistory";
import type { sharkFinProduct } from "@exchange-graph/contract/sharkfin";
import { classicTransfers, type Transfer } from "@exchange-graph/contract/transfer";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { before } from "@exchange-graph/contract/window";
import type { ExchangeAccount } from "../../calls/index.js";
import { rowWhere } from "../../errors/index.js";
import { MAX_FIRST, rowsOf } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { isFuturesCategory } from "./categories.js";
import { sharkFinHoldings } from "./earn.js";
import { readFills } from "./fills.js";
import { readFinancialRecords, readFundingAccountRecords } from "./financialRecords.js";
import { readOngoingLoans } from "./loans.js";
import { foundOrNull } from "./order.js";
import type { Pages } from "./pageCounts.js";
import type { PagedAccountList } from "./pagedList.js";
import type { HistoryArguments } from "./pagedQuery.js";
import { readPlanOrder } from "./planOrder.js";
import { readClosedPositions, readPositions } from "./positions.js";
import { readSubOrders } from "./subOrders.js";
import { readTransfers, transfersOfSubAccounts } from "./wallet.js";

/**
 * Look-ups of single objects for which the exchange has only lists. Each returns `null` for an object that is no longer listed.
 */

/**
 * Arguments that make a list return the rows of a time, Unix ms; null if it does not go back so far. Without a time: its newest
 * rows.
 */
function momentOf(reads: Reads, { window }: Pick<Endpoint, "window">, time: number | null): HistoryArguments | null {
  if (time === null) return { first: MAX_FIRST };
  if (window?.age !== undefined && time < before(reads.now(), window.age)) return null;
  return { first: MAX_FIRST, from: time, to: time };
}

/** A row of a list, among those of its time, Unix ms; null for the newest ones. */
export async function findInList<V, W extends object>(
  reads: Reads,
  account: ExchangeAccount,
  {
    list: { pages, read },
    filter,
    time = null,
  }: { readonly list: PagedAccountList<V, W, Pages>; readonly filter: V; readonly time?: number | null },
  isMeant: (row: W) => boolean,
): Promise<W | null> {
  // Where the account modes have a list each, both go back equally far.
  const [list] = (typeof pages === "function" ? pages("UNIFIED", { hasCursor: false }) : pages).lists;
  const args = momentOf(reads, list ?? {}, time);
  return args === null ? null : rowWhere(rowsOf(await read(reads, account, filter, args)), isMeant);
}

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

type PositionKey = Pick<Position, "symbol" | "marginCoin"> & { readonly category: string; readonly posSide: string };

export async function findPosition(reads: Reads, account: ExchangeAccount, key: PositionKey) {
  const { category, symbol, marginCoin, posSide } = key;
  if (!isFuturesCategory(category)) return null;
  const positions = await readPositions(reads, account, { category, symbol });
  return rowWhere(positions, (position) => position.marginCoin === marginCoin && position.posSide === posSide);
}

/** Older records have no `positionId`; then the times identify it. One of these is the time by which it is listed. */
type ClosedPositionKey = Pick<HistoricalPosition, "symbol" | "positionId" | "createdTime" | "updatedTime"> & {
  readonly category: string;
};

/** A closed position, from the history of its symbol during its lifetime. */
export async function findClosedPosition(reads: Reads, account: ExchangeAccount, key: ClosedPositionKey) {
  const { category, symbol, positionId, createdTime, updatedTime } = key;
  const { window } = (await reads.modeOf(account)) === "UNIFIED" ? positionHistory : classicPositionHistory;
  const oldest = window?.age === undefined ? 0 : before(reads.now(), window.age);
  if (!isFuturesCategory(category) || (updatedTime !== null && updatedTime < oldest)) return null;
  // The exchange's retention period moves during the call, so its oldest time is not sent.
  const from = createdTime === null || createdTime < oldest ? undefined : createdTime;
  const args = { from, to: updatedTime ?? undefined, first: MAX_FIRST };
  return rowWhere(
    rowsOf(await readClosedPositions(reads, account, { category, symbol }, args)),
    (row) =>
      row.positionId === positionId &&
      (positionId !== null || (row.createdTime === createdTime && row.updatedTime === updatedTime)),
  );
}

/** The identity of an order that a trigger order has placed. */
interface SubOrderKey {
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly planOrderId: string;
  readonly subOrderId: string;
}

/** An order that a trigger order has placed. On a Classic account, the kind of the trigger order determines the list. */
export async function findSubOrder(
  reads: Reads,
  account: ExchangeAccount,
  { planOrderId: orderId, subOrderId, ...market }: SubOrderKey,
) {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const plan = isUnified
    ? ({ ...market, orderId, planType: null, executeOrderId: null } as const)
    : await readPlanOrder(reads, account, { ...market, orderId });
  if (plan === null) return null;
  const placed = await foundOrNull(readSubOrders(reads, account, plan, { first: MAX_FIRST }));
  return placed && rowWhere(rowsOf(placed), (row) => row.subOrderId === subOrderId);
}

type SharkFinHoldingKey = Pick<
  Decoded<typeof sharkFinProduct>,
  "productId" | "subscribeCoin" | "interestStartTime" | "settleTime"
>;

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

/**
 * The identity of a change of a balance: its category in the exchange's word, null for the funding account; in the list of an isolated
 * margin account its pair; and the time by which it is listed.
 */
type FinancialRecordKey = Pick<FinancialRecord, "symbol" | "recordId" | "createdTime"> & { readonly category: string | null };

/** A change of a balance, from the list of its category at its time. */
export async function findFinancialRecord(
  reads: Reads,
  account: ExchangeAccount,
  { category, symbol, recordId, createdTime }: FinancialRecordKey,
) {
  const isUnified = (await reads.modeOf(account)) === "UNIFIED";
  const args = momentOf(reads, financialRecords, createdTime);
  const isMine = (row: { readonly recordId: string }) => row.recordId === recordId;
  if (args === null) return null;
  if (category === null) {
    return isUnified ? rowWhere(rowsOf(await readFundingAccountRecords(reads, account, {}, args)), isMine) : null;
  }
  const wanted = FINANCIAL_RECORD_CATEGORIES.find((one) => one === category);
  if (wanted === undefined || (wanted === "OTHER" && !isUnified)) return null;
  const found = rowWhere(rowsOf(await readFinancialRecords(reads, account, { category: wanted }, args)), isMine);
  if (found !== null || isUnified || wanted !== "MARGIN" || symbol === null) return found;
  return rowWhere(rowsOf(await readFinancialRecords(reads, account, { category: wanted, symbol }, args)), isMine);
}

type TransferKey = Pick<Transfer, "coin" | "transferId" | "fromUserId" | "toUserId" | "createdTime">;

/** A transfer, from the list of its coin at its time. */
export async function findTransfer(reads: Reads, account: ExchangeAccount, key: TransferKey) {
  const { coin, transferId, fromUserId, toUserId, createdTime: time } = key;
  const isMine = (row: { readonly transferId: string }) => row.transferId === transferId;
  if (fromUserId === null && toUserId === null) {
    if (coin === null || (await reads.modeOf(account)) === "UNIFIED") return null;
    const args = momentOf(reads, classicTransfers, time);
    return args === null ? null : rowWhere(rowsOf(await readTransfers(reads, account, { coin }, args)), isMine);
  }
  // The master account has sent it, or received it; otherwise it is one between sub-accounts.
  for (const [role, subUid] of [
    ["initiator", null],
    ["receiver", null],
    ["initiator", fromUserId],
  ] as const) {
    const found = await findInList(
      reads,
      account,
      { list: transfersOfSubAccounts, filter: { coin, role, subUid }, time },
      isMine,
    );
    if (found !== null) return found;
  }
  return null;
}
