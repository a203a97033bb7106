import {
  closedLoans,
  loanReductions,
  loanRepayments,
  readOngoingLoans,
  savingsRecords,
  sharkFinRecords,
  wholeSlice,
} from "../../datasources/reads/index.js";
import { type ActivityList, item, itemsOf, pagedItems } from "./activityList.js";

const NONE = { orderId: null, loanCoin: null, pledgeCoin: null };

export const LOANS: readonly ActivityList[] = [
  itemsOf(
    { kind: "LOAN", name: "running loans", pages: { lists: [{ parameters: {} }], isOverTime: false } },
    async ({ reads }, account) => wholeSlice(await readOngoingLoans(reads, account, {})),
    (row, account) => item("LoanOrder", account, row, { key: row.orderId, at: row.borrowTime }),
  ),
  pagedItems("LOAN", "ended loans", closedLoans, { ...NONE, status: null }, (row, account) =>
    item("ClosedLoan", account, row, { key: row.orderId, at: row.borrowTime }),
  ),
  pagedItems("LOAN_REPAYMENT", "repayments", loanRepayments, NONE, (row, account) =>
    item("LoanRepayment", account, row, { key: `${row.orderId} ${row.repayTime} ${row.amount}`, at: row.repayTime }),
  ),
  pagedItems("LOAN_REDUCTION", "reductions", loanReductions, { ...NONE, status: null }, (row, account) =>
    item("LoanReduction", account, row, { key: `${row.orderId} ${row.reduceTime}`, at: row.reduceTime }),
  ),
];

export const EARN: readonly ActivityList[] = [
  ...(["flexible", "fixed"] as const).map((periodType) => {
    const filter = { periodType, coin: null, orderType: null };
    return pagedItems("SAVINGS", `savings ${periodType}`, savingsRecords, filter, (row, account) =>
      item("SavingsRecord", account, row, { key: row.orderId, at: row.createdTime }),
    );
  }),
  ...(["subscription", "redemption", "interest"] as const).map((type) =>
    pagedItems("SHARK_FIN", `shark-fin ${type}`, sharkFinRecords, { type, coin: null }, (row, account) =>
      item("SharkFinRecord", account, row, { key: `${type} ${row.orderId}`, at: row.createdTime }),
    ),
  ),
];
