import type { ExchangeAccount } from "../../datasources/index.js";
import {
  closedLoans,
  conversions,
  deposits,
  loanReductions,
  loanRepayments,
  readOngoingLoans,
  readTransferRecords,
  readTransfers,
  savingsRecords,
  sharkFinRecords,
  transferCoinPages,
  transferCoins,
  transferRecordPages,
  transfersOfSubAccounts,
  wholeSlice,
  withdrawals,
  withdrawalsOfSubAccounts,
} from "../../datasources/reads/index.js";
import { readJournal } from "../../datasources/writes/index.js";
import type { AccountMode } from "../../schema/enums/account.js";
import { subAccountWithdrawalOf } from "../broker.js";
import { convertRecordOf } from "../convert.js";
import { journalEntryOf } from "../mutations/journal.js";
import { withdrawalOf } from "../wallet.js";
import { type ActivityList, type DividedList, item, itemsOf, pagedItems } from "./activityList.js";

const FUNDS: readonly ActivityList[] = [
  pagedItems("CONVERSION", "conversions", conversions, {}, (row, account) =>
    item("ConvertRecord", account, convertRecordOf(account, row), { key: row.id, at: row.createdTime }),
  ),
  pagedItems("DEPOSIT", "deposits", deposits, { coin: null, orderId: null }, (row, account) =>
    item("Deposit", account, row, { key: row.orderId, at: row.createdTime }),
  ),
  pagedItems("WITHDRAWAL", "withdrawals", withdrawals, { coin: null, orderId: null, clientOid: null }, (row, account) =>
    item("Withdrawal", account, withdrawalOf(account, row), { key: row.orderId, at: row.createdTime }),
  ),
  itemsOf(
    { kind: "WRITE", name: "writes", pages: undefined },
    ({ writes }, account, page) => readJournal(writes, account, page),
    (entry, account) => item("JournalEntry", account, journalEntryOf(entry), { key: String(entry.seq), at: entry.sentAt }),
  ),
];

/** The exchange lists the transfers of a Classic account by coin; those of a unified one are records of its balances alone. */
const TRANSFERS: Readonly<Record<AccountMode, ActivityList | DividedList>> = {
  UNIFIED: itemsOf(
    { kind: "TRANSFER", name: "transfers", pages: transferRecordPages },
    ({ reads }, account, page) => readTransferRecords(reads, account, page),
    (row, account) => item("FinancialRecord", account, row, { key: row.recordId, at: row.createdTime }),
  ),
  CLASSIC: {
    ...{ kind: "TRANSFER", name: "transfers", pages: transferCoinPages },
    parts: async ({ reads }, account, times) => (await transferCoins(reads, account, times)).map(transfersOf),
  },
};

const transferItem = (row: { readonly transferId: string; readonly createdTime: number | null }, account: ExchangeAccount) =>
  item("Transfer", account, row, { key: row.transferId, at: row.createdTime });

const transfersOf = (coin: string): ActivityList =>
  itemsOf(
    { kind: "TRANSFER", name: `transfers ${coin}`, pages: undefined },
    ({ reads }, account, page) => readTransfers(reads, account, { coin }, page),
    transferItem,
  );

/** What only the key of a master account or of a broker can read. */
const SUB_ACCOUNTS: readonly ActivityList[] = [
  ...(["initiator", "receiver"] as const).map((role) => {
    const filter = { coin: null, subUid: null, role };
    return pagedItems("SUB_ACCOUNT_TRANSFER", `transfers ${role}`, transfersOfSubAccounts, filter, transferItem);
  }),
  pagedItems(
    "SUB_ACCOUNT_WITHDRAWAL",
    "withdrawals of sub-accounts",
    withdrawalsOfSubAccounts,
    { userId: null, orderId: null },
    (row, account) =>
      item("SubAccountWithdrawal", account, subAccountWithdrawalOf(account, row), { key: row.orderId, at: row.createdTime }),
  ),
];

/** Conversions, and coins that enter, leave and change places. */
export const fundLists = (mode: AccountMode): readonly (ActivityList | DividedList)[] => [
  ...FUNDS,
  TRANSFERS[mode],
  ...SUB_ACCOUNTS,
];

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
