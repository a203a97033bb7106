import type { SUB_ACCOUNT_STATUSES } from "@exchange-graph/contract/broker";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../../refused.js";
import type { Accounts } from "../accounts.js";
import type { BackOffice } from "../backOffice.js";
import { walletOf } from "../ledger.js";
import { Register } from "../register.js";
import type { WalletService } from "../wallet/walletService.js";
import { type Withdrawal, type WithdrawalOrder, withdrawalRegister } from "../wallet/withdrawals.js";

/** A broker's record of a sub-account. Its balances are in the ledger under its own uid. */
export interface SubAccount {
  readonly uid: string;
  /** User name, in e-mail form with the sub-account's own name in front. */
  readonly name: string;
  readonly email: string;
  readonly status: (typeof SUB_ACCOUNT_STATUSES)[number];
  readonly permissions: readonly string[];
  readonly label: string;
  readonly language: string;
  /** Unix ms. */
  readonly createdTime: number;
  readonly updatedTime: number;
}

/** Maximum number of sub-accounts of a broker. */
export const MAX_SUB_ACCOUNTS = 1_000;

/** Operations of an ND broker on its sub-accounts. */
export class BrokerService {
  readonly subAccounts = new Register<SubAccount>(({ uid }) => uid, MAX_SUB_ACCOUNTS);
  readonly withdrawals = withdrawalRegister();

  constructor(
    readonly office: BackOffice,
    readonly accounts: Accounts,
    private readonly wallets: WalletService,
  ) {}

  /** One of the broker's sub-accounts. Refuses other uids. */
  subAccount(brokerUid: string, uid: string): SubAccount {
    const found = this.subAccounts.find(brokerUid, uid);
    if (found === undefined) throw new Refused(REFUSAL.unknownValue, "subUid");
    return found;
  }

  changeEmail(brokerUid: string, uid: string, email: string): SubAccount {
    const changed = { ...this.subAccount(brokerUid, uid), email, updatedTime: this.office.now() };
    this.subAccounts.remove(brokerUid, uid);
    this.subAccounts.enter(brokerUid, changed);
    return changed;
  }

  /** Withdraws from a sub-account. */
  withdraw(brokerUid: string, order: WithdrawalOrder): Withdrawal {
    this.subAccount(brokerUid, order.uid);
    return this.wallets.payOut(order, walletOf(order.uid, "spot"), this.withdrawals, brokerUid);
  }
}
