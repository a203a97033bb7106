import type { Exact } from "@exchange-graph/contract/decimal";
import type { PositionSide } from "../accounts.js";
import type { FuturesInstrument } from "../catalogue/instrument.js";
import type { Cause } from "../cause.js";
import { ZERO } from "../ledger.js";
import { least } from "../money.js";
import { type Fill, type Order, type PositionTerms, tradeCause } from "../orders/order.js";
import type { OrderService } from "../orders/orderService.js";
import type { State } from "../state.js";
import { closingOf, initialMargin, newPosition, type Position, valueOf } from "./position.js";
import type { PositionMargin } from "./positionMargin.js";

interface Trade {
  readonly order: Order;
  readonly instrument: FuturesInstrument;
  readonly terms: PositionTerms;
  readonly price: Exact;
  readonly rate: Exact;
  readonly cause: Cause;
}

/** Applies executions to positions: opens, increases, reduces, closes and reverses them. */
export class FuturesSettlement {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
    private readonly collateral: PositionMargin,
  ) {}

  /** The order, already advanced, first releases its reservation for this part. */
  settle(order: Order, instrument: FuturesInstrument, price: Exact, quantity: Exact, rate: Exact): Pick<Fill, "fee" | "profit"> {
    this.service.settleReserve(order);
    const { uid, category, symbol, position: terms } = order;
    if (terms === undefined) throw new TypeError("a futures order says how it stands to positions");
    const trade: Trade = { order, instrument, terms, price, rate, cause: tradeCause(order) };
    const [opens, closes] = order.side === "buy" ? (["long", "short"] as const) : (["short", "long"] as const);
    const isOpening = terms.effect === "open";
    const met = isOpening ? undefined : this.state.positions.find({ uid, category, symbol, side: closes });
    const closing = met === undefined ? ZERO : least(met.size, quantity);
    const opening = quantity.minus(closing);
    const profit = met === undefined ? ZERO : this.#close(trade, met, closing);
    if (opening.gt(ZERO)) this.#open(trade, isOpening ? (terms.posSide ?? opens) : opens, opening);
    const fee = valueOf(instrument, quantity, price).times(rate);
    return { fee: { coin: instrument.contract.marginCoin, amount: fee }, profit };
  }

  #open({ order, instrument, terms, price, rate, cause }: Trade, side: PositionSide, quantity: Exact): void {
    const { positions, events, now } = this.state;
    const { uid, category, symbol } = order;
    const position = positions.find({ uid, category, symbol, side }) ?? this.#newPosition(order, instrument, terms, side);
    const value = quantity.times(price);
    const fee = valueOf(instrument, quantity, price).times(rate);
    this.collateral.payFee(position, fee, cause);
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
  #close({ order, instrument, price, rate, cause }: Trade, position: Position, quantity: Exact): Exact {
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
    const isForced = order.execType === "liquidation" || order.execType === "delivery";
    const closed = positions.close(position, isForced ? order.execType : "close");
    events.emit({ kind: "positionClosed", position: closed });
  }

  #newPosition(order: Order, instrument: FuturesInstrument, terms: PositionTerms, side: PositionSide): Position {
    const { marginCoin, holdMode, marginMode, leverage } = terms;
    const of = { uid: order.uid, category: instrument.category, symbol: order.symbol, side, marginCoin };
    const positionId = this.state.ids.next();
    return newPosition({ positionId, ...of, holdMode, marginMode, leverage, createdTime: this.state.now() });
  }
}
