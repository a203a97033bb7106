import type { Exact } from "@exchange-graph/contract/decimal";
import { type Cause, causeOf } from "../cause.js";
import type { Purse } from "../funds/purse.js";
import { tradingWallet } from "../funds/wallets.js";
import { houseWallet, type Place, type Wallet, ZERO } from "../ledger.js";
import { down, least, most } from "../money.js";
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
    private readonly purse: Purse,
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

  /** Pays the fee for opening, which the order has reserved. */
  payOpening({ uid, category, marginCoin }: Position, fee: Exact, cause: Cause): void {
    this.purse.pay(uid, category, marginCoin, fee, FEES, cause);
  }

  settleFunding(position: Position, amount: Exact): void {
    const { uid, category, symbol, marginCoin, positionId } = position;
    this.#cover(position, ZERO.minus(amount), ZERO);
    this.purse.settle(uid, category, marginCoin, amount, FUNDING, { kind: "funding", id: positionId, category, symbol });
  }

  /** Settles the closing of a part of a position: its profit or loss, and the fee. */
  settleClosing(position: Position, quantity: Exact, profit: Exact, fee: Exact, cause: Cause): void {
    const { uid, category, marginCoin, margin, size } = position;
    const share = quantity.eq(size) ? margin : down(margin.times(quantity).div(size));
    this.#cover(position, fee.minus(profit), share);
    this.purse.settle(uid, category, marginCoin, profit, MARKET, cause);
    this.purse.pay(uid, category, marginCoin, fee, FEES, cause);
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

  #walletOf({ uid, category }: Position): Wallet {
    return tradingWallet(this.state.accounts.of(uid), category);
  }
}
