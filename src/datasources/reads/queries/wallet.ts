import {
  classicSubTransfers,
  classicTransfers,
  subTransfers,
  type Transfer,
  type TransferWallet,
} from "@exchange-graph/contract/transfer";
import {
  classicDepositRecords,
  classicWithdrawalRecords,
  depositRecords,
  withdrawalRecords,
} from "@exchange-graph/contract/wallet";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Slice } from "../paging/pager.js";
import type { Reads } from "../reader/reads.js";
import { NOTHING, overTime, type Pages } from "./pageCounts.js";
import { listOfMode } from "./pagedList.js";
import { type HistoryArguments, pagedQuery } from "./pagedQuery.js";

const ofTransfer = ({ transferId }: Transfer): string => transferId;

/** Deposits into an account, newest first. */
export const deposits = listOfMode(depositRecords, classicDepositRecords, ({ orderId }) => orderId);

/** An account's own withdrawals, newest first. */
export const withdrawals = listOfMode(withdrawalRecords, classicWithdrawalRecords, ({ orderId }) => orderId);

/** Transfers between a master account and its sub-accounts that one of them has sent, or has received; newest first. */
export const transfersOfSubAccounts = listOfMode(subTransfers, classicSubTransfers, ofTransfer);

export const transferPages: Pages = (mode) => (mode === "CLASSIC" ? overTime(classicTransfers) : NOTHING);

/** Transfers of a coin between the wallets of a Classic account, newest first. */
export async function readTransfers(
  reads: Reads,
  account: ExchangeAccount,
  { coin, fromWallet }: { readonly coin: string; readonly fromWallet?: TransferWallet | null | undefined },
  asked: HistoryArguments,
): Promise<Slice<Transfer>> {
  await reads.demand(account, "CLASSIC", "A list of transfers between the account's wallets");
  const values = { coin, fromType: fromWallet };
  return pagedQuery(reads, { endpoint: classicTransfers, account, values, rowKey: ofTransfer }, asked);
}
