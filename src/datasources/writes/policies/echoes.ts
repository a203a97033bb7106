import { codesOf } from "@exchange-graph/contract/errors";

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
