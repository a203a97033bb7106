import { HOLD_MODES, MARGIN_MODES, POSITION_SIDES, POSITION_STATUSES } from "@exchange-graph/contract/vocabulary";
import { openEnum, openEnumWithInput, type WordOf } from "./exchangeEnum.js";

export const [HoldMode, HoldModeInput] = openEnumWithInput("HoldMode", HOLD_MODES, {
  description: "Position mode: one position per symbol, or one per side",
  meanings: {
    one_way_mode: "One position per symbol: buying reduces a short, selling reduces a long",
    hedge_mode: "A long and a short of the same symbol can stand side by side; orders name their `posSide`",
  },
});
export type HoldMode = WordOf<typeof HoldMode>;
export type HoldModeInput = WordOf<typeof HoldModeInput>;

export const [PositionSide, PositionSideInput] = openEnumWithInput("PositionSide", POSITION_SIDES, {
  description: "Direction of a position",
  meanings: {
    long: "It gains when the price rises",
    short: "It gains when the price falls",
  },
});
export type PositionSide = WordOf<typeof PositionSide>;
export type PositionSideInput = WordOf<typeof PositionSideInput>;

export const [MarginMode, MarginModeInput] = openEnumWithInput("MarginMode", MARGIN_MODES, {
  description: "Margin that a position uses",
  meanings: {
    crossed: "The account's whole balance of the margin coin, shared with its other cross positions",
    isolated: "Only the margin that was assigned to this position",
  },
});
export type MarginMode = WordOf<typeof MarginMode>;
export type MarginModeInput = WordOf<typeof MarginModeInput>;

export const PositionStatus = openEnum("PositionStatus", POSITION_STATUSES, {
  description: "State of an open position (`positionStatus`)",
  meanings: {
    normal: "Open (a push says `opening`)",
    ended: "It has just been closed",
  },
});
export type PositionStatus = WordOf<typeof PositionStatus>;
