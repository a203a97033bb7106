import type { Exact } from "@exchange-graph/contract/decimal";
import type { Purse } from "../funds/purse.js";
import { tradingWallet } from "../funds/wallets.js";
import { houseWallet, type Wallet, ZERO } from "../ledger.js";
import { down, least, most } from "../money.js";
import type { State } from "../state.js";
import type { Position } from "./position.js";

const MARKET = houseWallet("market");
const FEES = houseWallet("fees");
const FUNDING = houseWallet("funding");
const INSURANCE = houseWallet("insurance");

/**
 * The coins behind a position. With cross margin nothing is set apart, and whoever owns the position pays out of all
 * that the wallet holds. With isolated margin a part of the wallet is locked, and a loss never reaches beyond it: the
 * insurance fund pays what it does not cover.
 */
export class Collateral {
  constructor(
    private readonly state: State,
    private readonly purse: Purse,
  ) {}

  /** Locks margin behind an isolated position, as far as the wallet has any. */
  lock(position: Position, amount: Exact): void {
    const wallet = this.#walletOf(position);
    const locked = least(amount, this.state.ledger.balance(wallet, position.marginCoin).available);
    const from = { wallet, bucket: "available" } as const;
    this.state.ledger.transfer(from, { wallet, bucket: "locked" }, position.marginCoin, locked, `margin ${position.positionId}`);
    position.margin = position.margin.plus(locked);
  }

  /** Sets margin of an isolated position free, as far as there is any. */
  unlock(position: Position, amount: Exact): void {
    const wallet = this.#walletOf(position);
    const freed = least(amount, position.margin);
    const from = { wallet, bucket: "locked" } as const;
    this.state.ledger.transfer(
      from,
      { wallet, bucket: "available" },
      position.marginCoin,
      freed,
      `margin ${position.positionId}`,
    );
    position.margin = position.margin.minus(freed);
  }

  /** The fee for opening. The order has set it aside. */
  payOpening({ uid, category, marginCoin }: Position, fee: Exact, orderId: string): void {
    this.purse.pay(uid, category, marginCoin, fee, FEES, `fee ${orderId}`);
  }

  settleFunding(position: Position, amount: Exact): void {
    const { uid, category, marginCoin, positionId } = position;
    this.#cover(position, ZERO.minus(amount), ZERO);
    this.purse.settle(uid, category, marginCoin, amount, FUNDING, `funding ${positionId}`);
  }

  /** Settles the closing of a part of a position: its profit or loss, and the fee of the closing. */
  settleClosing(position: Position, quantity: Exact, profit: Exact, fee: Exact, orderId: string): void {
    const { uid, category, marginCoin, margin, size } = position;
    const share = quantity.eq(size) ? margin : down(margin.times(quantity).div(size));
    this.#cover(position, fee.minus(profit), share);
    this.purse.settle(uid, category, marginCoin, profit, MARKET, `profit ${orderId}`);
    this.purse.pay(uid, category, marginCoin, fee, FEES, `fee ${orderId}`);
  }

  /** Sets free what an isolated position is about to lose, and at least `share`; beyond its margin it is insured. */
  #cover(position: Position, loss: Exact, share: Exact): void {
    if (position.marginMode === "crossed") return;
    const uncovered = loss.minus(position.margin);
    this.unlock(position, most(share, loss));
    if (uncovered.lte(ZERO)) return;
    this.state.ledger.move(
      INSURANCE,
      this.#walletOf(position),
      position.marginCoin,
      uncovered,
      `insurance ${position.positionId}`,
    );
  }

  #walletOf({ uid, category }: Position): Wallet {
    return tradingWallet(this.state.accounts.of(uid), category);
  }
}
