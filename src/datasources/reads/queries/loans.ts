import {
  type LoanTerms,
  loanCoins,
  loanDebts,
  loanHistory,
  loanOngoing,
  loanReductions as reductions,
  loanRepayments as repayments,
  unifiedLoanDebts,
  unifiedLoanHistory,
  unifiedLoanOngoing,
  unifiedLoanReductions,
  unifiedLoanRepayments,
} from "@exchange-graph/contract/loan";
import type { ExchangeAccount } from "../../calls/index.js";
import type { Reads } from "../reader/reads.js";
import { type Names, named } from "./keptLists.js";
import { listOfMode } from "./pagedList.js";
import { type FilterOf, withoutNulls } from "./pagedQuery.js";

export const readOngoingLoans = async (reads: Reads, account: ExchangeAccount, filter: FilterOf<typeof loanOngoing>) =>
  reads.read((await reads.modeOf(account)) === "UNIFIED" ? unifiedLoanOngoing : loanOngoing, withoutNulls(filter), account);

/** Debts and pledges of the account, per coin. */
export const readDebts = async (reads: Reads, account: ExchangeAccount) =>
  reads.read((await reads.modeOf(account)) === "UNIFIED" ? unifiedLoanDebts : loanDebts, {}, account);

/** Coins that can be borrowed and pledged, with their rates. The whole list is read, for any coins. */
export async function readLoanTerms(reads: Reads, coins?: Names): Promise<LoanTerms> {
  const terms = await reads.read(loanCoins, {});
  return {
    loanCoins: named(terms.loanCoins, ({ coin }) => coin, "coins", coins),
    pledgeCoins: named(terms.pledgeCoins, ({ coin }) => coin, "coins", coins),
  };
}

/** Loans of the past three months that have ended, newest first. */
export const closedLoans = listOfMode(unifiedLoanHistory, loanHistory, ({ orderId }) => orderId);

/** Repayments of the past three months, newest first. */
export const loanRepayments = listOfMode(
  unifiedLoanRepayments,
  repayments,
  ({ orderId, repayTime, amount }) => `${orderId} ${repayTime} ${amount}`,
);

/** Collateral that was sold in the past three months, newest first. */
export const loanReductions = listOfMode(
  unifiedLoanReductions,
  reductions,
  ({ orderId, reduceTime }) => `${orderId} ${reduceTime}`,
);
