import type { ExchangeAccount } from "../datasources/index.js";
import { conversions, type PastConversion, readConvertCurrencies } from "../datasources/reads/index.js";
import { readConvertQuote } from "../datasources/writes/index.js";
import { Account } from "../schema/account.js";
import { ConvertCurrency, ConvertQuote, ConvertRecordConnection } from "../schema/convert.js";
import { decimal, of, text } from "../schema/fields.js";
import { accountCoins } from "../schema/listLengths.js";
import { fieldsOf, OneOfInput } from "../schema/record.js";
import { accountList } from "./accountList.js";
import { rowsWithAccount, withAccount } from "./accountScoped.js";
import { accountField, resolversOf } from "./fieldTable.js";

@OneOfInput("An amount to convert: exactly one of the two")
class ConvertAmount extends fieldsOf({
  from: decimal.optional("Amount of the source coin"),
  to: decimal.optional("Amount of the target coin"),
}) {}

/** A conversion in the graph's words. */
export const convertRecordOf = (account: ExchangeAccount, { id, ...row }: PastConversion) =>
  withAccount(account, { ...row, recordId: id });

export const ConvertResolver = resolversOf(Account, {
  convertQuote: accountField(ConvertQuote, {
    description:
      "A price for converting one coin into another. Each call gets a new quotation. Source: GET /api/v2/convert/quoted-price",
    cost: { calls: 1, neverShared: true },
    args: {
      fromCoin: text("Source coin"),
      toCoin: text("Target coin"),
      amount: of(ConvertAmount)("What is converted"),
    },
    resolve: (account: ExchangeAccount, { writes }, { fromCoin, toCoin, amount }) =>
      readConvertQuote(writes, account, { fromCoin, toCoin, fromAmount: amount.from, toAmount: amount.to }),
  }),
  convertCurrencies: accountField([ConvertCurrency], {
    description: "Coins that can be converted, with their balances and limits. Source: GET /api/v2/convert/currencies",
    cost: { calls: 1, rows: accountCoins },
    resolve: async (account: ExchangeAccount, { reads }) => rowsWithAccount(account, await readConvertCurrencies(reads, account)),
  }),
  convertRecords: accountList(ConvertRecordConnection, {
    description: "Completed conversions, newest first. Default: the last 90 days. Source: GET /api/v2/convert/convert-record",
    list: conversions,
    node: convertRecordOf,
  }),
});
