import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount, Row } from "../datasources/index.js";
import { conversionPages, readConversions, readConvertCurrencies, readConvertQuote } from "../datasources/queries/convert.js";
import { Account } from "../schema/account.js";
import { ConvertCurrency, ConvertQuote, ConvertRecordConnection } from "../schema/convert.js";
import { Cost } from "../schema/cost.js";
import { accountCoins } from "../schema/listLengths.js";
import { RequiresScope } from "../schema/requiresScope.js";
import { Decimal } from "../schema/scalars.js";
import { connectionFrom } from "./connection.js";
import type { RequestContext } from "./context.js";
import { paged } from "./fieldCosts.js";
import { HistoryArguments } from "./pageArguments.js";

@ArgsType()
class ConvertQuoteArguments {
  @Field(() => String, { description: "Coin to give" })
  readonly fromCoin!: string;

  @Field(() => String, { description: "Coin to receive" })
  readonly toCoin!: string;

  @Field(() => Decimal, { nullable: true, description: "Amount to give; either this or `toAmount`" })
  readonly fromAmount?: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount to receive; either this or `fromAmount`" })
  readonly toAmount?: string | null;
}

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
    @Ctx() { reads }: RequestContext,
    @Args(() => ConvertQuoteArguments) asked: ConvertQuoteArguments,
  ): Promise<ConvertQuote> {
    return readConvertQuote(reads, account, asked);
  }

  @RequiresScope("read:account")
  @Cost({ calls: 1, rows: accountCoins })
  @FieldResolver(() => [ConvertCurrency], {
    nullable: "itemsAndList",
    description: "Coins that can be converted, and how much of each. Source: GET /api/v2/convert/currencies",
  })
  convertCurrencies(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
  ): Promise<readonly Row<ConvertCurrency>[]> {
    return readConvertCurrencies(reads, account);
  }

  @RequiresScope("read:account")
  @Cost(paged(conversionPages))
  @FieldResolver(() => ConvertRecordConnection, {
    nullable: true,
    description:
      "Conversions that took place: the last 90 days unless asked otherwise, newest first. Source: GET /api/v2/convert/convert-record",
  })
  async convertRecords(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => HistoryArguments) history: HistoryArguments,
  ): Promise<ConvertRecordConnection> {
    const slice = await readConversions(reads, account, history);
    return connectionFrom(slice, history.after, ({ id, ...row }) => ({ ...row, recordId: id }));
  }
}
