import { codesOf } from "@exchange-graph/contract/errors";
import { z } from "zod";

/**
 * Refusals of a request that a proxy has sent twice, if its first copy took effect. Such a refusal proves nothing: the outcome is
 * looked up.
 */

const of = (...categories: Parameters<typeof codesOf> extends [unknown, ...infer C] ? C : never) => ({
  v2: codesOf("v2", ...categories),
  v3: codesOf("v3", ...categories),
});

/** The order to be cancelled does not exist any more, or has ended. */
export const ALREADY_ENDED = of("orderNotFound", "orderState");

/** The order to be changed was replaced, has ended, or already has the new terms. */
export const ALREADY_CHANGED = of("orderNotFound", "orderState", "modify");

/** How an order or a trigger order is named: by the exchange's identifier, or by the client's own. */
export interface OrderIds {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

/** Replies of mutations, in the form in which the journal stores them. */

/** An order, a trigger order or a withdrawal by its two identifiers. */
export const acknowledgement = z.object({ orderId: z.string().nullable(), clientOid: z.string().nullable() });
export type Acknowledgement = z.infer<typeof acknowledgement>;

const nameOrNull = z.string().nullable();
/** The results of a call about many orders. */
export const bulkReply = z.object({
  orders: z.array(z.object({ orderId: nameOrNull, clientOid: nameOrNull, code: nameOrNull, message: nameOrNull })),
});
export type BulkReply = z.infer<typeof bulkReply>;

/** The result of a conversion, and its time (Unix ms). */
export const conversionReply = z.object({
  toCoin: z.string().nullable(),
  toAmount: z.string().nullable(),
  price: z.string().nullable(),
  createdTime: z.int(),
});
export type ConversionReply = z.infer<typeof conversionReply>;

/** A redemption: its identifier and its status, if the exchange sends them. */
export const redemptionReply = z.object({ orderId: z.string().nullable(), status: z.string().nullable() });
export type RedemptionReply = z.infer<typeof redemptionReply>;

/** A confirmation without data. */
export const done = z.null();
