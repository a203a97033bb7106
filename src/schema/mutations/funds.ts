import { SavingsPeriodTypeInput } from "../enums/savings.js";
import { WithdrawalDestinationInput } from "../enums/wallet.js";
import { decimal, of, text, time } from "../fields.js";
import { extended, Input, RecordType } from "../record.js";
import { WriteInput, WritePayload } from "./write.js";

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
