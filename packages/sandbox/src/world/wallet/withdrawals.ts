import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { inCapitals, isNamed } from "@exchange-graph/contract/letterCase";
import type { WITHDRAWAL_DESTINATIONS, WITHDRAWAL_STATUSES } from "@exchange-graph/contract/wallet";
import { Refused } from "../../refused.js";
import { ZERO } from "../ledger.js";
import { Register } from "../register.js";
import { CHAINS, type Chain } from "./chains.js";
import { addressOf, hashOf } from "./deposits.js";

/** A requested withdrawal with its destination. */
export interface WithdrawalOrder {
  readonly uid: string;
  readonly coin: string;
  readonly dest: (typeof WITHDRAWAL_DESTINATIONS)[number];
  /** Default: the coin's main chain. */
  readonly chain?: string | undefined;
  /** An address of the chain, or another user's uid. */
  readonly address: string;
  readonly amount: Exact;
  readonly tag?: string | undefined;
  readonly clientOid?: string | undefined;
}

/** A withdrawal of the exchange's records. */
export interface Withdrawal extends WithdrawalOrder {
  readonly orderId: string;
  readonly chain: string;
  /** Part of the amount. */
  readonly fee: Exact;
  /** The transaction on the chain, or the internal transfer. */
  readonly txId: string;
  /** Unix ms. */
  readonly createdTime: number;
}

/** The exchange's own address on a chain; empty between users. */
export const fromAddress = ({ dest, chain }: Withdrawal): string =>
  dest === "internal_transfer" ? "" : addressOf(`hot wallet/${chain}`);

/** Time until a chain confirms a withdrawal. */
const CONFIRMATION_MS = 60_000;
export const KEPT_PER_USER = 5_000;

/** A list of withdrawals per user, newest first. */
export const withdrawalRegister = (): Register<Withdrawal> => new Register(({ orderId }) => orderId, KEPT_PER_USER);

/**
 * The withdrawal of an order, with its chain, fee and transaction. Refuses a coin that cannot be withdrawn, a chain that the coin
 * does not have, and an amount below the fee.
 */
export function withdrawalOf(order: WithdrawalOrder, orderId: string, createdTime: number): Withdrawal {
  const chain = chainOf(order.coin, order.chain);
  const fee = order.dest === "on_chain" ? exact(chain.fee) : ZERO;
  if (order.amount.lte(fee)) throw new Refused(REFUSAL.malformedParameter, "amount");
  return { ...order, orderId, chain: chain.name, fee, txId: hashOf(orderId), createdTime };
}

/** The chain of a name in any letter case, or the main chain. Refuses a coin without chains, and a chain that it does not have. */
export function chainOf(coin: string, chain: string | undefined): Chain {
  const chains = CHAINS.get(coin);
  if (chains === undefined) throw new Refused(REFUSAL.illegalValue, "coin");
  const found = chain === undefined ? chains[0] : chains.find(({ name }) => isNamed(inCapitals(name), chain));
  if (found === undefined) throw new Refused(REFUSAL.illegalValue, "chain");
  return found;
}

/** Withdrawals between users complete at once, the others when the chain has confirmed them. */
export const statusAt = ({ dest, createdTime }: Withdrawal, now: number): (typeof WITHDRAWAL_STATUSES)[number] =>
  dest === "internal_transfer" || now >= createdTime + CONFIRMATION_MS ? "success" : "pending";
