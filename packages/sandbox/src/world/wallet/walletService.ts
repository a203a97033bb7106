import type { Exact } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Refused } from "../../refused.js";
import type { Accounts } from "../accounts.js";
import type { BackOffice } from "../backOffice.js";
import { causeOf } from "../cause.js";
import { isUnified } from "../funds/wallets.js";
import { houseWallet, type Wallet, walletOf } from "../ledger.js";
import { Register } from "../register.js";
import { chainDeposit, type Deposit } from "./deposits.js";
import {
  chainOf,
  KEPT_PER_USER,
  type Withdrawal,
  type WithdrawalOrder,
  withdrawalOf,
  withdrawalRegister,
} from "./withdrawals.js";

const CHAIN = houseWallet("chain");
const FEES = houseWallet("fees");

/** Coins that enter and leave the exchange, and that users send to each other. */
export class WalletService {
  /** Users' withdrawals from their own accounts. */
  readonly withdrawals = withdrawalRegister();
  readonly deposits = new Register<Deposit>(({ orderId }) => orderId, KEPT_PER_USER);

  constructor(
    readonly office: BackOffice,
    readonly accounts: Accounts,
  ) {}

  /** The wallet of deposits and withdrawals: `spot` of a Classic account, `funding` of a unified one. */
  walletOf(uid: string): Wallet {
    return walletOf(uid, isUnified(this.accounts.of(uid)) ? "funding" : "spot");
  }

  /** Withdraws from the account. */
  withdraw(order: WithdrawalOrder): Withdrawal {
    return this.payOut(order, this.walletOf(order.uid), this.withdrawals, order.uid);
  }

  /**
   * Pays a withdrawal from a wallet and enters it into the records of its owner. Refuses a balance that is too low, and a receiver who
   * does not exist. With a `clientOid` that the owner has used before it returns the first withdrawal and moves nothing.
   */
  payOut(order: WithdrawalOrder, from: Wallet, records: Register<Withdrawal>, owner: string): Withdrawal {
    const isRepeated = ({ clientOid }: Withdrawal) => clientOid !== undefined && clientOid === order.clientOid;
    const earlier = records.of(owner).find(isRepeated);
    if (earlier !== undefined) return earlier;
    const { ids, now, ledger } = this.office;
    const withdrawal = withdrawalOf(order, ids.next(), now());
    const isInternal = order.dest === "internal_transfer";
    if (isInternal && this.accounts.find(order.address) === undefined) throw new Refused(REFUSAL.badWithdrawalAddress);
    if (ledger.balance(from, order.coin).available.lt(order.amount)) throw new Refused(REFUSAL.insufficientBalance);
    if (isInternal) this.#send(withdrawal, from);
    else this.#leave(withdrawal, from);
    records.enter(owner, withdrawal);
    return withdrawal;
  }

  /** Credits a deposit that a chain has confirmed. */
  deposit(uid: string, coin: string, amount: Exact, chain?: string): Deposit {
    const { ledger, ids, now } = this.office;
    const orderId = ids.next();
    const deposit = chainDeposit({ orderId, uid, coin, chain: chainOf(coin, chain).name, amount, createdTime: now() });
    ledger.move(CHAIN, this.walletOf(uid), coin, amount, causeOf("deposit", orderId));
    this.deposits.enter(uid, deposit);
    return deposit;
  }

  #leave({ orderId, coin, amount, fee }: Withdrawal, from: Wallet): void {
    const { ledger } = this.office;
    const cause = causeOf("withdrawal", orderId);
    // In one posting the balance has to cover the whole amount; the fee is then deducted from the received amount.
    ledger.move(from, CHAIN, coin, amount, cause);
    ledger.move(CHAIN, FEES, coin, fee, cause);
  }

  #send({ orderId, uid, coin, chain, address, amount, txId, createdTime }: Withdrawal, from: Wallet): void {
    this.office.ledger.move(from, this.walletOf(address), coin, amount, causeOf("withdrawal", orderId));
    const received = { orderId, uid: address, coin, chain, amount, txId, createdTime };
    this.deposits.enter(address, { ...received, source: "internal_transfer", fromAddress: uid });
  }
}
