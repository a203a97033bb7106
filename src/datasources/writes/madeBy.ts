import { classicClosePositions, closePositions } from "@exchange-graph/contract/bulkWrites";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { PRODUCT_CATEGORIES, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { ExchangeAccount } from "../calls/index.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import * as classicPlans from "./policies/classicPlans.js";
import { convertTradePolicy, savingsRedeemPolicy, subAccountWithdrawalPolicy } from "./policies/funds.js";
import * as orders from "./policies/orders.js";
import * as plans from "./policies/plans.js";
import type { WritePolicy } from "./policies/policy.js";
import { type Acknowledgement, acknowledgement, bulkReply, conversionReply, redemptionReply } from "./policies/replies.js";
import type { RequestWrites } from "./writes.js";

/** Links a write and the exchange's record that it has made: an order, a conversion, a withdrawal or a redemption. */

type Kind = "order" | "planOrder" | "conversion" | "withdrawal" | "redemption";

const MAKERS: Readonly<Record<Kind, readonly WritePolicy[]>> = {
  order: Object.values(orders),
  planOrder: [...Object.values(plans), ...Object.values(classicPlans)],
  conversion: [convertTradePolicy],
  withdrawal: [subAccountWithdrawalPolicy],
  redemption: [savingsRedeemPolicy],
};
const kinds: ReadonlyMap<string, Kind> = new Map(
  (Object.keys(MAKERS) as Kind[]).flatMap((kind) => MAKERS[kind].map(({ endpoint }) => [endpoint.name, kind] as const)),
);
/** Those that make new records, in the order in which they are looked through. */
const NEW: typeof MAKERS = {
  ...MAKERS,
  order: [
    ...[orders.placeOrderPolicy, orders.classicPlaceSpotOrderPolicy, orders.classicPlaceFuturesOrderPolicy],
    ...[orders.classicReplaceSpotOrderPolicy, orders.classicModifyFuturesOrderPolicy],
  ],
  planOrder: [plans.placeStrategyOrderPolicy, plans.placeTpslOrderPolicy, classicPlans.classicPlacePlanOrderPolicy],
};

/** The record of a write, as far as its journal entry shows it. Times are Unix ms. */
export interface WrittenRecord {
  readonly kind: Kind;
  readonly orderId: string | null;
  readonly clientOid: string | null;
  readonly category: ProductCategory | null;
  readonly symbol: string | null;
  readonly time: number | null;
  readonly subUid: string | null;
  readonly periodType: "flexible" | "fixed" | null;
}

const textIn = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** The record that a write has made or changed; undefined for writes without one, and for those that had no effect. */
export function madeBy({ endpoint, state, reply, values, clientOid }: JournalEntry): WrittenRecord | undefined {
  const kind = kinds.get(endpoint);
  if (kind === undefined || state === "REJECTED" || state === "UNSENT") return undefined;
  const named = acknowledgement.safeParse(reply).data;
  const redeemed = redemptionReply.safeParse(reply).data;
  const category = inCapitals(textIn(values.category) ?? textIn(values.productType) ?? "SPOT");
  return {
    kind,
    orderId: named?.orderId ?? redeemed?.orderId ?? null,
    clientOid: named?.clientOid ?? clientOid,
    category: PRODUCT_CATEGORIES.find((one) => one === category) ?? null,
    symbol: textIn(values.symbol),
    time: conversionReply.safeParse(reply).data?.createdTime ?? null,
    subUid: textIn(values.subUid),
    periodType: values.periodType === "fixed" || values.periodType === "flexible" ? values.periodType : null,
  };
}

/** The orders that a write has placed or changed, by their identifiers. */
interface NamedOrders {
  readonly orders: readonly Acknowledgement[];
  /** Whether it may have placed orders whose identifiers are not known. */
  readonly mayBeMore: boolean;
}

/** Undefined for writes that are not about orders, and for those that had no effect. */
export function ordersNamedBy(entry: JournalEntry): NamedOrders | undefined {
  if (entry.endpoint === closePositions.name || entry.endpoint === classicClosePositions.name) {
    if (entry.state === "REJECTED" || entry.state === "UNSENT") return undefined;
    const closing = bulkReply.safeParse(entry.reply).data?.orders ?? [];
    return { orders: closing, mayBeMore: closing.length === 0 };
  }
  const made = madeBy(entry);
  return made?.kind === "order" || made?.kind === "planOrder" ? { orders: [made], mayBeMore: false } : undefined;
}

interface MadeRecord {
  readonly orderId?: string | null;
  readonly clientOid?: string | null;
  /** Unix ms. */
  readonly createdTime: number | null;
}

/** The exchange executes a request at most this long after it was sent, and its clock may differ by as much, in ms. */
const AROUND_MS = 90_000;

/**
 * The write through this gateway that has made a record; `null` if there is none. The first use of an API key takes one call, for
 * its user.
 */
export async function findMaker(
  { writes, reads }: RequestWrites,
  account: ExchangeAccount,
  kind: Kind,
  { orderId, clientOid, createdTime }: MadeRecord,
): Promise<JournalEntry | null> {
  reads.trace.markFleeting();
  if (createdTime === null) return null;
  const user = await writes.users.of(account);
  for (const { endpoint } of NEW[kind]) {
    const near = await writes.journal.around({ user, endpoint: endpoint.name, sentAt: createdTime, seq: undefined }, AROUND_MS);
    const maker = near.find((entry) => {
      const made = madeBy(entry);
      if (made === undefined) return false;
      if (kind === "conversion") return made.time === createdTime;
      return made.orderId === null ? made.clientOid !== null && made.clientOid === clientOid : made.orderId === orderId;
    });
    if (maker !== undefined) return maker;
  }
  return null;
}
