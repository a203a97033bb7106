import { plain } from "@exchange-graph/contract/decimal";
import type { Cause } from "../../world/cause.js";
import type { FinancialRecord } from "../../world/funds/financialRecords.js";
import { ZERO } from "../../world/ledger.js";
import { classicTimes } from "./fields.js";

/** Changes of balances in the lists of both API versions. Each kind of account has its own words for the same cause. */

type Kind = Cause["kind"];

const isIn = ({ amount, fee }: FinancialRecord): boolean => amount.plus(fee).gte(ZERO);
const direction = (record: FinancialRecord, into: string, out: string): string => (isIn(record) ? into : out);

/** Effects of fills on positions, in v3's words and in those of Classic futures. */
const DEALS: ReadonlyMap<string, readonly [unified: string, classic: string]> = new Map([
  ["buy_single", ["BUY_DEAL", "buy"]],
  ["sell_single", ["SELL_DEAL", "sell"]],
  ["burst_close_long", ["BURST_CLOSE_LONG", "burst_long_loss_query"]],
  ["burst_close_short", ["BURST_CLOSE_SHORT", "burst_short_loss_query"]],
  ["burst_buy_single", ["BURST_BUY_SSM", "burst_buy"]],
  ["burst_sell_single", ["BURST_SELL_SSM", "burst_sell"]],
  ["delivery_close_long", ["DELIVERY_LONG", "delivery_long"]],
  ["delivery_close_short", ["DELIVERY_SHORT", "delivery_short"]],
  ["delivery_buy_single", ["DELIVERY_SHORT", "delivery_short"]],
  ["delivery_sell_single", ["DELIVERY_LONG", "delivery_long"]],
]);
const dealOf = (tradeSide: string) => DEALS.get(tradeSide) ?? ([tradeSide.toUpperCase(), tradeSide] as const);

/** What is no trade, funding or debt is a transfer for the wallets of unified accounts and for futures wallets. */
const UNIFIED_WORDS: Partial<Readonly<Record<Kind, (record: FinancialRecord) => string>>> = {
  trade: (record) =>
    record.cause.tradeSide === ""
      ? direction(record, "ORDER_DEALT_IN", "ORDER_DEALT_FROZEN_OUT")
      : dealOf(record.cause.tradeSide ?? "")[0],
  funding: (record) => direction(record, "CONTRACT_MAIN_SETTLE_FEE_USER_IN", "CONTRACT_MAIN_SETTLE_FEE_USER_OUT"),
  borrow: () => "BORROW",
  repayment: () => "REPAYMENT",
  interest: () => "INTEREST_REPAYMENT",
  liquidation: (record) => direction(record, "LIQ_CONVERT_IN", "LIQ_CONVERT_OUT"),
  insurance: () => "RISK_LIQ_USER_IN",
  conversion: (record) => direction(record, "EXCHANGE_TARGET_TOKEN_USER_IN", "EXCHANGE_SOURCE_TOKEN_USER_OUT"),
};

/** v3: the category of a record without a product. */
const UNIFIED_CATEGORY: Partial<Readonly<Record<Kind, string>>> = { borrow: "MARGIN", repayment: "MARGIN", interest: "MARGIN" };
export const unifiedCategory = ({ cause }: FinancialRecord): string => cause.category ?? UNIFIED_CATEGORY[cause.kind] ?? "OTHER";

const common = (record: FinancialRecord) => ({
  coin: record.coin,
  balance: plain(record.balance),
});

/** v3, the unified account. */
export const unifiedRecord = (record: FinancialRecord) => ({
  ...common(record),
  category: unifiedCategory(record),
  id: record.id,
  symbol: record.cause.symbol ?? "",
  type: (UNIFIED_WORDS[record.cause.kind] ?? ((row) => direction(row, "TRANSFER_IN", "TRANSFER_OUT")))(record),
  amount: plain(record.amount),
  fee: plain(record.fee),
  ts: String(record.at),
});

/** Groups of the funding account and of Classic spot bills, each with its words for what comes in and what goes out. */
const GROUPS: Partial<Readonly<Record<Kind, readonly [group: string, into: string, out: string]>>> = {
  opening: ["deposit", "DEPOSIT", "DEPOSIT"],
  deposit: ["deposit", "DEPOSIT", "DEPOSIT"],
  trade: ["transaction", "BUY", "SELL"],
  conversion: ["convert", "BUY", "SELL"],
  loan: ["loan", "BORROW", "REPAY"],
  "loan pledge": ["loan", "BORROW", "PLEDGE"],
  "loan pledge returned": ["loan", "PLEDGE_RETURNED", "PLEDGE"],
  redemption: ["financial", "REDEEM", "SUBSCRIBE"],
  "earn interest": ["financial", "INTEREST", "INTEREST"],
};
const TRANSFER_GROUP = ["transfer", "TRANSFER_IN", "TRANSFER_OUT"] as const;

/** A withdrawal to another user is a deposit for that user. */
function groupOf(record: FinancialRecord): readonly [group: string, word: string] {
  const { kind, side } = record.cause;
  if (kind === "withdrawal") return isIn(record) ? ["deposit", "DEPOSIT"] : ["withdraw", "WITHDRAW"];
  const [group, into, out] = GROUPS[kind] ?? TRANSFER_GROUP;
  // A trade has the word of its order's side for both coins.
  if (kind === "trade") return [group, side === "sell" ? out : into];
  return [group, direction(record, into, out)];
}

/** v3, the funding account. */
export function fundingRecord(record: FinancialRecord) {
  const [groupType, type] = groupOf(record);
  return {
    ...common(record),
    id: record.id,
    groupType,
    type: type.toLowerCase(),
    amount: plain(record.amount.plus(record.fee)),
    ts: String(record.at),
  };
}

/** v2 spot. */
export function spotBill(record: FinancialRecord) {
  const [groupType, businessType] = groupOf(record);
  return {
    ...common(record),
    cTime: String(record.at),
    groupType,
    businessType,
    size: plain(record.amount),
    fees: plain(record.fee),
    billId: record.id,
  };
}

/** The words of Classic futures for the wallet at the other end of a transfer. */
const FUTURES_ENDS: readonly (readonly [wallet: RegExp, word: string])[] = [
  [/\/(?:usdt|usdc|coin)-futures$/, "contract"],
  [/\/funding$/, "otc"],
  [/\/crossed-margin$/, "cross"],
  [/\/isolated-margin\//, "isolated"],
];

function futuresWord(record: FinancialRecord): string {
  const { kind, tradeSide = "" } = record.cause;
  if (kind === "trade") return dealOf(tradeSide)[1];
  if (kind === "funding") return "contract_settle_fee";
  if (kind === "insurance") return "risk_captital_user_transfer";
  const end = FUTURES_ENDS.find(([wallet]) => wallet.test(record.counterparty ?? ""))?.[1] ?? "exchange";
  return `${direction(record, "trans_from", "trans_to")}_${end}`;
}

/** v2 futures. */
export const futuresBill = (record: FinancialRecord) => ({
  ...common(record),
  billId: record.id,
  symbol: record.cause.symbol ?? "",
  amount: plain(record.amount),
  fee: plain(record.fee),
  feeByCoupon: "",
  businessType: futuresWord(record),
  cTime: String(record.at),
});

/** v2 margin. */
export const marginRecord = (record: FinancialRecord) => ({
  ...common(record),
  marginId: record.id,
  amount: plain(record.amount),
  fee: plain(record.fee),
  marginType: direction(record, "transfer_in", "transfer_out"),
  ...classicTimes({ createdTime: record.at }),
});
