import type { Exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { PositionSide } from "../accounts.js";
import type { FuturesInstrument } from "../catalogue/instrument.js";
import type { Cause } from "../cause.js";
import { ZERO } from "../ledger.js";
import { least } from "../money.js";
import { type Order, type PositionTerms, tradeCause } from "../orders/order.js";
import type { OrderService } from "../orders/orderService.js";
import type { Settled } from "../orders/spotSettlement.js";
import type { State } from "../state.js";
import { type ClosedPosition, closingOf, initialMargin, newPosition, type Position, valueOf } from "./position.js";
import type { PositionMargin } from "./positionMargin.js";

interface Split {
  readonly closing: { readonly position: Position; readonly quantity: Exact } | undefined;
  readonly opening: { readonly side: PositionSide; readonly quantity: Exact } | undefined;
}

const ENDINGS: Partial<Record<Order["execType"], ClosedPosition["endedBy"]>> = {
  liquidation: "liquidation",
  delivery: "delivery",
};

/** Applies executions to positions: opens, increases, reduces, closes and reverses them. */
export class FuturesSettlement {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
    private readonly collateral: PositionMargin,
  ) {}

  /** The order, already advanced, first releases its reservation for this part. */
  settle(order: Order, instrument: FuturesInstrument, price: Exact, quantity: Exact, rate: Exact): Settled {
    this.service.settleReserve(order);
    const { position: terms } = order;
    if (terms === undefined) throw new TypeError("a futures order says how it stands to positions");
    const { closing, opening } = this.#split(order, instrument.category, terms, quantity);
    const cause = tradeCause(order);
    const profit = closing === undefined ? ZERO : this.#close(order, instrument, closing, price, rate, cause);
    if (opening !== undefined) this.#open(order, instrument, terms, opening, price, rate, cause);
    const fee = valueOf(instrument, quantity, price).times(rate);
    return { fee: { coin: instrument.contract.marginCoin, amount: fee }, profit };
  }

  #split(order: Order, category: FuturesCategory, { effect, posSide }: PositionTerms, quantity: Exact): Split {
    const opens = order.side === "buy" ? "long" : "short";
    const closes = order.side === "buy" ? "short" : "long";
    if (effect === "open") return { closing: undefined, opening: { side: posSide ?? opens, quantity } };
    const position = this.state.positions.find(order.uid, category, order.symbol, closes);
    const size = position === undefined ? ZERO : least(position.size, quantity);
    const rest = quantity.minus(size);
    return {
      closing: position === undefined ? undefined : { position, quantity: size },
      opening: rest.gt(ZERO) ? { side: opens, quantity: rest } : undefined,
    };
  }

  #open(
    order: Order,
    instrument: FuturesInstrument,
    terms: PositionTerms,
    { side, quantity }: { readonly side: PositionSide; readonly quantity: Exact },
    price: Exact,
    rate: Exact,
    cause: Cause,
  ): void {
    const { positions, events, now } = this.state;
    const position =
      positions.find(order.uid, instrument.category, order.symbol, side) ?? this.#newPosition(order, instrument, terms, side);
    const value = quantity.times(price);
    const fee = valueOf(instrument, quantity, price).times(rate);
    this.collateral.payOpening(position, fee, cause);
    if (position.marginMode === "isolated")
      this.collateral.lock(position, initialMargin(instrument, quantity, price, position.leverage));
    position.size = position.size.plus(quantity);
    position.cost = position.cost.plus(value);
    position.opened = position.opened.plus(quantity);
    position.openedValue = position.openedValue.plus(value);
    position.openFees = position.openFees.minus(fee);
    position.updatedTime = now();
    positions.enter(position);
    events.emit({ kind: "position", position });
  }

  /** Realises the profit of a part of a position. Its cost is removed with it, so nothing is lost to rounding. */
  #close(
    order: Order,
    instrument: FuturesInstrument,
    { position, quantity }: { readonly position: Position; readonly quantity: Exact },
    price: Exact,
    rate: Exact,
    cause: Cause,
  ): Exact {
    const { share, profit } = closingOf(position, instrument, quantity, price);
    const fee = valueOf(instrument, quantity, price).times(rate);
    this.collateral.settleClosing(position, quantity, profit, fee, cause);
    position.size = position.size.minus(quantity);
    position.cost = position.cost.minus(share);
    position.closed = position.closed.plus(quantity);
    position.closedValue = position.closedValue.plus(quantity.times(price));
    position.realised = position.realised.plus(profit);
    position.closeFees = position.closeFees.minus(fee);
    position.updatedTime = this.state.now();
    this.state.events.emit({ kind: "position", position });
    if (position.size.eq(ZERO)) this.#end(order, position);
    return profit;
  }

  #end(order: Order, position: Position): void {
    const { positions, events } = this.state;
    const closed = positions.close(position, ENDINGS[order.execType] ?? "close");
    events.emit({ kind: "positionClosed", position: closed });
  }

  #newPosition(order: Order, instrument: FuturesInstrument, terms: PositionTerms, side: PositionSide): Position {
    const { marginCoin, holdMode, marginMode, leverage } = terms;
    const of = { uid: order.uid, category: instrument.category, symbol: order.symbol, side, marginCoin };
    const positionId = this.state.ids.next();
    return newPosition({ positionId, ...of, holdMode, marginMode, leverage, createdTime: this.state.now() });
  }
}
