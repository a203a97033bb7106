import { MODE_CHANGE_STATUSES } from "@exchange-graph/contract/account";
import { SUB_ACCOUNT_WITHDRAWAL_COINS } from "@exchange-graph/contract/broker";
import { CLASSIC_EXIT_PLANS, FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import { FUTURES_MEANINGS } from "./category.js";
import { closedEnum, openEnum, type WordOf } from "./exchangeEnum.js";

export const WriteOutcome = closedEnum("WriteOutcome", ["ACCEPTED", "REJECTED", "UNKNOWN"], {
  description: "What became of a write",
  meanings: {
    ACCEPTED: "The exchange has taken it, and the thing exists. Of an order that is not yet that it was filled",
    REJECTED:
      "It has had no effect, and will have none: a rule was broken, the exchange refused, or the request got lost for good",
    UNKNOWN:
      "The exchange's answer was lost, and it is not known yet whether there was an effect. The gateway keeps looking it up: the same mutation with the same key returns what it has found, and so does the journal",
  },
});
export type WriteOutcome = WordOf<typeof WriteOutcome>;

export const WriteState = closedEnum("WriteState", ["SENT", "ACCEPTED", "REJECTED", "UNKNOWN", "UNSENT"], {
  description: "State of a write in the journal",
  meanings: {
    SENT: "Its request was sent, or is about to be; the answer is awaited",
    ACCEPTED: "The exchange has taken it",
    REJECTED: "It has had no effect, and will have none",
    UNKNOWN: "The answer was lost; the outcome is being looked up, or cannot be found",
    UNSENT: "Its request was never sent: the exchange could not be reached. The key can be used again",
  },
});
export type WriteState = WordOf<typeof WriteState>;

export const CancelledKind = closedEnum("CancelledKind", ["ORDER", "TPSL"], {
  description: "What is to be cancelled",
  meanings: {
    ORDER: "An order in the book",
    TPSL: "One that waits for its trigger: a take-profit, stop-loss or trailing stop on futures, an order with a trigger price on Classic spot",
  },
});
export type CancelledKind = WordOf<typeof CancelledKind>;

export const TpslPlanType = closedEnum("TpslPlanType", CLASSIC_EXIT_PLANS, {
  description: "How a trigger order closes a position (`planType`)",
  meanings: {
    profit_plan: "Take-profit of a part of it",
    loss_plan: "Stop-loss of a part of it",
    moving_plan: "Trailing stop of a part of it; Classic only",
    pos_profit: "Take-profit of the whole of it",
    pos_loss: "Stop-loss of the whole of it",
  },
});
export type TpslPlanType = WordOf<typeof TpslPlanType>;

export const LeverageCategory = closedEnum("LeverageCategory", ["MARGIN", ...FUTURES_CATEGORIES], {
  description: "Where leverage can be set",
  meanings: { MARGIN: "Borrowed coins; unified accounts only", ...FUTURES_MEANINGS },
});
export type LeverageCategory = WordOf<typeof LeverageCategory>;

export const SubAccountWithdrawalCoin = closedEnum("SubAccountWithdrawalCoin", SUB_ACCOUNT_WITHDRAWAL_COINS, {
  description: "Coins that can be withdrawn from a broker's sub-account",
  meanings: {
    BTC: "Bitcoin (BTC)",
    ETH: "Ether (ETH)",
    USDT: "Tether USD",
    USDC: "USD Coin",
    TRX: "Tron (TRX)",
    XRP: "Ripple (XRP)",
    LTC: "Litecoin (LTC)",
    SOL: "Solana (SOL)",
  },
});
export type SubAccountWithdrawalCoin = WordOf<typeof SubAccountWithdrawalCoin>;

openEnum("ModeChangeStatus", MODE_CHANGE_STATUSES, {
  description: "State of a change of an account's mode",
  meanings: {
    process: "It is under way",
    success: "It is done",
    fail: "It failed; the account is as it was",
  },
});
