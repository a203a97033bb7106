import type { Exact } from "@exchange-graph/contract/decimal";
import type { Cause } from "../cause.js";
import { IdSequence } from "../ids.js";
import { houseWallet, type Ledger, ownerOf, type Posting, type Wallet, ZERO } from "../ledger.js";
import { Register } from "../register.js";

/** One change of the balance of a wallet in a coin. */
export interface FinancialRecord {
  readonly id: string;
  readonly wallet: Wallet;
  readonly coin: string;
  readonly cause: Cause;
  /** Where the coins came from or went to; undefined for the initial balance. */
  readonly counterparty: Wallet | undefined;
  /** The change without the fee, with its sign. */
  amount: Exact;
  /** The trading fee, zero or less. The balance changes by amount and fee. */
  fee: Exact;
  /** The balance afterwards: available, frozen and locked. */
  balance: Exact;
  /** Unix ms. */
  readonly at: number;
}

const FEES = houseWallet("fees");
/** Number of records kept per user; only those of the last ninety days can be requested. */
const RECORDS_PER_USER = 20_000;

/**
 * The records of all users, derived from the ledger's postings: for every wallet and coin the balance is the sum of its records,
 * because nothing else makes a record and no posting is left out.
 */
export class FinancialRecords {
  readonly #records = new Register<FinancialRecord>(({ id }) => id, RECORDS_PER_USER);
  /** The latest record of each wallet and coin. */
  readonly #latest = new Map<string, FinancialRecord>();
  /** Not the world's sequence: records come from every posting, and would change the ids of orders. */
  readonly #ids: IdSequence;

  constructor(
    private readonly ledger: Ledger,
    now: () => number,
  ) {
    this.#ids = new IdSequence(now);
    ledger.onChange((wallet, coin, posting) => this.#enter(wallet, coin, posting));
  }

  /** A user's records, newest first. */
  of(uid: string): readonly FinancialRecord[] {
    return this.#records.of(uid);
  }

  #enter(wallet: Wallet, coin: string, { from, to, amount, cause, at }: Posting): void {
    const uid = ownerOf(wallet);
    if (uid === "house" || from?.wallet === to.wallet) return;
    const isPaid = from?.wallet === wallet;
    const counterparty = isPaid ? to.wallet : from?.wallet;
    const change = isPaid ? ZERO.minus(amount) : amount;
    const record = this.#recordOf(uid, { wallet, coin, cause, counterparty, at });
    if (counterparty === FEES) record.fee = record.fee.plus(change);
    else record.amount = record.amount.plus(change);
    record.balance = this.ledger.held(wallet, coin);
  }

  /** The latest record if it is of the same event, which may take several postings; otherwise a new one. */
  #recordOf(uid: string, event: Pick<FinancialRecord, "wallet" | "coin" | "cause" | "counterparty" | "at">): FinancialRecord {
    const key = `${event.wallet}/${event.coin}`;
    const latest = this.#latest.get(key);
    if (latest?.cause === event.cause) return latest;
    const record = { ...event, id: this.#ids.next(), amount: ZERO, fee: ZERO, balance: ZERO };
    this.#latest.set(key, record);
    this.#records.enter(uid, record);
    return record;
  }
}
