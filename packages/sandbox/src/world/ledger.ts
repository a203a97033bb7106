import { createHash, type Hash } from "node:crypto";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { type Cause, causeOf, causeText } from "./cause.js";

/**
 * The exchange's ledger: exact, double-entry, closed.
 *
 * Coins are minted only while the world is created; afterwards every posting moves an amount from one place to another, so the
 * total of a coin is constant and no balance is negative. All state follows from the postings, and a digest covers them: two
 * worlds with equal digests have made equal postings in equal order.
 */

/** Kinds of a user's wallets. A UTA account has `unified` and `funding`, a Classic one all but `unified`. */
export type WalletKind =
  | "spot"
  | "funding"
  | "usdt-futures"
  | "coin-futures"
  | "usdc-futures"
  | "unified"
  | "crossed-margin"
  | "isolated-margin"
  | "earn"
  | "collateral";
/** The exchange's own wallets; `chain` represents blockchains, the source of deposits and the destination of withdrawals. */
export const HOUSE_KINDS = ["market", "fees", "funding", "insurance", "interest", "lending", "convert", "chain"] as const;

type HouseKind = (typeof HOUSE_KINDS)[number];

/** A wallet's name: `uid/kind`, `uid/isolated-margin/symbol`, or `house/kind`. */
export type Wallet = string & { readonly wallet: unique symbol };

const named = (...parts: readonly string[]): Wallet => parts.join("/") as Wallet;
/** The wallet of a user; isolated margin has one per pair. */
export const walletOf = (uid: string, kind: WalletKind, symbol?: string): Wallet =>
  symbol === undefined ? named(uid, kind) : named(uid, kind, symbol);
export const houseWallet = (kind: HouseKind): Wallet => named("house", kind);
/** Owner of a wallet: a uid, or `house`. */
export const ownerOf = (wallet: Wallet): string => wallet.slice(0, wallet.indexOf("/"));

/** `frozen` stands behind orders and margin, `locked` behind everything that is not an order. */
type Bucket = "available" | "frozen" | "locked";

/** Balance of a wallet in one coin. */
export interface Balance {
  readonly available: Exact;
  readonly frozen: Exact;
  readonly locked: Exact;
  /** Unix ms of the last posting; 0 without one. */
  readonly updatedTime: number;
}

/** One end of a posting. */
export interface Place {
  readonly wallet: Wallet;
  readonly bucket: Bucket;
}

/** A movement of coins. `from` is missing only for minted ones. */
export interface Posting {
  /** Increases by one with each posting. */
  readonly number: number;
  /** Unix ms. */
  readonly at: number;
  readonly coin: string;
  readonly from: Place | undefined;
  readonly to: Place;
  readonly amount: Exact;
  readonly cause: Cause;
}

/** The balance of a wallet is too low. Nothing has been posted. */
export class InsufficientBalance extends Error {
  override readonly name = "InsufficientBalance";
}

/** An invalid posting: a negative amount, or a coin minted after the world was created. */
export class BadPosting extends Error {
  override readonly name = "BadPosting";
}

export const ZERO = exact("0");
const EMPTY: Balance = { available: ZERO, frozen: ZERO, locked: ZERO, updatedTime: 0 };

/** Called after each posting for each wallet that it changed. */
type BalanceListener = (wallet: Wallet, coin: string, posting: Posting) => void;

/** All balances, and their postings. */
export class Ledger {
  readonly #balances = new Map<Wallet, Map<string, Balance>>();
  readonly #supply = new Map<string, Exact>();
  readonly #digest: Hash = createHash("sha256");
  readonly #listeners = new Set<BalanceListener>();
  #posted = 0;
  #sealed = false;

  /** `now` is the time of the world in Unix ms. */
  constructor(private readonly now: () => number) {}

  /** Mints `amount`. Only while the world is created. */
  mint(wallet: Wallet, coin: string, amount: Exact): void {
    if (this.#sealed) throw new BadPosting("no coin is made after the world was");
    if (amount.lt(ZERO)) throw new BadPosting("an amount below zero");
    this.#supply.set(coin, (this.#supply.get(coin) ?? ZERO).plus(amount));
    this.#post(undefined, { wallet, bucket: "available" }, coin, amount, causeOf("opening"));
  }

  /** Ends minting: from here on every total is constant. */
  seal(): void {
    this.#sealed = true;
  }

  move(from: Wallet, to: Wallet, coin: string, amount: Exact, cause: Cause): void {
    this.transfer({ wallet: from, bucket: "available" }, { wallet: to, bucket: "available" }, coin, amount, cause);
  }

  /** Reserves available coins for the order `id`. */
  freeze(wallet: Wallet, coin: string, amount: Exact, id: string): void {
    this.transfer({ wallet, bucket: "available" }, { wallet, bucket: "frozen" }, coin, amount, causeOf("reservation", id));
  }

  release(wallet: Wallet, coin: string, amount: Exact, id: string): void {
    this.transfer({ wallet, bucket: "frozen" }, { wallet, bucket: "available" }, coin, amount, causeOf("reservation", id));
  }

  spend(from: Wallet, to: Wallet, coin: string, amount: Exact, cause: Cause): void {
    this.transfer({ wallet: from, bucket: "frozen" }, { wallet: to, bucket: "available" }, coin, amount, cause);
  }

  /** The general posting, between any buckets. Throws `InsufficientBalance` and then changes nothing. */
  transfer(from: Place, to: Place, coin: string, amount: Exact, cause: Cause): void {
    if (amount.lt(ZERO)) throw new BadPosting("an amount below zero");
    if (amount.eq(ZERO)) return;
    const held = this.balance(from.wallet, coin)[from.bucket];
    if (held.lt(amount))
      throw new InsufficientBalance(`${from.wallet} holds ${plain(held)} ${coin} ${from.bucket}, not ${plain(amount)}`);
    this.#post(from, to, coin, amount, cause);
  }

  balance(wallet: Wallet, coin: string): Balance {
    return this.#balances.get(wallet)?.get(coin) ?? EMPTY;
  }

  /** Total balance of a coin in a wallet: available, frozen and locked. */
  held(wallet: Wallet, coin: string): Exact {
    const { available, frozen, locked } = this.balance(wallet, coin);
    return available.plus(frozen).plus(locked);
  }

  /** All coins that a wallet has ever had, with their balances, by name. */
  coins(wallet: Wallet): readonly (readonly [coin: string, balance: Balance])[] {
    return [...(this.#balances.get(wallet) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** All wallets, in the order in which they were first used. */
  wallets(): readonly Wallet[] {
    return [...this.#balances.keys()];
  }

  supply(): ReadonlyMap<string, Exact> {
    return this.#supply;
  }

  /** Total balance of a coin over all wallets; always equal to its supply. */
  total(coin: string): Exact {
    let sum = ZERO;
    for (const wallet of this.#balances.keys()) sum = sum.plus(this.held(wallet, coin));
    return sum;
  }

  get posted(): number {
    return this.#posted;
  }

  digest(): string {
    return this.#digest.copy().digest("hex");
  }

  /** Notifies `listener` of every change; the returned function stops that. */
  onChange(listener: BalanceListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #post(from: Place | undefined, to: Place, coin: string, amount: Exact, cause: Cause): void {
    const at = this.now();
    const posting: Posting = { number: ++this.#posted, at, coin, from, to, amount, cause };
    if (from !== undefined) this.#add(from, coin, ZERO.minus(amount), at);
    this.#add(to, coin, amount, at);
    const source = from === undefined ? "" : `${from.wallet}.${from.bucket}`;
    const target = `${to.wallet}.${to.bucket}`;
    this.#digest.update(`${posting.number}|${at}|${coin}|${source}|${target}|${plain(amount)}|${causeText(cause)}\n`);
    for (const listener of this.#listeners) {
      listener(to.wallet, coin, posting);
      if (from !== undefined && from.wallet !== to.wallet) listener(from.wallet, coin, posting);
    }
  }

  #add({ wallet, bucket }: Place, coin: string, amount: Exact, at: number): void {
    const coins = this.#balances.get(wallet) ?? new Map<string, Balance>();
    this.#balances.set(wallet, coins);
    const balance = coins.get(coin) ?? EMPTY;
    coins.set(coin, { ...balance, [bucket]: balance[bucket].plus(amount), updatedTime: at });
  }
}
