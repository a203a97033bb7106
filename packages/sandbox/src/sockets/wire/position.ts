import { plain } from "@exchange-graph/contract/decimal";
import { picked } from "../../handlers/wire/fields.js";
import { classicOpen, classicRates, unifiedOpen } from "../../handlers/wire/position.js";
import type { Position } from "../../world/positions/position.js";
import { markPrice, type State } from "../../world/state.js";

/** Positions in pushes. */

/** v3, an open position. */
export function unifiedPosition(state: State, position: Position): unknown {
  const { category, total, liquidationPrice, positionBalance, totalFunding, ...same } = unifiedOpen(state, position);
  return {
    ...same,
    size: total,
    liqPrice: liquidationPrice,
    marginSize: positionBalance,
    totalFundingFee: totalFunding,
    positionStatus: "opening",
  };
}

/** v3, an ended position: its figures are zero, and its results are not pushed here. */
export const endedPosition = (state: State, position: Position): unknown => ({
  ...picked(position, "symbol", "marginMode", "marginCoin", "holdMode"),
  leverage: String(position.leverage),
  openFeeTotal: "",
  mmr: "",
  breakEvenPrice: "",
  available: "0",
  liqPrice: "",
  unrealisedPnl: "0",
  markPrice: plain(markPrice(state, position.category, position.symbol)),
  createdTime: String(position.createdTime),
  avgPrice: "0",
  totalFundingFee: "0",
  updatedTime: String(position.updatedTime),
  frozen: "0",
  profitRate: "",
  closeFeeTotal: "",
  marginSize: "0",
  curRealisedPnl: "0",
  size: "0",
  positionStatus: "ended",
  posSide: position.side,
});

/** v2. The leverage is a number here. */
export function classicPosition(state: State, position: Position): unknown {
  const { symbol, locked, leverage, marginRatio, openDelegateSize, ...same } = classicOpen(state, position);
  return {
    ...same,
    ...classicRates(state, position),
    posId: position.positionId,
    instId: symbol,
    frozen: locked,
    leverage: position.leverage,
    marginRate: marginRatio,
    autoMargin: "off",
  };
}
