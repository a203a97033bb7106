import type { Exact } from "@exchange-graph/contract/decimal";
import { type Cause, causeOf } from "../cause.js";
import { IdSequence } from "../ids.js";
import { houseWallet, type Ledger, ownerOf, type Posting, type Wallet, walletOf, ZERO } from "../ledger.js";
import type { Pasts } from "../pasts.js";
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

/** A change from before the start of the world, which made no posting. */
export type PastChange = Pick<FinancialRecord, "wallet" | "coin" | "cause" | "amount" | "fee" | "at">;

const FEES = houseWallet("fees");
/** Before the start of the world: when coins of the past leave their wallet. */
const LEAVES_BEFORE_MS = 1_000;

const keyOf = ({ wallet, coin }: Pick<FinancialRecord, "wallet" | "coin">): string => `${wallet}/${coin}`;

/** Number of records kept per user; only those of the last ninety days can be requested. */
const RECORDS_PER_USER = 20_000;

/**
 * The records of all users, derived from the ledger's postings: for every wallet and coin the balance is the sum of its records,
 * because nothing else makes a record and no posting is left out.
 */
export class FinancialRecords {
  readonly #records = new Register<FinancialRecord>(({ id }) => id, RECORDS_PER_USER);
  readonly #latest = new Map<string, FinancialRecord>();
  /** Not the world's sequence: records come from every posting, and would change the ids of orders. */
  readonly #ids: IdSequence;

  constructor(
    private readonly ledger: Ledger,
    private readonly pasts: Pasts,
    now: () => number,
  ) {
    this.#ids = new IdSequence(now);
    ledger.onChange((wallet, coin, posting) => this.#enter(wallet, coin, posting));
  }

  /** A user's records, newest first. */
  of(uid: string): readonly FinancialRecord[] {
    this.pasts.recall(uid);
    return this.#records.of(uid);
  }

  /**
   * Adds what had changed a user's balances in these wallets before the start of the world. The initial balances are then what was left of
   * them, and had been there since `openedAt`. Coins without which a balance had been below zero left their wallet just before the start.
   */
  enterPast(
    uid: string,
    { openedAt, began, wallets }: { readonly openedAt: number; readonly began: number; readonly wallets: readonly Wallet[] },
    changes: readonly PastChange[],
  ): void {
    const byBalance = new Map<string, PastChange[]>();
    for (const change of [...changes].sort((one, other) => one.at - other.at)) {
      const own = byBalance.get(keyOf(change));
      if (own === undefined) byBalance.set(keyOf(change), [change]);
      else own.push(change);
    }
    const openings = this.#records
      .of(uid)
      .filter(({ cause, at, wallet }) => cause.kind === "opening" && at === began && wallets.includes(wallet));
    const left = new Map(openings.map((opening) => [keyOf(opening), opening]));
    for (const { id } of openings) this.#records.remove(uid, id);
    for (const key of new Set([...left.keys(), ...byBalance.keys()])) {
      const own = byBalance.get(key) ?? [];
      const some = left.get(key) ?? own[0];
      if (some === undefined) continue;
      const { wallet, coin } = some;
      const sum = own.reduce((total, { amount, fee }) => total.plus(amount).plus(fee), ZERO);
      const first = (left.get(key)?.balance ?? ZERO).minus(sum);
      let [balance, lowest] = [first, first];
      for (const { amount, fee } of own) {
        balance = balance.plus(amount).plus(fee);
        if (balance.lt(lowest)) lowest = balance;
      }
      const lack = lowest.lt(ZERO) ? ZERO.minus(lowest) : ZERO;
      const enter = (change: PastChange, counterparty?: Wallet) => {
        balance = balance.plus(change.amount).plus(change.fee);
        if (change.amount.eq(ZERO) && change.fee.eq(ZERO)) return;
        this.#records.enter(uid, { ...change, id: this.#ids.past(change.at), counterparty, balance });
      };
      balance = ZERO;
      enter({ wallet, coin, cause: causeOf("opening"), amount: first.plus(lack), fee: ZERO, at: openedAt });
      for (const change of own) enter(change);
      const leaving = {
        wallet,
        coin,
        cause: causeOf("transfer"),
        amount: ZERO.minus(lack),
        fee: ZERO,
        at: began - LEAVES_BEFORE_MS,
      };
      enter(leaving, walletOf(uid, "funding"));
    }
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
    const key = keyOf(event);
    const latest = this.#latest.get(key);
    if (latest?.cause === event.cause) return latest;
    const record = { ...event, id: this.#ids.next(), amount: ZERO, fee: ZERO, balance: ZERO };
    this.#latest.set(key, record);
    this.#records.enter(uid, record);
    return record;
  }
}
