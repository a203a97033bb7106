import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { PositionSide } from "../accounts.js";
import { type FuturesInstrument, isFutures } from "../catalogue/instrument.js";
import { ZERO } from "../ledger.js";
import { fundingMs, fundingRate } from "../market/funding.js";
import type { Market } from "../market/market.js";
import { most } from "../money.js";
import { type Fill, type PositionTerms, positionTerms } from "../orders/order.js";
import { fundingOf } from "../positions/fundingPayments.js";
import { type ClosedPosition, closedBy, closingOf, newPosition, openedBy, valueOf } from "../positions/position.js";
import type { Random } from "../random.js";
import type { InitialState } from "./initialAccounts.js";
import { filledOrder, type PastFill, pastPrice } from "./pastFills.js";
import { changesBy, fundingChange } from "./pastRecords.js";

/** Positions to be opened and closed between two ages, counted back from the start of the world. */
export interface PastSpan {
  readonly count: number;
  readonly fromDays: number;
  readonly toDays: number;
}

/** Minimum and maximum duration of a past position. */
const SHORTEST_MS = 5 * MINUTE_MS;
const LONGEST_MS = 2 * DAY_MS;
const LEVERAGES = [5, 10, 20, 50] as const;

/** Adds closed positions with their orders and fills. Their figures are computed like those of live positions. */
export function enterPastPositions(
  state: InitialState,
  random: Random,
  category: FuturesCategory,
  spans: readonly PastSpan[],
): void {
  const markets = state.markets.all.filter(
    ({ listing: { instrument } }) =>
      instrument.category === category &&
      instrument.status === "online" &&
      isFutures(instrument) &&
      instrument.contract.calendar === undefined,
  );
  const now = state.began;
  for (const { count, fromDays, toDays } of spans) {
    const stretch = Math.floor(((fromDays - toDays) * DAY_MS) / count);
    for (let index = 0; index < count; index++) {
      const openedAt = now - fromDays * DAY_MS + index * stretch + random.between(0, stretch - 1);
      const market = random.pick(markets);
      if (market !== undefined) enterOne(state, random, market, openedAt);
    }
  }
}

function enterOne(state: InitialState, random: Random, market: Market, openedAt: number): void {
  const { uid } = state;
  const { instrument } = market.listing;
  if (!isFutures(instrument) || (instrument.contract.delivery?.startTime ?? 0) > openedAt) return;
  const held = Math.min(random.between(SHORTEST_MS, LONGEST_MS), state.began - openedAt - MINUTE_MS);
  const closedAt = openedAt + Math.max(MINUTE_MS, held);
  const side: PositionSide = random.oneIn(2) ? "long" : "short";
  const holdMode = state.holdModes[instrument.category];
  const marginMode = random.oneIn(5) ? "isolated" : "crossed";
  const leverage = random.pick(LEVERAGES);
  const { marginCoin } = instrument.contract;
  const terms = (effect: "open" | "close"): PositionTerms =>
    positionTerms(side, effect, { holdMode, reduceOnly: effect === "close", marginMode, leverage, marginCoin });
  const quantity = pastQuantity(random, market, openedAt);
  const trade = { uid, category: instrument.category, market, quantity } as const;
  const opening = filledOrder(state, random, { ...trade, side: openedBy(side), position: terms("open"), at: openedAt });
  const closing = filledOrder(state, random, { ...trade, side: closedBy(side), position: terms("close"), at: closedAt });
  const cost = opening.order.filledValue;
  let left = { size: quantity, cost };
  let realised = ZERO;
  const enter = (fill: Fill): void => {
    state.orders.enterFill(fill);
    state.changes.push(...changesBy(state, fill));
  };
  for (const fill of opening.fills) enter({ ...fill, profit: ZERO });
  for (const fill of closing.fills) {
    const { share, profit } = closingOf({ ...left, side }, instrument, fill.quantity, fill.price);
    left = { size: left.size.minus(fill.quantity), cost: left.cost.minus(share) };
    realised = realised.plus(profit);
    enter({ ...fill, profit });
  }
  closing.order.profit = realised;
  state.orders.enter(opening.order);
  state.orders.enter(closing.order);
  const paid = (fills: readonly PastFill[]) => fills.reduce((sum, { fee }) => sum.minus(fee.amount), ZERO);
  const contract = { category: instrument.category, symbol: instrument.symbol, marginCoin };
  const payments = pastFunding(market, instrument, side, quantity, openedAt, closedAt);
  for (const payment of payments) state.changes.push(fundingChange(state, contract, payment));
  const closed: ClosedPosition = {
    ...newPosition({
      positionId: state.ids.past(openedAt),
      ...{ uid, ...contract, holdMode, side, marginMode, leverage },
      createdTime: openedAt,
    }),
    updatedTime: closing.order.updatedTime,
    realised,
    funding: payments.reduce((sum, { amount }) => sum.plus(amount), ZERO),
    openFees: paid(opening.fills),
    closeFees: paid(closing.fills),
    opened: quantity,
    openedValue: cost,
    closed: quantity,
    closedValue: closing.order.filledValue,
    endedBy: "close",
  };
  state.positions.enterClosed(closed);
}

/** Funding paid and received at the ends of the funding periods in between. */
function pastFunding(
  market: Market,
  instrument: FuturesInstrument,
  side: PositionSide,
  size: Exact,
  from: number,
  to: number,
): readonly { readonly amount: Exact; readonly at: number }[] {
  const period = fundingMs(instrument);
  const payments: { amount: Exact; at: number }[] = [];
  for (let at = (Math.floor(from / period) + 1) * period; at <= to; at += period) {
    const value = valueOf(instrument, size, pastPrice(market, at));
    payments.push({ amount: fundingOf({ side }, value, fundingRate(market.listing, at)), at });
  }
  return payments;
}

/** A quantity with a value of some hundred to some thousand dollars. */
function pastQuantity(random: Random, market: Market, at: number): Exact {
  const { grid, instrument } = market.listing;
  const value = exact(String(random.between(200, 12_000)));
  return most(grid.floored(value.div(pastPrice(market, at))), exact(instrument.minQuantity));
}
