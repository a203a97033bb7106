import type { Exact } from "@exchange-graph/contract/decimal";
import type { FuturesInstrument } from "../catalogue/instrument.js";
import { ZERO } from "../ledger.js";
import { least } from "../money.js";
import { type Order, remaining } from "../orders/order.js";
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

/** Computes the figures of a position at these prices. */
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

/** Margin requirement of an open futures order, in margin coin. */
export function orderMargin(state: State, order: Order): Exact {
  const { position } = order;
  if (position === undefined) return ZERO;
  const quantity = least(remaining(order), order.opening);
  const instrument = contractOf(state, order.category, order.symbol);
  return initialMargin(instrument, quantity, order.reservePrice, position.leverage);
}
