import { createHash } from "node:crypto";
import { REFUSAL } from "../../../contract/errors/refusal.js";
import type { WITHDRAWAL_DESTINATIONS, WITHDRAWAL_STATUSES } from "../../../contract/wallet.js";
import { type Exact, exact } from "../../../decimal.js";
import { Refused } from "../../refused.js";
import type { Accounts } from "../accounts.js";
import { affordOr } from "../afford.js";
import type { BackOffice } from "../backOffice.js";
import { houseWallet, walletOf, ZERO } from "../ledger.js";
import { Register } from "../register.js";
import { type Chain, MAIN_CHAINS } from "./chains.js";
import type { SubAccount } from "./subAccount.js";

/** What a broker asks to be withdrawn. */
export interface WithdrawalOrder {
  readonly subUid: string;
  readonly coin: string;
  readonly dest: (typeof WITHDRAWAL_DESTINATIONS)[number];
  readonly chain?: string | undefined;
  readonly address: string;
  readonly amount: Exact;
  readonly tag?: string | undefined;
  readonly clientOid?: string | undefined;
}

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

/** How many sub-accounts a broker may have. */
export const MAX_SUB_ACCOUNTS = 1_000;
/** How long a chain takes to confirm. */
const CONFIRMATION_MS = 60_000;
const WITHDRAWALS_PER_BROKER = 5_000;

/** What an ND broker does with its sub-accounts. */
export class BrokerDesk {
  readonly #subAccounts = new Register<SubAccount>(({ uid }) => uid, MAX_SUB_ACCOUNTS);
  readonly #withdrawals = new Register<Withdrawal>(({ orderId }) => orderId, WITHDRAWALS_PER_BROKER);

  constructor(
    readonly office: BackOffice,
    readonly accounts: Accounts,
  ) {}

  /** Enters a sub-account of a broker. */
  enter(subAccount: SubAccount): void {
    this.#subAccounts.enter(subAccount.brokerUid, subAccount);
  }

  /** The broker's sub-accounts, newest first. */
  subAccounts(brokerUid: string): readonly SubAccount[] {
    return this.#subAccounts.of(brokerUid);
  }

  /** One of the broker's sub-accounts. Refuses a uid that is not one of them. */
  subAccount(brokerUid: string, uid: string): SubAccount {
    const found = this.#subAccounts.find(brokerUid, uid);
    if (found === undefined) throw new Refused(REFUSAL.unknownValue, "subUid");
    return found;
  }

  changeEmail(brokerUid: string, uid: string, email: string): SubAccount {
    const changed = { ...this.subAccount(brokerUid, uid), email, updatedTime: this.office.now() };
    this.#subAccounts.remove(brokerUid, uid);
    this.#subAccounts.enter(brokerUid, changed);
    return changed;
  }

  /** The broker's withdrawals, newest first. */
  withdrawals(brokerUid: string): readonly Withdrawal[] {
    return this.#withdrawals.of(brokerUid);
  }

  /** Withdrawals between users are done at once, the others when the chain has confirmed them. */
  statusOf({ dest, createdTime }: Withdrawal): (typeof WITHDRAWAL_STATUSES)[number] {
    return dest === "internal_transfer" || this.office.now() >= createdTime + CONFIRMATION_MS ? "success" : "pending";
  }

  /** Withdraws from a sub-account. A `clientOid` that was used before gives the first withdrawal and moves nothing. */
  withdraw(brokerUid: string, order: WithdrawalOrder): Withdrawal {
    const { uid } = this.subAccount(brokerUid, order.subUid);
    const earlier = order.clientOid === undefined ? undefined : this.#byClientOid(brokerUid, order.clientOid);
    if (earlier !== undefined) return earlier;
    const chain = chainOf(order);
    const fee = order.dest === "on_chain" ? exact(chain.fee) : ZERO;
    if (order.amount.lte(fee)) throw new Refused(REFUSAL.malformedParameter, "amount");
    affordOr(REFUSAL.insufficientBalance, () => this.#post(uid, order, fee));
    const { ids, now } = this.office;
    const orderId = ids.next();
    const txId = createHash("sha256").update(orderId).digest("hex");
    const withdrawal = { ...order, orderId, chain: order.chain ?? chain.name, fee, txId, createdTime: now() };
    this.#withdrawals.enter(brokerUid, withdrawal);
    return withdrawal;
  }

  #post(uid: string, { coin, dest, address, amount }: WithdrawalOrder, fee: Exact): void {
    const { ledger, fundsOf } = this.office;
    const from = walletOf(uid, "spot");
    if (dest === "internal_transfer") {
      if (this.accounts.find(address) === undefined) throw new Refused(REFUSAL.badWithdrawalAddress);
      ledger.move(from, fundsOf(address), coin, amount, "internal withdrawal");
      return;
    }
    // In one posting the balance has to cover the whole amount; the fee then comes out of what arrived.
    ledger.move(from, houseWallet("chain"), coin, amount, "withdrawal");
    ledger.move(houseWallet("chain"), houseWallet("fees"), coin, fee, "withdrawal fee");
  }

  #byClientOid(brokerUid: string, clientOid: string): Withdrawal | undefined {
    return this.withdrawals(brokerUid).find((withdrawal) => withdrawal.clientOid === clientOid);
  }
}

function chainOf({ coin }: WithdrawalOrder): Chain {
  const chain = MAIN_CHAINS.get(coin);
  if (chain === undefined) throw new Refused(REFUSAL.illegalValue, "coin");
  return chain;
}
