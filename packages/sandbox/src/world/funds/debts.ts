import { type Exact, exact } from "@exchange-graph/contract/decimal";
import { HOURLY_INTEREST } from "../catalogue/margin.js";
import { causeOf } from "../cause.js";
import { houseWallet, type Ledger, ownerOf, type Wallet, ZERO } from "../ledger.js";
import { least, up } from "../money.js";

interface Debt {
  readonly principal: Exact;
  /** Accrued and not yet paid. */
  readonly interest: Exact;
}

const NO_DEBT: Debt = { principal: ZERO, interest: ZERO };
const LENDING = houseWallet("lending");
const INTEREST = houseWallet("interest");
const HOURLY = exact(HOURLY_INTEREST);

/** Total debt: principal and interest. */
export const totalDebt = ({ principal, interest }: Debt): Exact => principal.plus(interest);

/**
 * Coins that margin wallets have borrowed from the exchange. Borrowed coins come from the lending pool, and every later receipt
 * of the coin repays them first.
 */
export class Debts {
  readonly #byWallet = new Map<Wallet, Map<string, Debt>>();

  constructor(private readonly ledger: Ledger) {}

  of(wallet: Wallet, coin: string): Debt {
    return this.#byWallet.get(wallet)?.get(coin) ?? NO_DEBT;
  }

  all(wallet: Wallet): readonly (readonly [coin: string, debt: Debt])[] {
    return [...(this.#byWallet.get(wallet) ?? [])];
  }

  owners(): readonly string[] {
    return [...new Set([...this.#byWallet.keys()].map(ownerOf))];
  }

  owes(uid: string): boolean {
    return this.owners().includes(uid);
  }

  /** Moves the debts of a wallet to another one, with the coins. */
  hand(from: Wallet, to: Wallet): void {
    for (const [coin, debt] of this.all(from)) {
      const before = this.of(to, coin);
      this.#set(to, coin, { principal: before.principal.plus(debt.principal), interest: before.interest.plus(debt.interest) });
      this.#set(from, coin, NO_DEBT);
    }
  }

  borrow(wallet: Wallet, coin: string, amount: Exact): void {
    if (amount.lte(ZERO)) return;
    this.ledger.move(LENDING, wallet, coin, amount, causeOf("borrow"));
    const debt = this.of(wallet, coin);
    this.#set(wallet, coin, { ...debt, principal: debt.principal.plus(amount) });
  }

  /** Repays from the available balance, interest first. */
  repay(wallet: Wallet, coin: string): void {
    const debt = this.of(wallet, coin);
    if (debt === NO_DEBT) return;
    const interest = least(debt.interest, this.ledger.balance(wallet, coin).available);
    this.ledger.move(wallet, INTEREST, coin, interest, causeOf("interest"));
    const principal = least(debt.principal, this.ledger.balance(wallet, coin).available);
    this.ledger.move(wallet, LENDING, coin, principal, causeOf("repayment"));
    this.#set(wallet, coin, { principal: debt.principal.minus(principal), interest: debt.interest.minus(interest) });
  }

  /** Adds the interest of one hour to every debt. */
  accrue(): void {
    for (const [wallet, debts] of [...this.#byWallet]) {
      for (const [coin, debt] of [...debts]) {
        this.#set(wallet, coin, { ...debt, interest: debt.interest.plus(up(debt.principal.times(HOURLY))) });
        this.repay(wallet, coin);
      }
    }
  }

  #set(wallet: Wallet, coin: string, debt: Debt): void {
    const debts = this.#byWallet.get(wallet) ?? new Map<string, Debt>();
    if (totalDebt(debt).eq(ZERO)) debts.delete(coin);
    else debts.set(coin, debt);
    if (debts.size === 0) this.#byWallet.delete(wallet);
    else this.#byWallet.set(wallet, debts);
  }
}
