import { KEPT_MS, MIN_AGE_MS } from "../datasources/reads/index.js";

/** Options of the argument `maxAgeMs`: `usual` is the default bound. */
const maxAge = (usual: string) => ({
  nullable: true,
  description: `Maximum age of the answer, in milliseconds, from ${MIN_AGE_MS} to ${KEPT_MS}. An answer within it is returned at once and refreshed while it is read; otherwise the exchange is called. Default: ${usual}`,
});

export const WITHIN_HALF_A_MINUTE = maxAge("30,000");
export const WITHIN_TEN_SECONDS = maxAge("10,000");
export const WITHIN_A_MINUTE = maxAge("60,000");
