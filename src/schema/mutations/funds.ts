import { Field, InputType } from "type-graphql";
import { SavingsPeriodTypeInput } from "../enums/savings.js";
import { WithdrawalDestinationInput } from "../enums/wallet.js";
import { SubAccountWithdrawalCoin } from "../enums/write.js";
import { RecordType } from "../record.js";
import { DateTime, Decimal } from "../scalars.js";
import { WriteInput, WritePayload } from "./write.js";

@InputType({ description: "Coins to take out of savings. Between two redemptions the exchange wants more than a minute" })
export class RedeemSavingsInput extends WriteInput {
  @Field(() => String, { description: "The exchange's identifier of the product" })
  readonly productId!: string;

  @Field(() => String, { nullable: true, description: "The holding, where the list of holdings names one: fixed terms" })
  readonly orderId?: string | null;

  @Field(() => SavingsPeriodTypeInput, { description: "Kind of term" })
  readonly periodType!: SavingsPeriodTypeInput;

  @Field(() => Decimal, { description: "Amount, in the product's coin" })
  readonly amount!: string;
}

@RecordType("Savings that were redeemed", { implements: WritePayload })
export class RedeemSavingsPayload extends WritePayload {
  @Field(() => String, { nullable: true, description: "The exchange's identifier of the redemption; null unless accepted" })
  readonly orderId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "What the exchange says of it, in its own words, which are no closed set; null unless accepted",
  })
  readonly status!: string | null;
}

@InputType({
  description: "A conversion at a quotation of `convertQuote`: everything exactly as quoted, within 8 seconds, once",
})
export class ConvertInput extends WriteInput {
  @Field(() => String, { description: "Identifier of the quotation" })
  readonly traceId!: string;

  @Field(() => String, { description: "Coin given, as quoted" })
  readonly fromCoin!: string;

  @Field(() => Decimal, { description: "Amount given, as quoted (`fromCoinSize`)" })
  readonly fromAmount!: string;

  @Field(() => String, { description: "Coin received, as quoted" })
  readonly toCoin!: string;

  @Field(() => Decimal, { description: "Amount received, as quoted (`toCoinSize`)" })
  readonly toAmount!: string;

  @Field(() => Decimal, { description: "Price, as quoted (`cnvtPrice`)" })
  readonly price!: string;
}

@RecordType("A conversion", { implements: WritePayload })
export class ConvertPayload extends WritePayload {
  @Field(() => String, { nullable: true, description: "Coin received; null unless accepted" })
  readonly toCoin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount received, in that coin; null unless accepted (`toCoinSize`)" })
  readonly toAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Price of the conversion; null unless accepted (`cnvtPrice`)" })
  readonly price!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it took place (the exchange's `ts`); null unless accepted" })
  readonly createdTime!: number | null;
}

@InputType({ description: "A withdrawal from a broker's sub-account. For the main account of an ND broker" })
export class WithdrawFromSubAccountInput extends WriteInput {
  @Field(() => String, { description: "User identifier of the sub-account" })
  readonly subUid!: string;

  @Field(() => SubAccountWithdrawalCoin, { description: "Coin to withdraw" })
  readonly coin!: SubAccountWithdrawalCoin;

  @Field(() => WithdrawalDestinationInput, { description: "To a chain, or to another user" })
  readonly dest!: WithdrawalDestinationInput;

  @Field(() => String, { nullable: true, description: "Chain, for example `trc20`. Default: the coin's main chain" })
  readonly chain?: string | null;

  @Field(() => String, { description: "Address on the chain, or the receiver's user identifier" })
  readonly address!: string;

  @Field(() => Decimal, { description: "Amount, in the coin" })
  readonly amount!: string;

  @Field(() => String, { nullable: true, description: "Memo or comment that goes with the address" })
  readonly tag?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The client's own identifier, which is also the idempotency key: at most 64 characters. Default: one that the gateway makes",
  })
  readonly clientOid?: string | null;
}

@RecordType("A withdrawal that was started", { implements: WritePayload })
export class WithdrawFromSubAccountPayload extends WritePayload {
  @Field(() => String, { nullable: true, description: "The exchange's identifier of the withdrawal; null unless accepted" })
  readonly orderId!: string | null;

  @Field(() => String, { nullable: true, description: "The client's own identifier; null unless accepted" })
  readonly clientOid!: string | null;
}
