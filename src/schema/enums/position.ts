import { HOLD_MODES, MARGIN_MODES, POSITION_SIDES, POSITION_STATUSES, TRADE_SIDES } from "@exchange-graph/contract/vocabulary";
import { openEnum, openEnumWithInput } from "./exchangeEnum.js";

export const [HoldMode, HoldModeInput] = openEnumWithInput(
  "HoldMode",
  HOLD_MODES,
  "Position mode: one position per symbol, or one per side",
  {
    one_way_mode: "One position per symbol: buying reduces a short, selling reduces a long",
    hedge_mode: "A long and a short of the same symbol can exist at the same time; orders name their `posSide`",
  },
);

export const [, PositionSideInput] = openEnumWithInput("PositionSide", POSITION_SIDES, "Direction of a position", {
  long: "It gains when the price rises",
  short: "It gains when the price falls",
});

export const [MarginMode, MarginModeInput] = openEnumWithInput("MarginMode", MARGIN_MODES, "Margin mode of a position", {
  crossed: "The account's whole balance of the margin coin, shared with its other cross positions",
  isolated: "Only the margin that was assigned to this position",
});

openEnum("PositionStatus", POSITION_STATUSES, "State of an open position (`positionStatus`)", {
  normal: "Open (a push says `opening`)",
  ended: "It has just been closed",
});

openEnum(
  "TradeSide",
  TRADE_SIDES,
  "What a trade did to a position (`tradeSide`). Hedge mode opens and closes, one-way mode says single; the rest was forced",
  {
    open: "Opened a position, in hedge mode",
    close: "Closed a position, in hedge mode",
    buy_single: "Bought in one-way mode",
    sell_single: "Sold in one-way mode",
    open_long: "Opened a long",
    open_short: "Opened a short",
    close_long: "Closed a long",
    close_short: "Closed a short",
    reduce_close_long: "The exchange reduced a long, in hedge mode",
    reduce_close_short: "The exchange reduced a short, in hedge mode",
    reduce_buy_single: "The exchange reduced a short by buying, in one-way mode",
    reduce_sell_single: "The exchange reduced a long by selling, in one-way mode",
    burst_close_long: "The exchange liquidated a long, in hedge mode",
    burst_close_short: "The exchange liquidated a short, in hedge mode",
    burst_buy_single: "The exchange liquidated a short by buying, in one-way mode",
    burst_sell_single: "The exchange liquidated a long by selling, in one-way mode",
    offset_close_long: "A long was set off against a short",
    offset_close_short: "A short was set off against a long",
    delivery_close_long: "A long ended with the delivery, in hedge mode",
    delivery_close_short: "A short ended with the delivery, in hedge mode",
    delivery_buy_single: "A short ended with the delivery, in one-way mode",
    delivery_sell_single: "A long ended with the delivery, in one-way mode",
    dte_sys_adl_close_long: "Auto-deleveraging closed a long, in hedge mode",
    dte_sys_adl_close_short: "Auto-deleveraging closed a short, in hedge mode",
    dte_sys_adl_buy_in_single_side_mode: "Auto-deleveraging closed a short by buying, in one-way mode",
    dte_sys_adl_sell_in_single_side_mode: "Auto-deleveraging closed a long by selling, in one-way mode",
  },
);
