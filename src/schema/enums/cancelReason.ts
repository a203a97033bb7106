import { CANCEL_REASONS } from "@exchange-graph/contract/vocabulary";
import { openEnum, type WordOf } from "./exchangeEnum.js";

export const CancelReason = openEnum("CancelReason", CANCEL_REASONS, {
  description: "Why an order was cancelled (`cancelReason`)",
  meanings: {
    normal_cancel: "Its owner cancelled it",
    trade_count_too_small: "The quantity that was left was too small to trade",
    trade_too_many_times_cancel: "It would have traded in too many pieces",
    fok_not_full_cancel: "Fill or kill: it could not be filled whole",
    ioc_not_full_cancel: "Immediate or cancel: the rest could not be filled at once",
    post_only_fill_cancel: "Post only: it would have traded at once",
    self_trade_cancel: "It would have traded with its owner's own order",
    trade_max_deal_size_cancel: "It exceeded the largest size of a deal",
    tpsl_plan_cancel: "Its take-profit or stop-loss was cancelled",
    back_contract_cancel: "The contract was taken back",
    delegated_risk_order_cancel: "The exchange's risk control cancelled it",
    trader_order_cancel: "A copied trader's order was cancelled",
    delivery_order_cancel: "The contract was delivered",
    modify_limit_order: "It was replaced by its modification",
    slippage_cancel: "The price would have slipped too far",
    adl_cancel: "Auto-deleveraging cancelled it",
    penetrate_cancel: "The account's equity no longer covered it",
    stp_cancel: "Self-trade prevention cancelled it",
    call_auction_cancel: "The call auction ended",
    limit_price_exceed_cancel: "Its price lay beyond the limit",
    burst_cancel: "The position behind it was liquidated",
    cancel_receiveWindow: "It arrived after its receive window had closed",
  },
});
export type CancelReason = WordOf<typeof CancelReason>;
