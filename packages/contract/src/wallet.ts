import { type Decoded, id, optionalDecimal, optionalInteger, optionalText, optionalTime, optionalToken } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond } from "./endpoint.js";
import { optionalFeeTotal } from "./fee.js";
import { listPagedBy } from "./page.js";
import { coinName, maybe, pageSize, required, timestamp, words } from "./parameter.js";
import { WALLET_READ, WITHDRAW } from "./permissions.js";
import { record } from "./record.js";

/** Withdrawals to a chain or to another user of the exchange. */

export const WITHDRAWAL_DESTINATIONS = ["on_chain", "internal_transfer"] as const;
export const WITHDRAWAL_STATUSES = ["pending", "fail", "success"] as const;

/** A withdrawal, of the account itself or of a broker's sub-account; the two lists differ in a few names. */
export const withdrawal = record({
  orderId: id("The exchange's identifier of the withdrawal"),
  clientOid: optionalText("The client's own identifier; lists of sub-accounts' withdrawals leave it out"),
  txId: optionalText("Transaction hash on the chain, or the internal transfer's identifier", "tradeId", "txId"),
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
  createdTime: optionalTime("When it was requested (the exchange's `cTime`)", "cTime"),
  updatedTime: optionalTime("Last update (the exchange's `uTime`)", "uTime"),
});
export type Withdrawal = Decoded<typeof withdrawal>;

export const withdrawalRecords = endpoint({
  name: "withdrawalRecords",
  doc: "The account's own withdrawals",
  method: "GET",
  path: "/api/v2/spot/wallet/withdrawal-records",
  apiVersion: "v2",
  access: "private",
  serves: "BOTH",
  permissions: [...WALLET_READ, ...WITHDRAW],
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    startTime: required("From here on", timestamp()),
    endTime: required("Up to here", timestamp()),
    coin: maybe("Coin", coinName()),
    orderId: maybe("Withdrawal order identifier", words()),
    clientOid: maybe("The client's own identifier", words()),
    limit: maybe("Page size", pageSize(20, 100)),
    idLessThan: maybe("The cursor of the page before", words()),
  },
  window: { from: "startTime", to: "endTime" },
  data: listPagedBy(withdrawal, ({ orderId }) => orderId),
});
