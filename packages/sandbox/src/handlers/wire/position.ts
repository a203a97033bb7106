import { type Exact, plain } from "@exchange-graph/contract/decimal";
import { isUnified } from "../../world/funds/wallets.js";
import { ZERO } from "../../world/ledger.js";
import { figuresOf, type PositionFigures } from "../../world/margin/figures.js";
import { presentClassicMargin, presentUnifiedMargin } from "../../world/margin/present.js";
import { presentPrices } from "../../world/margin/prices.js";
import { Remembered } from "../../world/moments.js";
import { isOpen, remaining } from "../../world/orders/order.js";
import {
  breakEvenPrice,
  type ClosedPosition,
  closeAverage,
  entryPrice,
  liquidationPrice,
  netProfit,
  openAverage,
  openedBy,
  type Position,
  tierOf,
} from "../../world/positions/position.js";
import { type State, usdtPrice } from "../../world/state.js";
import { classicTimes, picked, text, unifiedTimes } from "./fields.js";

/** Positions in both API versions. Fees and funding are cash flows: negative when the user paid. */

/** The quantity that open orders would close. */
function frozen(state: State, position: Position): Exact {
  let sum = ZERO;
  for (const order of state.orders.open(position.uid)) {
    if (order.category !== position.category || order.symbol !== position.symbol || !isOpen(order)) continue;
    const closes = order.position?.reduceOnly === true || order.position?.effect === "close";
    if (closes && order.side !== openedBy(position.side)) sum = sum.plus(remaining(order));
  }
  return sum.gt(position.size) ? position.size : sum;
}

/** Equity behind a position: its own margin, or with cross margin the pool's surplus over its other obligations. */
function backing(state: State, position: Position, { unrealised, maintenance }: PositionFigures): Exact {
  if (position.marginMode === "isolated") return position.margin;
  if (isUnified(state.accounts.of(position.uid))) {
    const pool = presentUnifiedMargin(state, position.uid);
    return pool.effective.minus(pool.maintenance).div(usdtPrice(state, position.marginCoin)).plus(maintenance).minus(unrealised);
  }
  const pool = presentClassicMargin(state, position.uid, position.category, position.marginCoin);
  return pool.crossedEquity.minus(pool.crossedMaintenance).plus(maintenance).minus(unrealised);
}

/** Derived figures of an open position, for both API versions. */
function derived(state: State, position: Position) {
  const figures = figuresOf(state, position, presentPrices(state));
  const held = frozen(state, position);
  const { instrument, initial, unrealised } = figures;
  return {
    ...figures,
    frozen: plain(held),
    available: plain(position.size.minus(held)),
    rate: tierOf(instrument, position.size.times(figures.mark)).maintenanceRate,
    liquidation: plain(liquidationPrice(position, instrument, backing(state, position, figures))),
    breakEven: plain(breakEvenPrice(position, instrument)),
    profitRate: initial.eq(ZERO) ? "0" : text(unrealised.div(initial)),
  };
}

const unifiedRows = new Remembered<ReturnType<typeof unifiedRow>>();
const classicRows = new Remembered<ReturnType<typeof classicRow>>();

/** v3, `current-position`. */
export const unifiedOpen = (state: State, position: Position) =>
  unifiedRows.at(state.moments.of(position.uid), position.positionId, () => unifiedRow(state, position));

const classicRowOf = (state: State, position: Position) =>
  classicRows.at(state.moments.of(position.uid), position.positionId, () => classicRow(state, position));

/** v2, `all-position` and `single-position`. The funding is named the total fee, and is empty at first. */
export const classicOpen = (state: State, position: Position) => classicRowOf(state, position).called;

/** v2, additional fields of pushes. */
export const classicRates = (state: State, position: Position) => classicRowOf(state, position).rates;

function unifiedRow(state: State, position: Position) {
  const { initial, unrealised, mark, ...figures } = derived(state, position);
  return {
    ...picked(position, "category", "symbol", "marginCoin", "holdMode", "marginMode"),
    posSide: position.side,
    positionBalance: text(initial),
    ...picked(figures, "available", "frozen", "profitRate"),
    total: plain(position.size),
    leverage: String(position.leverage),
    curRealisedPnl: text(position.realised),
    avgPrice: text(entryPrice(position)),
    positionStatus: "normal",
    unrealisedPnl: text(unrealised),
    liquidationPrice: figures.liquidation,
    mmr: figures.rate,
    markPrice: plain(mark),
    breakEvenPrice: figures.breakEven,
    totalFunding: text(position.funding),
    openFeeTotal: text(position.openFees),
    closeFeeTotal: text(position.closeFees),
    cashDividend: "0",
    ...unifiedTimes(position),
  };
}

function classicRow(state: State, position: Position) {
  const { initial, unrealised, mark, maintenance, ...figures } = derived(state, position);
  const margin = presentClassicMargin(state, position.uid, position.category, position.marginCoin);
  const called = {
    ...picked(position, "marginCoin", "symbol", "marginMode"),
    holdSide: position.side,
    openDelegateSize: plain(opening(state, position)),
    marginSize: text(initial),
    available: figures.available,
    locked: figures.frozen,
    total: plain(position.size),
    leverage: String(position.leverage),
    achievedProfits: text(position.realised),
    openPriceAvg: text(entryPrice(position)),
    posMode: position.holdMode,
    unrealizedPL: text(unrealised),
    liquidationPrice: figures.liquidation,
    keepMarginRate: figures.rate,
    markPrice: plain(mark),
    breakEvenPrice: figures.breakEven,
    totalFee: position.funding.eq(ZERO) ? "" : text(position.funding),
    deductedFee: text(ZERO.minus(position.openFees).minus(position.closeFees)),
    marginRatio: margin.crossedEquity.eq(ZERO) ? "0" : text(margin.crossedMaintenance.div(margin.crossedEquity)),
    assetMode: state.accounts.of(position.uid).assetMode,
    ...classicTimes(position),
  };
  const isolated = position.margin.plus(unrealised);
  const isolatedMarginRate = position.marginMode === "crossed" || isolated.lte(ZERO) ? "" : text(maintenance.div(isolated));
  return { called, rates: { unrealizedPLR: figures.profitRate, isolatedMarginRate } };
}

/** The quantity that open orders would add. */
function opening(state: State, position: Position): Exact {
  let sum = ZERO;
  for (const order of state.orders.open(position.uid)) {
    const isHere = order.category === position.category && order.symbol === position.symbol;
    if (isHere && order.side === openedBy(position.side)) sum = sum.plus(order.opening);
  }
  return sum;
}

/** A closed position: the names of its fields in v3, in v2, where only these times are in lower case, and in v2's pushes. */
const CLOSED: readonly (readonly [v3: string, v2: string, pushed: string, write: (position: ClosedPosition) => string])[] = [
  ["positionId", "positionId", "posId", ({ positionId }) => positionId],
  ["symbol", "symbol", "instId", ({ symbol }) => symbol],
  ["marginCoin", "marginCoin", "marginCoin", ({ marginCoin }) => marginCoin],
  ["marginMode", "marginMode", "marginMode", ({ marginMode }) => marginMode],
  ["holdMode", "posMode", "posMode", ({ holdMode }) => holdMode],
  ["posSide", "holdSide", "holdSide", ({ side }) => side],
  ["openPriceAvg", "openAvgPrice", "openPriceAvg", (position) => text(openAverage(position))],
  ["closePriceAvg", "closeAvgPrice", "closePriceAvg", (position) => text(closeAverage(position))],
  ["openTotalPos", "openTotalPos", "openSize", ({ opened }) => plain(opened)],
  ["closeTotalPos", "closeTotalPos", "closeSize", ({ closed }) => plain(closed)],
  ["cumRealisedPnl", "pnl", "achievedProfits", ({ realised }) => plain(realised)],
  ["totalFunding", "totalFunding", "settleFee", ({ funding }) => plain(funding)],
  ["openFeeTotal", "openFee", "openFee", ({ openFees }) => plain(openFees)],
  ["closeFeeTotal", "closeFee", "closeFee", ({ closeFees }) => plain(closeFees)],
  ["createdTime", "ctime", "cTime", ({ createdTime }) => String(createdTime)],
  ["updatedTime", "utime", "uTime", ({ updatedTime }) => String(updatedTime)],
];
const closedIn = (column: 0 | 1 | 2, position: ClosedPosition) =>
  Object.fromEntries(CLOSED.map((names) => [names[column], names[3](position)]));
const netOf = (position: ClosedPosition) => ({ netProfit: plain(netProfit(position)) });

/** `history-position` of v3 and of v2, and v2's push, in which isolated margin is named `fixed`. */
export const unifiedClosed = (position: ClosedPosition): unknown => ({
  ...closedIn(0, position),
  ...netOf(position),
  category: position.category,
  cashDividend: "0",
});
export const classicClosed = (position: ClosedPosition): unknown => ({ ...closedIn(1, position), ...netOf(position) });
export const pushedClosed = (position: ClosedPosition): unknown => ({
  ...closedIn(2, position),
  marginMode: position.marginMode === "isolated" ? "fixed" : position.marginMode,
});
