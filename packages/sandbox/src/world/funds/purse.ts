import type { Exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { type Cause, causeOf } from "../cause.js";
import { houseWallet, type Wallet, ZERO } from "../ledger.js";
import type { OrderService } from "../orders/orderService.js";
import type { State } from "../state.js";
import { isUnified, tradingWallet } from "./wallets.js";

const INSURANCE = houseWallet("insurance");

/**
 * Payments that cannot be refused: losses, fees and funding of positions. If the balance is too low, a unified account borrows
 * against its other coins, a Classic one cancels orders to release coins, and the insurance fund pays the rest.
 */
export class Purse {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
  ) {}

  pay(uid: string, category: ProductCategory, coin: string, amount: Exact, to: Wallet, cause: Cause): void {
    const account = this.state.accounts.of(uid);
    const wallet = tradingWallet(account, category);
    if (this.#missing(wallet, coin, amount).gt(ZERO)) {
      if (isUnified(account)) this.state.debts.borrow(wallet, coin, this.#missing(wallet, coin, amount));
      else this.#relieve(uid, wallet, coin, amount);
    }
    this.state.ledger.move(wallet, to, coin, amount, cause);
  }

  receive(uid: string, category: ProductCategory, coin: string, amount: Exact, from: Wallet, cause: Cause): void {
    const wallet = tradingWallet(this.state.accounts.of(uid), category);
    this.state.ledger.move(from, wallet, coin, amount, cause);
    this.state.debts.repay(wallet, coin);
  }

  /** Pays a negative amount, receives a positive one. */
  settle(uid: string, category: ProductCategory, coin: string, amount: Exact, house: Wallet, cause: Cause): void {
    if (amount.lt(ZERO)) this.pay(uid, category, coin, ZERO.minus(amount), house, cause);
    else this.receive(uid, category, coin, amount, house, cause);
  }

  /** Fills the wallet up to `amount` from the insurance fund. */
  insure(wallet: Wallet, coin: string, amount: Exact): void {
    const missing = this.#missing(wallet, coin, amount);
    if (missing.gt(ZERO)) this.state.ledger.move(INSURANCE, wallet, coin, missing, causeOf("insurance"));
  }

  #relieve(uid: string, wallet: Wallet, coin: string, amount: Exact): void {
    for (const order of [...this.state.orders.open(uid)].reverse()) {
      if (order.reserved?.coin !== coin || this.service.walletOf(order) !== wallet) continue;
      this.service.cancel(order, "delegated_risk_order_cancel");
      if (this.#missing(wallet, coin, amount).lte(ZERO)) return;
    }
    this.insure(wallet, coin, amount);
  }

  #missing(wallet: Wallet, coin: string, amount: Exact): Exact {
    return amount.minus(this.state.ledger.balance(wallet, coin).available);
  }
}
