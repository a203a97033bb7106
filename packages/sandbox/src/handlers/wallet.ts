import { plain } from "@exchange-graph/contract/decimal";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { withdrawalRecords } from "@exchange-graph/contract/wallet";
import { ZERO } from "../world/ledger.js";
import type { Register } from "../world/register.js";
import { fromAddress, statusAt, type Withdrawal } from "../world/wallet/withdrawals.js";
import { type Handler, signed } from "./handler.js";
import { pageBelow, within } from "./paging.js";

/** Withdrawals. */
export const walletHandlers = (withdrawals: Register<Withdrawal>, now: () => number): readonly Handler[] => [
  signed(withdrawalRecords, ({ values, uid }) => {
    const all = within(withdrawals.of(uid), ({ createdTime }) => createdTime, values.startTime, values.endTime);
    const found = all.filter(
      (row) =>
        isNamed(row.coin, values.coin) &&
        (values.orderId ?? row.orderId) === row.orderId &&
        (values.clientOid ?? row.clientOid) === row.clientOid,
    );
    const { rows } = pageBelow(found, ({ orderId }) => orderId, values.idLessThan, values.limit);
    return rows.map((row) => ({
      ...withdrawalFields(row, statusAt(row, now())),
      tradeId: row.txId,
      size: plain(row.amount),
      clientOid: row.clientOid ?? "",
    }));
  }),
];

/** Fields that an account's own list of withdrawals and a broker's have in common; the fee is negative. */
export const withdrawalFields = (withdrawal: Withdrawal, status: string) => ({
  orderId: withdrawal.orderId,
  coin: withdrawal.coin,
  dest: withdrawal.dest,
  type: "withdraw",
  tag: withdrawal.tag ?? "",
  fee: plain(ZERO.minus(withdrawal.fee)),
  status,
  toAddress: withdrawal.address,
  fromAddress: fromAddress(withdrawal),
  confirm: status === "success" ? "1" : "0",
  chain: withdrawal.chain,
  cTime: String(withdrawal.createdTime),
  uTime: String(withdrawal.createdTime),
});
