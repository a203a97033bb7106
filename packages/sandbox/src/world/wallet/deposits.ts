import { createHash } from "node:crypto";
import type { Exact } from "@exchange-graph/contract/decimal";
import type { WITHDRAWAL_DESTINATIONS } from "@exchange-graph/contract/wallet";

export interface Deposit {
  readonly orderId: string;
  readonly uid: string;
  readonly coin: string;
  readonly source: (typeof WITHDRAWAL_DESTINATIONS)[number];
  readonly chain: string;
  readonly amount: Exact;
  /** An address of the chain, or the sender's uid. */
  readonly fromAddress: string;
  /** The transaction on the chain, or the internal transfer. */
  readonly txId: string;
  /** Unix ms. */
  readonly createdTime: number;
}

/** A transaction, or an address, that depends on a text alone. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
export const addressOf = (text: string): string => hashOf(text).slice(0, 34);

/** The user's address on a chain. */
export const depositAddress = ({ uid, chain }: Pick<Deposit, "uid" | "chain">): string => addressOf(`deposit/${uid}/${chain}`);

/** A deposit over a chain, from an address of its own. */
export const chainDeposit = (terms: Pick<Deposit, "orderId" | "uid" | "coin" | "chain" | "amount" | "createdTime">): Deposit => ({
  ...terms,
  source: "on_chain",
  fromAddress: addressOf(`sender/${terms.orderId}`),
  txId: hashOf(terms.orderId),
});
