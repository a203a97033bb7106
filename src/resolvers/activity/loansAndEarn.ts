import {
  closedLoans,
  loanReductions,
  loanRepayments,
  readOngoingLoans,
  savingsRecords,
  sharkFinRecords,
  wholeSlice,
} from "../../datasources/reads/index.js";
import { type ActivityList, item, mapped } from "./activityList.js";

const NONE = { orderId: null, loanCoin: null, pledgeCoin: null };

export const LOANS: readonly ActivityList[] = [
  {
    ...{ kind: "LOAN", name: "running loans", hasSymbols: false, pages: { lists: [{ parameters: {} }], isOverTime: false } },
    read: async ({ reads }, account) =>
      mapped(wholeSlice(await readOngoingLoans(reads, account, {})), (row) =>
        item("LoanOrder", account, row, { key: row.orderId, at: row.borrowTime }),
      ),
  },
  {
    ...{ kind: "LOAN", name: "ended loans", hasSymbols: false, pages: closedLoans.pages },
    read: async ({ reads }, account, page) =>
      mapped(await closedLoans.read(reads, account, { ...NONE, status: null }, page), (row) =>
        item("ClosedLoan", account, row, { key: row.orderId, at: row.borrowTime }),
      ),
  },
  {
    ...{ kind: "LOAN_REPAYMENT", name: "repayments", hasSymbols: false, pages: loanRepayments.pages },
    read: async ({ reads }, account, page) =>
      mapped(await loanRepayments.read(reads, account, NONE, page), (row) =>
        item("LoanRepayment", account, row, { key: `${row.orderId} ${row.repayTime} ${row.amount}`, at: row.repayTime }),
      ),
  },
  {
    ...{ kind: "LOAN_REDUCTION", name: "reductions", hasSymbols: false, pages: loanReductions.pages },
    read: async ({ reads }, account, page) =>
      mapped(await loanReductions.read(reads, account, { ...NONE, status: null }, page), (row) =>
        item("LoanReduction", account, row, { key: `${row.orderId} ${row.reduceTime}`, at: row.reduceTime }),
      ),
  },
];

export const EARN: readonly ActivityList[] = [
  ...(["flexible", "fixed"] as const).map(
    (periodType): ActivityList => ({
      ...{ kind: "SAVINGS", name: `savings ${periodType}`, hasSymbols: false, pages: savingsRecords.pages },
      read: async ({ reads }, account, page) =>
        mapped(await savingsRecords.read(reads, account, { periodType, coin: null, orderType: null }, page), (row) =>
          item("SavingsRecord", account, row, { key: row.orderId, at: row.createdTime }),
        ),
    }),
  ),
  ...(["subscription", "redemption", "interest"] as const).map(
    (type): ActivityList => ({
      ...{ kind: "SHARK_FIN", name: `shark-fin ${type}`, hasSymbols: false, pages: sharkFinRecords.pages },
      read: async ({ reads }, account, page) =>
        mapped(await sharkFinRecords.read(reads, account, { type, coin: null }, page), (row) =>
          item("SharkFinRecord", account, row, { key: `${type} ${row.orderId}`, at: row.createdTime }),
        ),
    }),
  ),
];
