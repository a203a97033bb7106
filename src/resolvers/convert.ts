import { Args, ArgsType, Ctx, Field, FieldResolver, Resolver, Root } from "type-graphql";
import type { ExchangeAccount } from "../datasources/index.js";
import { readConvertQuote } from "../datasources/queries/convert.js";
import { Account } from "../schema/account.js";
import { ConvertQuote } from "../schema/convert.js";
import { Needs } from "../schema/needs.js";
import { Decimal } from "../schema/scalars.js";
import type { RequestContext } from "./context.js";

@ArgsType()
class ConvertQuoteArguments {
  @Field(() => String, { description: "Coin to give" })
  readonly fromCoin!: string;

  @Field(() => String, { description: "Coin to receive" })
  readonly toCoin!: string;

  @Field(() => Decimal, { nullable: true, description: "Amount to give; either this or `toCoinSize`" })
  readonly fromCoinSize?: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount to receive; either this or `fromCoinSize`" })
  readonly toCoinSize?: string | null;
}

@Resolver(() => Account)
export class ConvertResolver {
  @Needs("read:account")
  @FieldResolver(() => ConvertQuote, {
    nullable: true,
    description:
      "A price for converting one coin into another. Every question gets a quotation of its own. Source: GET /api/v2/convert/quoted-price",
  })
  convertQuote(
    @Root() account: ExchangeAccount,
    @Ctx() { reads }: RequestContext,
    @Args(() => ConvertQuoteArguments) asked: ConvertQuoteArguments,
  ): Promise<ConvertQuote> {
    return readConvertQuote(reads, account, asked);
  }
}
