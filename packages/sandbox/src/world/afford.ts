import type { Refusal } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../refused.js";
import { InsufficientBalance } from "./ledger.js";

/** Executes postings; an insufficient balance becomes the exchange's `refusal`. */
export function affordOr<T>(refusal: Refusal, post: () => T): T {
  try {
    return post();
  } catch (error) {
    if (error instanceof InsufficientBalance) throw new Refused(refusal);
    throw error;
  }
}
