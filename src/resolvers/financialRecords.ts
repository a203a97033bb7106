import {
  changeOf,
  financialRecordPages,
  fundingAccountRecordPages,
  fundingPaymentPages,
  readFinancialRecords,
  readFundingAccountRecords,
  readFundingPayments,
} from "../datasources/reads/index.js";
import { Account } from "../schema/account.js";
import { FuturesCategoryInput } from "../schema/enums/category.js";
import { FinancialRecordCategoryInput } from "../schema/enums/financialRecord.js";
import { of, text } from "../schema/fields.js";
import { FinancialRecord, FinancialRecordConnection } from "../schema/financialRecord.js";
import { Decimal } from "../schema/scalars.js";
import { accountList } from "./accountList.js";
import { accountField, resolversOf } from "./fieldTable.js";

/** Where the money of an account came from, and where it went. */
export const FinancialRecordsResolver = resolversOf(Account, {
  financialRecords: accountList(FinancialRecordConnection, {
    description:
      "Changes of the account's balances in the last 90 days, each with its cause, newest first. The lists of a Classic account are those of its spot, margin and futures accounts. Source: GET /api/v3/account/financial-records, or GET /api/v2/spot/account/bills, GET /api/v2/mix/account/bill, GET /api/v2/margin/crossed/financial-records and GET /api/v2/margin/isolated/financial-records",
    list: { pages: financialRecordPages, read: readFinancialRecords },
    filter: {
      category: of(FinancialRecordCategoryInput).optional(
        "Only records of this product. Default: all, from one list of the exchange each",
      ),
      symbol: text.optional(
        "Classic, with the category MARGIN: the isolated margin account of this pair in place of cross margin",
      ),
      coin: text.optional("Only changes of this coin"),
    },
  }),
  fundingRecords: accountList(FinancialRecordConnection, {
    description:
      "Changes of the balances of the funding account beside a unified account in the last 90 days, newest first; ACCOUNT_MODE_MISMATCH for a Classic account, whose funding account the exchange does not list. Source: GET /api/v3/account/funding-financial-records",
    list: { pages: fundingAccountRecordPages, read: readFundingAccountRecords },
    filter: { coin: text.optional("Only changes of this coin") },
  }),
  fundingPayments: accountList(FinancialRecordConnection, {
    description:
      "Funding of perpetual positions that the account has paid (`amount` below zero) and received in the last 90 days, newest first. Source: GET /api/v3/account/financial-records with the types of funding, or GET /api/v2/mix/account/bill with `contract_settle_fee`",
    list: { pages: fundingPaymentPages, read: readFundingPayments },
    filter: {
      category: of(FuturesCategoryInput).optional("Only positions of this category. Default: all"),
      symbol: text.optional("Only funding of positions in this symbol; a page may have fewer rows then, and others behind it"),
      coin: text.optional("Only funding in this coin"),
    },
  }),
});

export const FinancialRecordResolver = resolversOf(FinancialRecord, {
  change: accountField.orNull(Decimal, {
    description:
      "Change of the balance, in the coin: the amount less the fee, exact; null where the exchange leaves out the amount. No upstream call",
    cost: { calls: 0 },
    resolve: ({ amount, fee }: FinancialRecord) => changeOf(amount, fee),
  }),
});
