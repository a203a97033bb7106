import type { ORDER_SIDES, ProductCategory } from "@exchange-graph/contract/vocabulary";

/** Why coins move from one wallet to another. */
type CauseKind =
  /** The initial balance. */
  | "opening"
  | "trade"
  | "funding"
  /** Coins that stand behind an order, and margin of an isolated position: they stay in their wallet. */
  | "reservation"
  | "margin"
  | "borrow"
  | "repayment"
  | "interest"
  /** Coins of an insolvent wallet that are sold for its debts. */
  | "liquidation"
  /** Losses that the insurance fund pays. */
  | "insurance"
  | "conversion"
  | "transfer"
  | "deposit"
  | "withdrawal"
  | "loan"
  | "loan pledge"
  | "loan pledge returned"
  | "loan liquidation"
  | "redemption"
  | "earn interest"
  /** Coins of the trading wallets when the account changes its mode. */
  | "account mode";

/** The cause of postings. Postings of one wallet and coin with the same object are one record: a fill's profit and its fee. */
export interface Cause {
  readonly kind: CauseKind;
  /** The exchange's identifier of what caused it: an order, a position, a transfer, a loan. Empty if it has none. */
  readonly id: string;
  /** Trades and funding. */
  readonly category?: ProductCategory;
  readonly symbol?: string;
  /** Trades: the side in the market. */
  readonly side?: (typeof ORDER_SIDES)[number];
  /** Trades of futures: the effect on positions, as `tradeSideOf`. */
  readonly tradeSide?: string;
}

/** `kind id`, for the ledger's digest. */
export const causeText = ({ kind, id }: Cause): string => (id === "" ? kind : `${kind} ${id}`);

export const causeOf = (kind: CauseKind, id = ""): Cause => ({ kind, id });
