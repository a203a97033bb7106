import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { Account } from "../accounts.js";
import { type FuturesInstrument, type Instrument, isFutures } from "../catalogue/instrument.js";
import { type Dialect, refused } from "../dialect.js";
import { isUnified, tradingWallet } from "../funds/wallets.js";
import { type Wallet, ZERO } from "../ledger.js";
import { classicMargin } from "../margin/classic.js";
import { presentPrices } from "../margin/prices.js";
import { marginLoans } from "../margin/risk.js";
import { unifiedMargin } from "../margin/unified.js";
import { least, most } from "../money.js";
import { lastPrice, type State, usdtPrice } from "../state.js";
import { targetOf } from "./closers.js";
import { type Order, type PositionTerms, remaining } from "./order.js";
import { needOf } from "./orderService.js";

/** A market order may be filled at worse prices than the last one: its margin is increased by this factor. */
const SLIPPAGE = exact("1.01");

/** Checks that an account can fund an order. Throws `Refused` in its dialect if not; borrows where the product allows it. */
export class Backing {
  constructor(private readonly state: State) {}

  /** Sets the price and the quantity by which coins are reserved for a new or changed order. */
  measure(order: Order): void {
    const last = lastPrice(this.state, order.category, order.symbol);
    order.reservePrice = order.price ?? last.times(SLIPPAGE);
    order.opening = order.position === undefined ? ZERO : this.#opening(order, order.position);
  }

  ensure(order: Order, instrument: Instrument, dialect: Dialect): void {
    const account = this.state.accounts.of(order.uid);
    const wallet = tradingWallet(account, order.category);
    if (!isFutures(instrument)) {
      this.#ensureCoins(order, instrument, account, wallet, dialect);
    } else if (order.position !== undefined && order.opening.gt(ZERO)) {
      this.#ensureTier(order, instrument, order.position, dialect);
      this.#ensureMargin(order, instrument, order.position, account, wallet, dialect);
    }
  }

  /**
   * The part of an order that increases positions. In one-way mode it first closes the quantity that no other closing order
   * claims.
   */
  #opening(order: Order, { effect, reduceOnly }: PositionTerms): Exact {
    if (effect === "close" || reduceOnly) return ZERO;
    if (effect === "open") return remaining(order);
    let closable = this.state.positions.sizeOf(targetOf(order));
    for (const other of this.state.orders.open(order.uid)) {
      const isBeside = other.category === order.category && other.symbol === order.symbol && other.side === order.side;
      if (isBeside && other !== order) closable = closable.minus(remaining(other).minus(least(other.opening, remaining(other))));
    }
    return most(ZERO, remaining(order).minus(most(ZERO, closable)));
  }

  #ensureCoins(order: Order, instrument: Instrument, account: Account, wallet: Wallet, dialect: Dialect): void {
    const need = needOf(order, instrument, false);
    if (need === undefined) return;
    const missing = need.amount.minus(this.state.ledger.balance(wallet, need.coin).available);
    if (missing.lte(ZERO)) return;
    if (order.category !== "MARGIN" || !this.#mayBorrow(account, wallet, need.coin, missing)) {
      throw refused(dialect, "insufficientBalance");
    }
    this.state.debts.borrow(wallet, need.coin, missing);
  }

  /** Borrowing is limited by the pool of a unified account, on Classic by the net worth of the margin wallet. */
  #mayBorrow(account: Account, wallet: Wallet, coin: string, amount: Exact): boolean {
    const value = amount.times(usdtPrice(this.state, coin));
    const leverage = account.coinLeverage(coin);
    if (isUnified(account)) return unifiedMargin(this.state, account.uid).free.gte(value.div(String(leverage)));
    const { worth, debts } = marginLoans(this.state, wallet, presentPrices(this.state));
    return debts.plus(value).lte(worth.times(String(leverage - 1)));
  }

  /** The value of position and orders together must be within the tier of the leverage. */
  #ensureTier(
    order: Order,
    { category, symbol, contract }: FuturesInstrument,
    { leverage }: PositionTerms,
    dialect: Dialect,
  ): void {
    const side = order.position?.posSide ?? (order.side === "buy" ? "long" : "short");
    let value = order.opening.times(order.reservePrice);
    const position = this.state.positions.find({ uid: order.uid, category, symbol, side });
    if (position !== undefined) value = value.plus(position.cost);
    for (const other of this.state.orders.open(order.uid)) {
      if (other.category !== category || other.symbol !== symbol || other.side !== order.side || other === order) continue;
      value = value.plus(least(other.opening, remaining(other)).times(other.reservePrice));
    }
    const allowed = contract.tiers.filter((tier) => tier.leverage >= leverage).at(-1);
    if (allowed === undefined || value.gt(allowed.maxValue)) throw refused(dialect, "beyondTier");
  }

  #ensureMargin(
    order: Order,
    instrument: FuturesInstrument,
    { marginMode, marginCoin }: PositionTerms,
    account: Account,
    wallet: Wallet,
    dialect: Dialect,
  ): void {
    const needed = needOf(order, instrument, false)?.amount ?? ZERO;
    if (isUnified(account)) {
      const isThere = marginMode === "crossed" || this.state.ledger.balance(wallet, marginCoin).available.gte(needed);
      const { free } = unifiedMargin(this.state, order.uid);
      if (!isThere || free.lt(needed.times(usdtPrice(this.state, marginCoin)))) throw refused(dialect, "insufficientMargin");
    } else if (classicMargin(this.state, order.uid, instrument.category, marginCoin).free.lt(needed)) {
      throw refused(dialect, "insufficientMargin");
    }
  }
}
