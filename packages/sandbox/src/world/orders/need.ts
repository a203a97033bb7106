import { exact } from "@exchange-graph/contract/decimal";
import { type Instrument, isFutures } from "../catalogue/instrument.js";
import { least, up } from "../money.js";
import { initialMargin, valueOf } from "../positions/position.js";
import { type FundsReservation, type Order, type OrderTerms, remaining } from "./order.js";

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
