import type { Exact } from "@exchange-graph/contract/decimal";
import type { FuturesInstrument } from "../catalogue/instrument.js";
import { ZERO } from "../ledger.js";
import { least, most } from "../money.js";
import { onlyCloses, targetOf } from "../orders/closers.js";
import { remaining } from "../orders/order.js";
import { initialMargin, maintenanceMargin, type Position, unrealised, valueOf } from "../positions/position.js";
import { contractOf, type State } from "../state.js";
import type { Prices } from "./prices.js";

/** Figures of a position at the mark price, in margin coin. */
export interface PositionFigures {
  readonly instrument: FuturesInstrument;
  readonly mark: Exact;
  readonly value: Exact;
  readonly unrealised: Exact;
  /** Margin for a position of this size at this price; with isolated margin the locked coins. */
  readonly initial: Exact;
  /** Margin below which it is liquidated. */
  readonly maintenance: Exact;
}

export function figuresOf(state: State, position: Position, prices: Prices): PositionFigures {
  const instrument = contractOf(state, position.category, position.symbol);
  const mark = prices.mark(position);
  return {
    instrument,
    mark,
    value: valueOf(instrument, position.size, mark),
    unrealised: unrealised(position, instrument, mark),
    initial:
      position.marginMode === "isolated" ? position.margin : initialMargin(instrument, position.size, mark, position.leverage),
    maintenance: maintenanceMargin(position, instrument, mark),
  };
}

/**
 * Margin requirements of a user's open futures orders. Each takes margin for the part that opens a position as positions are now: in
 * one-way mode it first closes the quantity that no earlier order claims.
 */
export function* orderMargins(state: State, uid: string): Iterable<{ readonly coin: string; readonly margin: Exact }> {
  const claimed = new Map<string, Exact>();
  for (const order of state.orders.open(uid)) {
    const { position, category, symbol, side, reservePrice } = order;
    if (position === undefined) continue;
    const instrument = contractOf(state, category, symbol);
    const left = remaining(order);
    const key = `${category} ${symbol} ${side}`;
    const before = claimed.get(key) ?? ZERO;
    const closable = position.effect === "net" ? most(ZERO, state.positions.sizeOf(targetOf(order)).minus(before)) : ZERO;
    const closing = onlyCloses(order) ? left : least(left, closable);
    claimed.set(key, before.plus(closing));
    const margin = initialMargin(instrument, left.minus(closing), reservePrice, position.leverage);
    yield { coin: position.marginCoin, margin };
  }
}
