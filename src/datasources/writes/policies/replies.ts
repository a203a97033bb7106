import { z } from "zod";

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
