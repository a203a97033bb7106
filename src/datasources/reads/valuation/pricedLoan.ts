import type { Decoded } from "@exchange-graph/contract/codec";
import type { ongoingLoan } from "@exchange-graph/contract/loan";
import type { LoanPrices } from "./loanRisk.js";

/** A running loan of the exchange's list. */
export type OngoingLoan = Decoded<typeof ongoingLoan>;

export type PricedLoan = OngoingLoan & { readonly prices: LoanPrices };

/** Running or changed loans, and those that have ended. */
export interface LoanEvent {
  readonly loans: readonly PricedLoan[];
  readonly over: readonly PricedLoan[];
}
