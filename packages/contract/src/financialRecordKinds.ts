/** Causes of a change of a balance, common to all lists of such changes. */

export const FINANCIAL_RECORD_KINDS = [
  "trade",
  "funding",
  "fee",
  "transfer",
  "deposit",
  "withdrawal",
  "borrowing",
  "interest",
  "loan",
  "conversion",
  "earn",
  "liquidation",
  "reward",
  "copy_trading",
  "other",
] as const;
export type FinancialRecordKind = (typeof FINANCIAL_RECORD_KINDS)[number];

const LONG_SHORT = ["_long", "_short"];
const IN_OUT = ["_in", "_out"];
const each = (stems: readonly string[], endings: readonly string[]): readonly string[] =>
  stems.flatMap((stem) => endings.map((ending) => `${stem}${ending}`));

/** The exchange's words for each kind, in lower case: groups and types of unified, spot, futures and margin accounts. */
const WORDS: Readonly<Record<FinancialRecordKind, readonly string[]>> = {
  trade: [
    ...["transaction", "buy", "sell", "buy_deal", "sell_deal"],
    ...["order_dealt_in", "order_dealt_frozen_out", "deal_in", "deal_out"],
    ...each(["open", "close", "delivery", "offset_reduce_close", "adl_close", "fixed_adl_close"], LONG_SHORT),
    ...["adl_buy_in_single_side_mode", "adl_sell_in_single_side_mode", "delivery_buy_ssm", "delivery_sell_ssm"],
    ...each(["rwa_contract_rebase_user_open", "rwa_contract_rebase_user_close"], LONG_SHORT),
    ...["rwa_contract_rebase_user_buy_in_ssm", "rwa_contract_rebase_user_sell_in_ssm"],
  ],
  funding: [
    "contract_settle_fee",
    "contract_main_settle_fee",
    "contract_margin_settle_fee",
    ...each(
      [
        "contract_main_settle_fee_user",
        "margin_settle_fee_user",
        "fixed_settle_fee_user",
        "rwa_contract_main_settle_fee_user",
        "rwa_fixed_settle_fee_user",
      ],
      IN_OUT,
    ),
  ],
  fee: ["order_plf_fee_out", "deduction_handling_fee"],
  transfer: [
    ...each(["transfer", "reserve_transfer"], IN_OUT),
    ...["transfer", "on_chain", "strategy", "strategy_transfer_in"],
    ...each(["trans_from", "trans_to"], ["_exchange", "_contract", "_otc", "_cross", "_isolated"]),
  ],
  deposit: ["deposit", "paptrading_user_in"],
  withdrawal: ["withdraw", "withdrawal"],
  borrowing: ["borrow", "repay", "repayment"],
  interest: ["interest_repayment", "interest_settlement_out", "settle_interest"],
  loan: ["loan"],
  conversion: [
    ...["convert", "exchange_source_token_user_out", "exchange_target_token_user_in", "exchange_in", "exchange_out"],
    ...["user_exchange_buy", "user_exchange_sell"],
  ],
  earn: ["financial", "interest", "dividend"],
  liquidation: [
    ...each(["force_close", "burst_close"], LONG_SHORT),
    ...["force_buy_ssm", "force_sell_ssm", "burst_buy_ssm", "burst_sell_ssm"],
    ...["force_buy", "force_sell", "burst_buy", "burst_sell", "burst_long_loss_query", "burst_short_loss_query"],
    ...each(["risk_liq_user", "fixed_risk_liq_user", "liq_fund", "liq_convert", "liq_transfer"], IN_OUT),
    ...["risk_liq_default_user_in", "fixed_risk_liq_default_user_in", "liq_fee", "liq_repayment"],
    ...["risk_captital_user_transfer", "liquidation_fee", "compensate", "confiscated"],
  ],
  reward: [
    ...["bonus_grant_user_in", "bonus_expire_user_out", "bonus_transfer_user_out", "bonus_issue", "bonus_recycle"],
    ...["bonus_expired", "cash_gift_issue", "cash_gift_recycle"],
    ...["rebate_rewards", "airdrop_rewards", "usdt_contract_rewards", "mix_contract_rewards"],
  ],
  copy_trading: [
    ...each(["trace_transfer_user", "trace_share_benefit_user"], IN_OUT),
    ...["trace_transfer_refund_in", "trace_share_benefit_in"],
    ...["tracking_follow_pay", "tracking_follow_back", "tracking_trader_income"],
  ],
  other: ["other", "fait", "c2c", "pre_c2c", "rwa", "stock", "system_lock", "user_lock"],
};

/** The kind of each of the exchange's words. */
export const RECORD_WORDS: Readonly<Record<string, FinancialRecordKind>> = Object.fromEntries(
  FINANCIAL_RECORD_KINDS.flatMap((kind) => WORDS[kind].map((word) => [word, kind])),
);
