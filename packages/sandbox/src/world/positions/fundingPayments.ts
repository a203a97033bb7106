import type { Exact } from "@exchange-graph/contract/decimal";
import { ZERO } from "../ledger.js";
import { fundingMs, fundingRate } from "../market/funding.js";
import { contractOf, markPrice, type State } from "../state.js";
import { type Position, valueOf } from "./position.js";
import type { PositionMargin } from "./positionMargin.js";

/** Funding that a position pays (negative) or receives at a rate. Longs pay shorts if the rate is positive. */
export function fundingOf(position: Pick<Position, "side">, value: Exact, rate: Exact): Exact {
  const amount = value.times(rate);
  return position.side === "long" ? ZERO.minus(amount) : amount;
}

/** Funding: at the end of each period every position of a perpetual pays or receives. `at` is a full hour. */
export function settleFunding(state: State, collateral: PositionMargin, at: number): void {
  for (const position of state.positions.all()) {
    const instrument = contractOf(state, position.category, position.symbol);
    if (instrument.contract.delivery !== undefined || at % fundingMs(instrument) !== 0) continue;
    const { listing } = state.markets.of(position.category, position.symbol);
    const value = valueOf(instrument, position.size, markPrice(state, position.category, position.symbol));
    const amount = fundingOf(position, value, fundingRate(listing, at));
    if (amount.eq(ZERO)) continue;
    collateral.settleFunding(position, amount);
    position.funding = position.funding.plus(amount);
    position.updatedTime = state.now();
    state.events.emit({ kind: "position", position });
  }
}
