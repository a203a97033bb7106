import type { Decoded } from "@exchange-graph/contract/codec";
import type { ongoingLoan } from "@exchange-graph/contract/loan";
import type { LoanPrices } from "./loanRisk.js";

/** A loan that is running, as the exchange lists it. */
export type OngoingLoan = Decoded<typeof ongoingLoan>;

/** One with the prices that it stands at. */
export type PricedLoan = OngoingLoan & { readonly prices: LoanPrices };

/** Running loans: those that there are or that have changed, and those that are over. */
export interface LoanNews {
  readonly loans: readonly PricedLoan[];
  readonly over: readonly PricedLoan[];
}
