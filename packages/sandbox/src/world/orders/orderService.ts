import { exact } from "@exchange-graph/contract/decimal";
import { type Instrument, isFutures } from "../catalogue/instrument.js";
import { isUnified, tradingWallet } from "../funds/wallets.js";
import { type Wallet, ZERO } from "../ledger.js";
import { least, up } from "../money.js";
import { initialMargin, valueOf } from "../positions/position.js";
import { instrumentOf, type State } from "../state.js";
import { type CancelReason, type FundsReservation, isOpen, type Order, type OrderTerms, remaining } from "./order.js";

type Needing = Pick<Order, "filledQuantity" | "filledValue" | "quantity" | "opening" | "reservePrice"> & OrderTerms;

/**
 * The frozen coins that an order requires in its current state. Spot freezes the amount to be paid or delivered. Futures freeze
 * the margin and the fee of the opening quantity; where margin is pooled over many coins (`isPooled`) nothing is frozen, and the
 * order counts against the pool instead.
 */
export function needOf(order: Needing, instrument: Instrument, isPooled: boolean): FundsReservation | undefined {
  if (isFutures(instrument)) {
    const { position, reservePrice } = order;
    if (position === undefined || isPooled) return undefined;
    const quantity = least(remaining(order), order.opening);
    const margin = initialMargin(instrument, quantity, reservePrice, position.leverage);
    const fee = up(valueOf(instrument, quantity, reservePrice).times(exact(instrument.takerFeeRate)));
    return { coin: position.marginCoin, amount: margin.plus(fee) };
  }
  if (order.side === "sell") return { coin: instrument.baseCoin, amount: remaining(order) };
  const amount = order.amount === undefined ? remaining(order).times(order.reservePrice) : order.amount.minus(order.filledValue);
  return { coin: instrument.quoteCoin, amount };
}

/**
 * Lifecycle of an order outside of matching: it is accepted with its coins frozen, rests in the book, releases surplus coins
 * after each fill, and ends.
 */
export class OrderService {
  constructor(private readonly state: State) {}

  /** Freezes the coins of the order and adds it. The balance must suffice. */
  accept(order: Order): void {
    const need = needOf(order, instrumentOf(this.state, order.category, order.symbol), this.#isPooled(order));
    if (need !== undefined) this.state.ledger.freeze(this.walletOf(order), need.coin, need.amount, order.orderId);
    order.reserved = need;
    this.state.orders.enter(order);
  }

  /** Removes the order from the account's figures, to check a change without it; `accept` adds it again. */
  suspend(order: Order): void {
    const { reserved } = order;
    if (reserved !== undefined) this.state.ledger.release(this.walletOf(order), reserved.coin, reserved.amount, order.orderId);
    order.reserved = undefined;
    this.state.orders.withdraw(order);
  }

  /** Adds the order to the book, where others can trade with it. */
  rest(order: Order): void {
    const { markets } = this.state;
    const market = markets.of(order.category, order.symbol);
    market.orders.add({ order, steps: market.listing.grid.steps(order.reservePrice) });
    market.touch(markets.tick);
  }

  /** Releases the coins that the order no longer requires. */
  settleReserve(order: Order): void {
    const { reserved } = order;
    if (reserved === undefined) return;
    const need = needOf(order, instrumentOf(this.state, order.category, order.symbol), this.#isPooled(order));
    const amount = isOpen(order) && need !== undefined ? need.amount : ZERO;
    this.state.ledger.release(this.walletOf(order), reserved.coin, reserved.amount.minus(amount), order.orderId);
    order.reserved = isOpen(order) ? { coin: reserved.coin, amount } : undefined;
  }

  /** Removes a filled order from the book. */
  complete(order: Order): void {
    order.status = "filled";
    this.#end(order);
  }

  cancel(order: Order, reason: CancelReason): void {
    order.status = "cancelled";
    order.cancelReason = reason;
    this.#end(order);
  }

  walletOf(order: Order): Wallet {
    return tradingWallet(this.state.accounts.of(order.uid), order.category);
  }

  #end(order: Order): void {
    const { markets, orders, events, now, debts } = this.state;
    const market = markets.of(order.category, order.symbol);
    market.orders.remove(order);
    market.touch(markets.tick);
    const { reserved } = order;
    this.settleReserve(order);
    if (reserved !== undefined) debts.repay(this.walletOf(order), reserved.coin);
    order.updatedTime = now();
    orders.finish(order);
    events.emit({ kind: "order", order });
  }

  /** Cross margin of a unified account backs all orders together; all other orders freeze their own coins. */
  #isPooled({ uid, position }: Order): boolean {
    return position?.marginMode === "crossed" && isUnified(this.state.accounts.of(uid));
  }
}
