import { Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { conversions, type PastConversion, readConvertCurrencies } from "../datasources/reads/index.js";
import { readConvertQuote } from "../datasources/writes/index.js";
import { Account } from "../schema/account.js";
import { Cost } from "../schema/cost.js";
import { decimal, of, text } from "../schema/fields.js";
import { accountCoins } from "../schema/listLengths.js";
import { Arguments, fieldsOf, OneOfInput } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { ConvertCurrency, ConvertQuote, ConvertRecordConnection } from "../schema/wallet.js";
import { rowsWithAccount, withAccount } from "./accountScoped.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { HistoryArguments, partial } from "./pageArguments.js";

@OneOfInput("An amount to convert: exactly one of the two")
class ConvertAmount extends fieldsOf({
  from: decimal.optional("Amount of the source coin"),
  to: decimal.optional("Amount of the target coin"),
}) {}

@Arguments()
class ConvertQuoteArguments extends fieldsOf({
  fromCoin: text("Source coin"),
  toCoin: text("Target coin"),
  amount: of(ConvertAmount)("What is converted"),
}) {}

/** Converts a conversion to its type in the graph. */
export const convertRecordOf = (account: ExchangeAccount, { id, ...row }: PastConversion) =>
  withAccount(account, { ...row, recordId: id });

@Resolver(() => Account)
export class ConvertResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1, neverShared: true })
  @FieldResolver(() => ConvertQuote, {
    nullable: true,
    description:
      "A price for converting one coin into another. Each call gets a new quotation. Source: GET /api/v2/convert/quoted-price",
  })
  convertQuote(
    @Root() account: ExchangeAccount,
    @Ctx() { writes }: RequestContext,
    @Args(() => ConvertQuoteArguments) { fromCoin, toCoin, amount }: ConvertQuoteArguments,
  ): Promise<ConvertQuote> {
    return readConvertQuote(writes, account, { fromCoin, toCoin, fromAmount: amount.from, toAmount: amount.to });
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: accountCoins })
  @FieldResolver(() => [ConvertCurrency], {
    nullable: "itemsAndList",
    description: "Coins that can be converted, with their balances and limits. Source: GET /api/v2/convert/currencies",
  })
  async convertCurrencies(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
  ): Promise<Iterable<ConvertCurrency | Error>> {
    return rowsWithAccount(account, await readConvertCurrencies(reads, account));
  }

  @RequiresScope("read:account")
  @Cost(paged(conversions.pages))
  @FieldResolver(() => ConvertRecordConnection, {
    nullable: true,
    description: "Completed conversions, newest first. Default: the last 90 days. Source: GET /api/v2/convert/convert-record",
  })
  async convertRecords(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => HistoryArguments) history: HistoryArguments,
  ): Promise<ConvertRecordConnection> {
    const slice = await conversions.read(reads, account, {}, partial(history));
    return connectionFrom(slice, history.after, (row) => convertRecordOf(account, row));
  }
}
