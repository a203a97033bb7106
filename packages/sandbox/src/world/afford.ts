import type { Refusal } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../refused.js";
import { InsufficientBalance } from "./ledger.js";

/** Makes postings; a wallet that cannot pay becomes the exchange's `refusal`. */
export function affordOr<T>(refusal: Refusal, post: () => T): T {
  try {
    return post();
  } catch (error) {
    if (error instanceof InsufficientBalance) throw new Refused(refusal);
    throw error;
  }
}
