import { KEPT_MS, MIN_AGE_MS } from "../datasources/requestReads.js";

/** The options of the argument `maxAgeMs`: `usual` is the bound where the client sets none. */
const maxAge = (usual: string) => ({
  nullable: true,
  description: `How old the answer may be, in milliseconds, from ${MIN_AGE_MS} to ${KEPT_MS}: one that is known and not older is given at once and kept fresh while it is read, and otherwise a new one is waited for. Default: ${usual}`,
});

export const WITHIN_HALF_A_MINUTE = maxAge("30,000");
export const WITHIN_TEN_SECONDS = maxAge("10,000");
export const WITHIN_A_MINUTE = maxAge("60,000");
