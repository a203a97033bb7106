import type { Outlook } from "../../src/schema/cost.js";

/** So many accounts, the first of them `main`, and nothing else that is known: everything may be as large as it can be. */
export const unknownOutlook = (accounts = 1, now = () => 0): Outlook => ({
  now,
  accounts: () => Array.from({ length: accounts }, (_, at) => ({ name: at === 0 ? "main" : `account${at}`, mode: undefined })),
  kept: () => undefined,
  own: () => 1_000,
});
