import { z } from "zod";

/** What the client of a mutation gets of the exchange's answer, in the form in which the journal keeps it. */

/** An order, a trigger order or a withdrawal by its two names. */
export const acknowledgement = z.object({ orderId: z.string().nullable(), clientOid: z.string().nullable() });
export type Acknowledgement = z.infer<typeof acknowledgement>;

/** What a conversion has brought, and when (Unix ms). */
export const conversionReply = z.object({
  toCoin: z.string().nullable(),
  toAmount: z.string().nullable(),
  price: z.string().nullable(),
  createdTime: z.int(),
});
export type ConversionReply = z.infer<typeof conversionReply>;

/** A redemption by its identifier where the exchange names it, and how it stands where the exchange says so. */
export const redemptionReply = z.object({ orderId: z.string().nullable(), status: z.string().nullable() });
export type RedemptionReply = z.infer<typeof redemptionReply>;

/** The exchange has said yes and nothing else. */
export const done = z.null();
