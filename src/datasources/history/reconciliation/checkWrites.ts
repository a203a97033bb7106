import { isZero } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import { isRead } from "@exchange-graph/contract/rows";
import type { ExchangeAccount } from "../../calls/index.js";
import { isFuturesCategory, type RequestReads, readOrder } from "../../reads/index.js";
import {
  isUnsettled,
  type JournalEntry,
  madeBy,
  ordersNamedBy,
  REMEMBERED_ENTRIES,
  REMEMBERED_MS,
  type WriteJournal,
} from "../../writes/index.js";
import { type DayOrders, MAX_LOOKED_UP, TooMany } from "./checkFills.js";
import { type DaySpan, type Difference, differing, type Findings, NOTHING_CHECKED } from "./day.js";

export interface WriteParts {
  readonly journal: Pick<WriteJournal, "page">;
  /** Reads at the lowest priority, without earlier answers. */
  readonly newReads: () => RequestReads;
  /** The exchange's time, Unix ms. */
  readonly now: () => number;
}

type FilledOrder = Order & { readonly createdTime: number };

/** Entries that are read at once. */
const PAGE = 500;
/** The exchange executes a request at most this long after it was sent, and its clock may differ by as much, in ms. */
const AROUND_MS = 90_000;

/** The journal keeps a number of entries of all accounts: an account with so many of them may have had more. */
const MAX_ENTRIES = REMEMBERED_ENTRIES / 10;

/** The account's writes from `from` on, the latest first, and whether the journal has any write about an order at all. */
async function writesSince(journal: Pick<WriteJournal, "page">, user: string, from: number) {
  const entries: JournalEntry[] = [];
  let hasOrders = false;
  for (let before: number | undefined; ; ) {
    const page: readonly JournalEntry[] = await journal.page(user, before, PAGE);
    entries.push(...page.filter(({ sentAt }) => sentAt >= from));
    hasOrders ||= page.some((entry) => ordersNamedBy(entry) !== undefined);
    before = page.at(-1)?.seq;
    if (hasOrders && (page.at(-1)?.sentAt ?? from) < from) return { entries, hasOrders };
    if (page.length < PAGE) break;
  }
  if (entries.length >= MAX_ENTRIES) throw new TooMany();
  return { entries, hasOrders };
}

/**
 * Compares the journal with the orders of the exchange: each accepted order is there, each order that was filled is in the journal,
 * and the outcome of each write is known. An account without any order in the journal is traded elsewhere.
 */
export async function checkWrites(
  { journal, newReads, now }: WriteParts,
  user: string,
  account: ExchangeAccount,
  day: DayOrders,
  { from, to }: DaySpan,
): Promise<Findings> {
  const keptFrom = now() - REMEMBERED_MS + AROUND_MS;
  if (from < keptFrom) return { ...NOTHING_CHECKED, reason: "TOO_OLD" };
  // An order that was placed earlier than the journal keeps entries is left out.
  const filled = filledOn(day, { from, to }).filter(({ createdTime }) => createdTime >= keptFrom);
  const earliest = Math.min(from, ...filled.map(({ createdTime }) => createdTime));
  const { entries, hasOrders } = await writesSince(journal, user, earliest - AROUND_MS);
  if (!hasOrders) return { ...NOTHING_CHECKED, reason: "NO_WRITES" };
  const ofDay = entries.filter(({ sentAt }) => sentAt >= from && sentAt < to);
  const differences: Difference[] = ofDay
    .filter(isUnsettled)
    .map((entry) => differing("WRITE_UNSETTLED", { ...factsOf(entry), time: entry.sentAt }));
  differences.push(...(await missingOrders(newReads, account, ofDay, day)));
  const isWritten = writtenOrders(entries);
  const reads = newReads();
  for (const order of filled) {
    const { category, symbol, orderId, clientOid, cumExecQty, createdTime } = order;
    if (isForced(order) || isWritten(order)) continue;
    if (await isTriggered(reads, account, order)) continue;
    const facts = { category, symbol, orderId, clientOid, time: createdTime, found: cumExecQty };
    differences.push(differing("ORDER_NOT_JOURNALED", facts));
  }
  return { checked: ofDay.length, reason: null, differences };
}

/** The orders that were filled on a day: those of its executions, and those that were finished on it, should executions be missing. */
function filledOn({ orders, fills }: DayOrders, { from, to }: DaySpan): readonly FilledOrder[] {
  const executed = new Set(fills.map(({ orderId }) => orderId));
  const isOfDay = (order: Order): order is FilledOrder => {
    const { orderId, createdTime, updatedTime, cumExecQty } = order;
    const isFinished = createdTime !== null && createdTime >= from && updatedTime !== null && updatedTime < to;
    return createdTime !== null && (executed.has(orderId) || (isFinished && !isZero(cumExecQty ?? "0")));
  };
  return [...orders.values()].filter(isOfDay);
}

const factsOf = (entry: JournalEntry): Partial<Difference> => {
  const made = madeBy(entry);
  const { category = null, symbol = null, orderId = null } = made ?? {};
  return { key: entry.key, category, symbol, orderId, clientOid: made?.clientOid ?? entry.clientOid };
};

/** Accepted orders that the exchange does not have. */
async function missingOrders(
  newReads: () => RequestReads,
  account: ExchangeAccount,
  ofDay: readonly JournalEntry[],
  { orders }: DayOrders,
): Promise<readonly Difference[]> {
  const differences: Difference[] = [];
  const seen = new Set<string>();
  for (const entry of ofDay) {
    const made = entry.state === "ACCEPTED" ? madeBy(entry) : undefined;
    const { orderId, category, symbol } = made ?? { orderId: null, category: null, symbol: null };
    if (made?.kind !== "order" || orderId === null || category === null || orders.has(orderId) || seen.has(orderId)) continue;
    seen.add(orderId);
    if (seen.size > MAX_LOOKED_UP) throw new TooMany();
    if ((await readOrder(newReads(), account, { category, symbol, orderId })) === null)
      differences.push(differing("ORDER_MISSING", { ...factsOf(entry), time: entry.sentAt }));
  }
  return differences;
}

/** Whether an order is one of these writes', by its identifiers; those of closed positions may have no others than their time. */
function writtenOrders(entries: readonly JournalEntry[]): (order: Order) => boolean {
  const orderIds = new Set<string>();
  const clientOids = new Set<string>();
  const closings: number[] = [];
  for (const entry of entries) {
    const named = ordersNamedBy(entry);
    if (named === undefined) continue;
    for (const { orderId, clientOid } of named.orders) {
      if (orderId !== null) orderIds.add(orderId);
      if (clientOid !== null) clientOids.add(clientOid);
    }
    if (named.mayBeMore) closings.push(entry.sentAt);
  }
  return ({ orderId, clientOid, createdTime }) =>
    orderIds.has(orderId) ||
    (clientOid !== null && clientOids.has(clientOid)) ||
    closings.some((sentAt) => createdTime !== null && Math.abs(createdTime - sentAt) <= AROUND_MS);
}

/** Whether the exchange has placed it, as in a liquidation. */
const isForced = ({ execType }: Order): boolean => execType !== null && execType !== "normal";

/** Whether a trigger order has placed it. */
async function isTriggered(reads: RequestReads, account: ExchangeAccount, order: Order): Promise<boolean> {
  const { category, orderId } = order;
  if (category === "UNKNOWN") return false;
  const { account: loaders } = reads.loaders;
  if ((await reads.modeOf(account)) === "UNIFIED") return (await loaders.plans.placing(account, order)) !== null;
  if (!isFuturesCategory(category)) return order.tpslType === "tpsl";
  return (await loaders.endedPlanOrders(account, category)).some((plan) => isRead(plan) && plan.executeOrderId === orderId);
}
