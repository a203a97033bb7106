import type { EstimateState } from "../../src/schema/cost.js";

/** An outlook with `accounts` accounts, the first named `main`, and no other knowledge: everything counts at its maximum size. */
export const unknownOutlook = (accounts = 1, now = () => 0): EstimateState => ({
  now,
  accounts: () => Array.from({ length: accounts }, (_, at) => ({ name: at === 0 ? "main" : `account${at}`, mode: undefined })),
  kept: () => undefined,
  own: () => 1_000,
});
