import {
  conversions,
  deposits,
  readTransferRecords,
  readTransfers,
  transferCoinPages,
  transferCoins,
  transferRecordPages,
  transfersOfSubAccounts,
  withdrawals,
  withdrawalsOfSubAccounts,
} from "../../datasources/reads/index.js";
import { readJournal } from "../../datasources/writes/index.js";
import type { AccountMode } from "../../schema/enums/account.js";
import { subAccountWithdrawalOf } from "../broker.js";
import { convertRecordOf } from "../convert.js";
import { journalEntryOf } from "../mutations/journal.js";
import { withdrawalOf } from "../wallet.js";
import { type ActivityList, type DividedList, item, mapped } from "./activityList.js";

const FUNDS: readonly ActivityList[] = [
  {
    ...{ kind: "CONVERSION", name: "conversions", hasSymbols: false, pages: conversions.pages },
    read: async ({ reads }, account, page) =>
      mapped(await conversions.read(reads, account, {}, page), (row) =>
        item("ConvertRecord", account, convertRecordOf(account, row), { key: row.id, at: row.createdTime }),
      ),
  },
  {
    ...{ kind: "DEPOSIT", name: "deposits", hasSymbols: false, pages: deposits.pages },
    read: async ({ reads }, account, page) =>
      mapped(await deposits.read(reads, account, { coin: null, orderId: null }, page), (row) =>
        item("Deposit", account, row, { key: row.orderId, at: row.createdTime }),
      ),
  },
  {
    ...{ kind: "WITHDRAWAL", name: "withdrawals", hasSymbols: false, pages: withdrawals.pages },
    read: async ({ reads }, account, page) =>
      mapped(await withdrawals.read(reads, account, { coin: null, orderId: null, clientOid: null }, page), (row) =>
        item("Withdrawal", account, withdrawalOf(account, row), { key: row.orderId, at: row.createdTime }),
      ),
  },
  {
    ...{ kind: "WRITE", name: "writes", hasSymbols: false, pages: undefined },
    read: async ({ writes }, account, page) =>
      mapped(await readJournal(writes, account, page), (entry) =>
        item("JournalEntry", account, journalEntryOf(entry), { key: String(entry.seq), at: entry.sentAt }),
      ),
  },
];

/** The exchange lists the transfers of a Classic account by coin; those of a unified one are records of its balances alone. */
const TRANSFERS: Readonly<Record<AccountMode, ActivityList | DividedList>> = {
  UNIFIED: {
    ...{ kind: "TRANSFER", name: "transfers", hasSymbols: false, pages: transferRecordPages },
    read: async ({ reads }, account, page) =>
      mapped(await readTransferRecords(reads, account, page), (row) =>
        item("FinancialRecord", account, row, { key: row.recordId, at: row.createdTime }),
      ),
  },
  CLASSIC: {
    ...{ kind: "TRANSFER", name: "transfers", hasSymbols: false, pages: transferCoinPages },
    parts: async ({ reads }, account, times) => (await transferCoins(reads, account, times)).map(transfersOf),
  },
};

const transfersOf = (coin: string): ActivityList => ({
  ...{ kind: "TRANSFER", name: `transfers ${coin}`, hasSymbols: false, pages: undefined },
  read: async ({ reads }, account, page) =>
    mapped(await readTransfers(reads, account, { coin }, page), (row) =>
      item("Transfer", account, row, { key: row.transferId, at: row.createdTime }),
    ),
});

/** What only the key of a master account or of a broker can read. */
const SUB_ACCOUNTS: readonly ActivityList[] = [
  ...(["initiator", "receiver"] as const).map(
    (role): ActivityList => ({
      ...{ kind: "SUB_ACCOUNT_TRANSFER", name: `transfers ${role}`, hasSymbols: false, pages: transfersOfSubAccounts.pages },
      read: async ({ reads }, account, page) =>
        mapped(await transfersOfSubAccounts.read(reads, account, { coin: null, subUid: null, role }, page), (row) =>
          item("Transfer", account, row, { key: row.transferId, at: row.createdTime }),
        ),
    }),
  ),
  {
    ...{ kind: "SUB_ACCOUNT_WITHDRAWAL", name: "withdrawals of sub-accounts", hasSymbols: false },
    pages: withdrawalsOfSubAccounts.pages,
    read: async ({ reads }, account, page) =>
      mapped(await withdrawalsOfSubAccounts.read(reads, account, { userId: null, orderId: null }, page), (row) =>
        item("SubAccountWithdrawal", account, subAccountWithdrawalOf(account, row), { key: row.orderId, at: row.createdTime }),
      ),
  },
];

/** Conversions, and coins that enter, leave and change places. */
export const fundLists = (mode: AccountMode): readonly (ActivityList | DividedList)[] => [
  ...FUNDS,
  TRANSFERS[mode],
  ...SUB_ACCOUNTS,
];
