import { type Decoded, id, optionalDecimal, optionalInteger, optionalText, optionalTime, optionalToken } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond } from "./endpoint.js";
import { optionalFeeTotal } from "./fee.js";
import { listPagedBy } from "./page.js";
import { coinName, maybe, pageSize, required, textRule, timestamp } from "./parameter.js";
import { UNIFIED_MANAGEMENT_READ, WALLET_READ, WITHDRAW } from "./permissions.js";
import { record } from "./record.js";

/** Withdrawals to a chain or to another user of the exchange, and deposits from there. */

export const WITHDRAWAL_DESTINATIONS = ["on_chain", "internal_transfer"] as const;
export const WITHDRAWAL_STATUSES = ["pending", "fail", "success"] as const;

/** A withdrawal, of the account itself or of a broker's sub-account; the two lists differ in a few names. */
export const withdrawal = record({
  orderId: id("The exchange's identifier of the withdrawal"),
  clientOid: optionalText("The client's own identifier; lists of sub-accounts' withdrawals leave it out"),
  txId: optionalText("Transaction hash on the chain, or the internal transfer's identifier", "tradeId", "txId", "recordId"),
  coin: optionalText("Coin, for example `USDT`"),
  dest: optionalToken("To a chain, or to another user of the exchange", WITHDRAWAL_DESTINATIONS),
  chain: optionalText("Chain of the transfer, for example `TRX`"),
  amount: optionalDecimal("Amount with the fee in it, in the coin (also spelt `size`)", "size", "amount"),
  fee: optionalFeeTotal("Fee, in the coin, positive where it was paid", "negative"),
  status: optionalToken("State of the withdrawal", WITHDRAWAL_STATUSES),
  toAddress: optionalText("Receiving address, or the receiver's user identifier"),
  fromAddress: optionalText("Sending address"),
  tag: optionalText("Memo or comment that goes with the address"),
  confirm: optionalInteger("Confirmations on the chain so far"),
  userId: optionalText("User identifier of the sub-account; an account's own list leaves it out"),
  createdTime: optionalTime("When it was requested (v2: `cTime`)", "cTime", "createdTime"),
  updatedTime: optionalTime("Last update (v2: `uTime`)", "uTime", "updatedTime"),
});
export type Withdrawal = Decoded<typeof withdrawal>;

/** v3 writes a fee that was paid as a positive number. */
export const unifiedWithdrawal = record({
  ...withdrawal.fields,
  fee: optionalFeeTotal("Fee, in the coin, positive where it was paid", "positive"),
});

export const deposit = record({
  orderId: id("The exchange's identifier of the deposit"),
  txId: withdrawal.fields.txId,
  coin: optionalText("Coin, for example `USDT`"),
  source: optionalToken("From a chain, or from another user of the exchange (`dest`)", WITHDRAWAL_DESTINATIONS, {}, "dest"),
  chain: optionalText("Chain of the transfer, for example `TRX`"),
  amount: optionalDecimal("Amount, in the coin (`size`)", "size"),
  status: optionalToken("State of the deposit", WITHDRAWAL_STATUSES),
  fromAddress: optionalText("Sending address, or the sender's user identifier"),
  toAddress: optionalText("Receiving address"),
  createdTime: withdrawal.fields.createdTime,
  updatedTime: withdrawal.fields.updatedTime,
});

const withdrawalFilters = {
  startTime: required("From here on", timestamp()),
  endTime: required("Up to here", timestamp()),
  coin: maybe("Coin", coinName()),
  orderId: maybe("Withdrawal order identifier", textRule()),
  clientOid: maybe("The client's own identifier", textRule()),
  limit: maybe("Page size", pageSize(20, 100)),
};
const idLessThan = maybe("The cursor of the page before", textRule());
const cursor = maybe("The cursor of the page before: its smallest order identifier", textRule());
const ofOrder = ({ orderId }: { readonly orderId: string }): string => orderId;

const RECORDS = { rate: perSecond(10, "UID"), cache: PRIVATE_HISTORY, window: { from: "startTime", to: "endTime" } } as const;

export const withdrawalRecords = endpoint({
  ...RECORDS,
  name: "withdrawalRecords",
  doc: "A unified account's own withdrawals",
  path: "/api/v3/account/withdrawal-records",
  permissions: UNIFIED_MANAGEMENT_READ,
  parameters: { ...withdrawalFilters, cursor },
  data: listPagedBy(unifiedWithdrawal, ofOrder),
});

export const classicWithdrawalRecords = endpoint({
  ...RECORDS,
  name: "classicWithdrawalRecords",
  doc: "A Classic account's own withdrawals",
  path: "/api/v2/spot/wallet/withdrawal-records",
  permissions: [...WALLET_READ, ...WITHDRAW],
  parameters: { ...withdrawalFilters, idLessThan },
  data: listPagedBy(withdrawal, ofOrder),
});

const { clientOid: _, ...depositFilters } = withdrawalFilters;

export const depositRecords = endpoint({
  ...RECORDS,
  name: "depositRecords",
  doc: "Deposits into a unified account",
  path: "/api/v3/account/deposit-records",
  permissions: UNIFIED_MANAGEMENT_READ,
  parameters: { ...depositFilters, cursor },
  data: listPagedBy(deposit, ofOrder),
});

export const classicDepositRecords = endpoint({
  ...RECORDS,
  name: "classicDepositRecords",
  doc: "Deposits into a Classic account",
  path: "/api/v2/spot/wallet/deposit-records",
  permissions: WALLET_READ,
  parameters: { ...depositFilters, idLessThan },
  data: listPagedBy(deposit, ofOrder),
});
