import { codesOf } from "@exchange-graph/contract/errors";

/**
 * What a request hears that somebody on the way has sent twice, when its first delivery took effect. Such a refusal proves
 * nothing: what became of the write is looked up.
 */

const of = (...categories: Parameters<typeof codesOf> extends [unknown, ...infer C] ? C : never) => ({
  v2: codesOf("v2", ...categories),
  v3: codesOf("v3", ...categories),
});

/** The order that was to be cancelled is not there any more, or has ended. */
export const ALREADY_ENDED = of("orderNotFound", "orderState");

/** The order that was to be changed has been replaced, has ended, or is as it was asked for. */
export const ALREADY_CHANGED = of("orderNotFound", "orderState", "modify");
