import type { Exact } from "@exchange-graph/contract/decimal";
import { type Cause, causeOf } from "../cause.js";
import { isUnified, tradingWallet } from "../funds/wallets.js";
import { houseWallet, type Place, type Wallet, ZERO } from "../ledger.js";
import { down, least, most } from "../money.js";
import type { OrderService } from "../orders/orderService.js";
import type { State } from "../state.js";
import type { Position } from "./position.js";

const MARKET = houseWallet("market");
const FEES = houseWallet("fees");
const FUNDING = houseWallet("funding");
const INSURANCE = houseWallet("insurance");

/**
 * The coins that back a position. With cross margin nothing is reserved, and the owner of the position pays from the whole
 * wallet. With isolated margin a part of the wallet is locked, which limits the loss: the insurance fund pays the rest.
 */
export class PositionMargin {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
  ) {}

  /** Locks margin for an isolated position, up to the balance of the wallet. */
  lock(position: Position, amount: Exact): void {
    const { available } = this.state.ledger.balance(this.#walletOf(position), position.marginCoin);
    const locked = least(amount, available);
    this.#shift(position, "available", "locked", locked);
    position.margin = position.margin.plus(locked);
  }

  /** Releases margin of an isolated position, up to its margin. */
  unlock(position: Position, amount: Exact): void {
    const freed = least(amount, position.margin);
    this.#shift(position, "locked", "available", freed);
    position.margin = position.margin.minus(freed);
  }

  #shift(position: Position, from: Place["bucket"], to: Place["bucket"], amount: Exact): void {
    const wallet = this.#walletOf(position);
    const cause = causeOf("margin", position.positionId);
    this.state.ledger.transfer({ wallet, bucket: from }, { wallet, bucket: to }, position.marginCoin, amount, cause);
  }

  payFee(position: Position, fee: Exact, cause: Cause): void {
    this.#pay(position, fee, FEES, cause);
  }

  settleFunding(position: Position, amount: Exact): void {
    const { category, symbol, positionId } = position;
    this.#cover(position, ZERO.minus(amount), ZERO);
    this.#settle(position, amount, FUNDING, { kind: "funding", id: positionId, category, symbol });
  }

  /** Settles the closing of a part of a position: its profit or loss, and the fee. */
  settleClosing(position: Position, quantity: Exact, profit: Exact, fee: Exact, cause: Cause): void {
    const { margin, size } = position;
    const share = quantity.eq(size) ? margin : down(margin.times(quantity).div(size));
    this.#cover(position, fee.minus(profit), share);
    this.#settle(position, profit, MARKET, cause);
    this.payFee(position, fee, cause);
  }

  /** Releases margin of an isolated position for its loss, and at least `share`; losses beyond its margin are insured. */
  #cover(position: Position, loss: Exact, share: Exact): void {
    if (position.marginMode === "crossed") return;
    const uncovered = loss.minus(position.margin);
    this.unlock(position, most(share, loss));
    if (uncovered.lte(ZERO)) return;
    const cause = causeOf("insurance", position.positionId);
    this.state.ledger.move(INSURANCE, this.#walletOf(position), position.marginCoin, uncovered, cause);
  }

  /** Pays a negative amount, receives a positive one. */
  #settle(position: Position, amount: Exact, house: Wallet, cause: Cause): void {
    if (amount.lt(ZERO)) {
      this.#pay(position, ZERO.minus(amount), house, cause);
      return;
    }
    const wallet = this.#walletOf(position);
    this.state.ledger.move(house, wallet, position.marginCoin, amount, cause);
    this.state.debts.repay(wallet, position.marginCoin);
  }

  /**
   * Losses, fees and funding cannot be refused. If the balance is too low, a unified account borrows against its other coins, a
   * Classic one cancels orders to release coins, and the insurance fund pays the rest.
   */
  #pay(position: Position, amount: Exact, to: Wallet, cause: Cause): void {
    const { ledger, debts, accounts } = this.state;
    const { uid, marginCoin } = position;
    const wallet = this.#walletOf(position);
    const missing = this.#missing(position, amount);
    if (missing.gt(ZERO)) {
      if (isUnified(accounts.of(uid))) debts.borrow(wallet, marginCoin, missing);
      else this.#relieve(position, amount);
    }
    ledger.move(wallet, to, marginCoin, amount, cause);
  }

  #relieve(position: Position, amount: Exact): void {
    const { uid, marginCoin } = position;
    const wallet = this.#walletOf(position);
    for (const order of [...this.state.orders.open(uid)].reverse()) {
      if (order.reserved?.coin !== marginCoin || this.service.walletOf(order) !== wallet) continue;
      this.service.cancel(order, "delegated_risk_order_cancel");
      if (this.#missing(position, amount).lte(ZERO)) return;
    }
    this.state.ledger.move(INSURANCE, wallet, marginCoin, this.#missing(position, amount), causeOf("insurance"));
  }

  #missing(position: Position, amount: Exact): Exact {
    return amount.minus(this.state.ledger.balance(this.#walletOf(position), position.marginCoin).available);
  }

  #walletOf({ uid, category }: Position): Wallet {
    return tradingWallet(this.state.accounts.of(uid), category);
  }
}
