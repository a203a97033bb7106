import { plain } from "@exchange-graph/contract/decimal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import {
  classicDepositRecords,
  classicWithdrawalRecords,
  depositRecords,
  withdrawalRecords,
} from "@exchange-graph/contract/wallet";
import { ZERO } from "../world/ledger.js";
import { type Deposit, depositAddress } from "../world/wallet/deposits.js";
import type { WalletService } from "../world/wallet/walletService.js";
import { fromAddress, statusAt, type Withdrawal } from "../world/wallet/withdrawals.js";
import { type Handler, signed } from "./handler.js";
import { createdWithin, type HistoryQuery, pageBelow } from "./paging.js";
import { classicTimes, picked, unifiedTimes } from "./wire/fields.js";

interface Row {
  readonly orderId: string;
  readonly clientOid?: string | undefined;
  readonly coin: string;
  readonly createdTime: number;
}

function page<R extends Row>(rows: readonly R[], query: HistoryQuery, before: string | undefined): readonly R[] {
  const inTime = createdWithin(rows, query);
  const isMeant = ({ orderId, clientOid, coin }: R) =>
    isNamed(coin, query.coin) && (query.orderId ?? orderId) === orderId && (query.clientOid ?? clientOid) === clientOid;
  return pageBelow(inTime, ({ orderId }) => orderId, before, query.limit, isMeant).rows;
}

export function walletHandlers({ withdrawals, deposits, office }: WalletService): readonly Handler[] {
  const statusOf = (row: Withdrawal) => statusAt(row, office.now());
  return [
    signed(withdrawalRecords, ({ values, uid }) =>
      page(withdrawals.of(uid), values, values.cursor).map((row) => unifiedWithdrawal(row, statusOf(row))),
    ),
    signed(classicWithdrawalRecords, ({ values, uid }) =>
      page(withdrawals.of(uid), values, values.idLessThan).map((row) => ({
        ...withdrawalFields(row, statusOf(row)),
        tradeId: row.txId,
        size: plain(row.amount),
        clientOid: row.clientOid ?? "",
      })),
    ),
    signed(depositRecords, ({ values, uid }) => page(deposits.of(uid), values, values.cursor).map(unifiedDeposit)),
    signed(classicDepositRecords, ({ values, uid }) => page(deposits.of(uid), values, values.idLessThan).map(classicDeposit)),
  ];
}

/** Fields that an account's own list of withdrawals and a broker's have in common; the fee is negative. */
export const withdrawalFields = (withdrawal: Withdrawal, status: string) => ({
  ...picked(withdrawal, "orderId", "coin", "dest", "chain"),
  type: "withdraw",
  tag: withdrawal.tag ?? "",
  fee: plain(ZERO.minus(withdrawal.fee)),
  status,
  toAddress: withdrawal.address,
  fromAddress: fromAddress(withdrawal),
  confirm: status === "success" ? "1" : "0",
  ...classicTimes({ createdTime: withdrawal.createdTime }),
});

/** v3: the fee is positive. */
function unifiedWithdrawal(withdrawal: Withdrawal, status: string): unknown {
  const { cTime, uTime, ...fields } = withdrawalFields(withdrawal, status);
  return {
    ...fields,
    clientOid: withdrawal.clientOid ?? "",
    recordId: withdrawal.txId,
    size: plain(withdrawal.amount),
    fee: plain(withdrawal.fee),
    createdTime: cTime,
    updatedTime: uTime,
  };
}

const depositFields = (deposit: Deposit) => ({
  ...picked(deposit, "orderId", "coin", "fromAddress", "chain"),
  type: "deposit",
  dest: deposit.source,
  size: plain(deposit.amount),
  status: "success",
  toAddress: deposit.source === "on_chain" ? depositAddress(deposit) : deposit.uid,
});

const unifiedDeposit = (deposit: Deposit): unknown => ({
  ...depositFields(deposit),
  recordId: deposit.txId,
  ...unifiedTimes({ createdTime: deposit.createdTime }),
});

const classicDeposit = (deposit: Deposit): unknown => ({
  ...depositFields(deposit),
  tradeId: deposit.txId,
  ...classicTimes({ createdTime: deposit.createdTime }),
});
