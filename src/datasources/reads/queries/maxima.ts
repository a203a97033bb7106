import { classicMarginMaxTransfer, type MaxTransfer, maxTransferable, maxWithdrawal } from "@exchange-graph/contract/maximum";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";

/** The most of a coin that can be transferred out of a unified account, or of the cross margin account of a Classic one. */
export const readMaxTransfer = async (reads: Reads, account: ExchangeAccount, coin: string): Promise<MaxTransfer> =>
  reads.read((await reads.modeOf(account)) === "UNIFIED" ? maxTransferable : classicMarginMaxTransfer, { coin }, account);

/** The most of a coin that can be withdrawn from a unified account. */
export async function readMaxWithdrawal(reads: Reads, account: ExchangeAccount, coin: string) {
  await reads.demand(account, "UNIFIED", "The most that can be withdrawn");
  return reads.read(maxWithdrawal, { coin }, account);
}
