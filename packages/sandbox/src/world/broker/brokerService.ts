import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../../refused.js";
import type { Accounts } from "../accounts.js";
import type { BackOffice } from "../backOffice.js";
import { walletOf } from "../ledger.js";
import { Register } from "../register.js";
import type { WalletService } from "../wallet/walletService.js";
import { type Withdrawal, type WithdrawalOrder, withdrawalRegister } from "../wallet/withdrawals.js";
import type { SubAccount } from "./subAccount.js";

/** Maximum number of sub-accounts of a broker. */
export const MAX_SUB_ACCOUNTS = 1_000;

/** Operations of an ND broker on its sub-accounts. */
export class BrokerService {
  readonly #subAccounts = new Register<SubAccount>(({ uid }) => uid, MAX_SUB_ACCOUNTS);
  readonly #withdrawals = withdrawalRegister();

  constructor(
    readonly office: BackOffice,
    readonly accounts: Accounts,
    private readonly wallets: WalletService,
  ) {}

  /** Adds a sub-account of a broker. */
  enter(subAccount: SubAccount): void {
    this.#subAccounts.enter(subAccount.brokerUid, subAccount);
  }

  /** The broker's sub-accounts, newest first. */
  subAccounts(brokerUid: string): readonly SubAccount[] {
    return this.#subAccounts.of(brokerUid);
  }

  /** One of the broker's sub-accounts. Refuses other uids. */
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

  /** Prepares the withdrawals from before the start of the world. */
  prepare(brokerUid: string, past: () => Iterable<Withdrawal>): void {
    this.#withdrawals.prepare(brokerUid, past);
  }

  /** Withdraws from a sub-account. With a `clientOid` that was used before it returns the first withdrawal and moves nothing. */
  withdraw(brokerUid: string, order: WithdrawalOrder): Withdrawal {
    this.subAccount(brokerUid, order.uid);
    const earlier = this.#byClientOid(brokerUid, order.clientOid);
    if (earlier !== undefined) return earlier;
    const withdrawal = this.wallets.payOut(order, walletOf(order.uid, "spot"));
    this.#withdrawals.enter(brokerUid, withdrawal);
    return withdrawal;
  }

  #byClientOid(brokerUid: string, clientOid: string | undefined): Withdrawal | undefined {
    if (clientOid === undefined) return undefined;
    return this.withdrawals(brokerUid).find((withdrawal) => withdrawal.clientOid === clientOid);
  }
}
