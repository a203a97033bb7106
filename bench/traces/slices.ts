import { z } from "zod";

/** `off`: no operation is recorded; `sampled`: one in ten is. */
export const MODES = ["off", "sampled"] as const;
/** One of them. */
export type Mode = (typeof MODES)[number];

/** What a gateway is asked that measures itself: requests of a slice, and the order of the slices of each block. */
export const slicesAsked = z.object({ warmUp: z.int(), requests: z.int(), blocks: z.array(z.array(z.enum(MODES))) });

const twice = z.tuple([z.number(), z.number()]);
/** CPU in µs for each request of a block's slices, by mode. */
export const blocksCpu = z.array(z.object({ off: twice, sampled: twice }));
/** Of one block. */
export type BlockCpu = z.infer<typeof blocksCpu>[number];
