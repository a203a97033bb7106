import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import { readRedemption } from "../../datasources/reads/index.js";
import { convert, redeemSavings, withdrawFromSubAccount } from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import { SavingsRedemption } from "../../schema/earn.js";
import { SavingsPeriodTypeInput } from "../../schema/enums/earn.js";
import { WithdrawalDestinationInput } from "../../schema/enums/wallet.js";
import { decimal, of, text, time } from "../../schema/fields.js";
import { WriteInput, WritePayload } from "../../schema/mutations/write.js";
import { extended, Input, RecordType } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { RequestContext } from "../context.js";
import { WRITE } from "../fieldCosts.js";
import { Audited } from "./observeMutations.js";
import { type WrittenPayload, write } from "./write.js";

@Input("Coins to take out of savings. The exchange requires more than a minute between two redemptions")
export class RedeemSavingsInput extends extended(WriteInput, {
  productId: text("The exchange's identifier of the product"),
  orderId: text.optional("Identifier of the holding: needed for fixed terms"),
  periodType: of(SavingsPeriodTypeInput)("Kind of term"),
  amount: decimal("Amount, in the product's coin"),
}) {}

@RecordType("Savings that were redeemed", { implements: WritePayload })
export class RedeemSavingsPayload extends extended(WritePayload, {
  orderId: text.orNull("The exchange's identifier of the redemption; null unless accepted"),
  status: text
    .deprecated("Use `redemption`, which says whether it succeeded. This is what the exchange puts there: at times an amount")
    .orNull("What the exchange says about the order, in its own words; null unless accepted"),
}) {}

@Input("A conversion at a quotation of `convertQuote`: every field exactly as quoted, within 8 seconds, once")
export class ConvertInput extends extended(WriteInput, {
  traceId: text("Identifier of the quotation"),
  fromCoin: text("Coin given, as quoted"),
  fromAmount: decimal("Amount given, as quoted (`fromCoinSize`)"),
  toCoin: text("Coin received, as quoted"),
  toAmount: decimal("Amount received, as quoted (`toCoinSize`)"),
  price: decimal("Price, as quoted (`cnvtPrice`)"),
}) {}

@RecordType("A conversion", { implements: WritePayload })
export class ConvertPayload extends extended(WritePayload, {
  toCoin: text.orNull("Coin received; null unless accepted"),
  toAmount: decimal.orNull("Amount received, in that coin; null unless accepted (`toCoinSize`)"),
  price: decimal.orNull("Price of the conversion; null unless accepted (`cnvtPrice`)"),
  createdTime: time.orNull("When it took place (the exchange's `ts`); null unless accepted"),
}) {}

@Input("A withdrawal from a broker's sub-account. For the main account of an ND broker")
export class WithdrawFromSubAccountInput extends extended(WriteInput, {
  subUid: text("User identifier of the sub-account"),
  coin: text("Coin to withdraw: any that `coins` lists with a chain, or for another user any that it lists"),
  dest: of(WithdrawalDestinationInput)("Destination: an address on a chain, or another user"),
  chain: text.optional("Chain, as `coins` lists it, for example `TRC20`. Default: the coin's main chain"),
  address: text("Address on the chain, or the receiver's user identifier"),
  amount: decimal("Amount, in the coin, with the fee in it: at least the chain's `minWithdrawAmount`, in its steps"),
  tag: text.optional("Memo or comment that goes with the address: required on a chain whose `isTagRequired` is true"),
  clientOid: text.optional(
    "The client's own identifier, which is also the idempotency key: at most 64 characters. Default: one that the gateway makes",
  ),
}) {}

@RecordType("A withdrawal that was started", { implements: WritePayload })
export class WithdrawFromSubAccountPayload extends extended(WritePayload, {
  orderId: text.orNull("The exchange's identifier of the withdrawal; null unless accepted"),
  clientOid: text.orNull("The client's own identifier; null unless accepted"),
}) {}

const INPUT = "The movement of funds, and the options of the write";

const NO_REDEMPTION = { orderId: null, status: null };
const NO_CONVERSION = { toCoin: null, toAmount: null, price: null, createdTime: null };
const NO_WITHDRAWAL = { orderId: null, clientOid: null };

@Resolver()
export class FundsMutations {
  @RequiresScope("earn", "input", "account")
  @Cost(WRITE)
  @Audited("orderId", "productId", "amount")
  @Mutation(() => RedeemSavingsPayload, {
    description:
      "Redeems a savings product. A lost answer is looked up in the redemptions; for fixed savings it stays UNKNOWN if it is not found there. Source: POST /api/v2/earn/savings/redeem",
  })
  redeemSavings(
    @Arg("input", () => RedeemSavingsInput, { description: INPUT }) input: RedeemSavingsInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<RedeemSavingsPayload>> {
    return write(context, input, redeemSavings, (reply) => ({ ...(reply ?? NO_REDEMPTION), periodType: input.periodType }));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("fromCoin", "toCoin")
  @Mutation(() => ConvertPayload, {
    description:
      "Converts one coin into another at a quotation of `account.convertQuote`. A lost answer is looked up in the conversions. Source: POST /api/v2/convert/trade",
  })
  convert(
    @Arg("input", () => ConvertInput, { description: INPUT }) input: ConvertInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<ConvertPayload>> {
    return write(context, input, convert, (reply) => reply ?? NO_CONVERSION);
  }

  @RequiresScope("withdraw", "input", "account")
  @Cost(WRITE)
  @Audited("clientOid", "subUid", "coin", "amount", "dest", "chain", "address", "tag")
  @Mutation(() => WithdrawFromSubAccountPayload, {
    description:
      "Starts a withdrawal from a broker's sub-account, to an address that the gateway's configuration allows; any other is `FORBIDDEN`. A lost answer is looked up in the withdrawals. Source: POST /api/v2/broker/account/subaccount-withdrawal",
  })
  withdrawFromSubAccount(
    @Arg("input", () => WithdrawFromSubAccountInput, { description: INPUT }) input: WithdrawFromSubAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<WithdrawFromSubAccountPayload>> {
    return write(context, input, withdrawFromSubAccount, (reply) => reply ?? NO_WITHDRAWAL);
  }
}

/** A redemption with the kind of term, by which its result is read. */
type Redeemed = WrittenPayload<Pick<RedeemSavingsPayload, "orderId"> & Pick<RedeemSavingsInput, "periodType">>;

@Resolver(() => RedeemSavingsPayload)
export class RedeemedSavingsResolver {
  @RequiresScope("read:account")
  @Cost({ calls: 1 })
  @FieldResolver(() => SavingsRedemption, {
    nullable: true,
    description:
      "How the redemption ended; null unless it was accepted under an identifier. Source: as `account.earn.savings.redemption`",
  })
  async redemption(
    @Root() { account, orderId, periodType }: Redeemed,
    @Ctx() { reads }: RequestContext,
  ): Promise<SavingsRedemption | null> {
    return account === undefined || orderId === null ? null : readRedemption(reads, account, { orderId, periodType });
  }
}
