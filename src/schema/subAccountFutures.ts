import { Field } from "type-graphql";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("A sub-account's futures account in one margin coin")
class SubAccountFuturesAsset {
  @Field(() => String, { description: "Margin coin, in which the amounts below are counted" })
  readonly marginCoin!: string;

  @Field(() => Decimal, { description: "Locked, in margin coin" })
  readonly locked!: string;

  @Field(() => Decimal, { description: "Free to use, in margin coin" })
  readonly available!: string;

  @Field(() => Decimal, { description: "Most that can open positions with cross margin, in margin coin" })
  readonly crossedMaxAvailable!: string;

  @Field(() => Decimal, { description: "Most that can open positions with isolated margin, in margin coin" })
  readonly isolatedMaxAvailable!: string;

  @Field(() => Decimal, { description: "Most that can be transferred out, in margin coin" })
  readonly maxTransferOut!: string;

  @Field(() => Decimal, {
    description: "Equity with unrealised profit and loss, in margin coin; the exchange also spells it `equity` (`accountEquity`)",
  })
  readonly equity!: string;

  @Field(() => Decimal, { description: "Equity, in USDT (`usdtEquity`)" })
  readonly equityUsdt!: string;

  @Field(() => Decimal, { description: "Equity, in BTC (`btcEquity`)" })
  readonly equityBtc!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Unrealised profit and loss of the open positions, in margin coin; null where the exchange leaves it empty (`unrealizedPL`)",
  })
  readonly unrealisedPnl!: string | null;

  @Field(() => Decimal, { description: "Trading bonus, in margin coin (`coupon`)" })
  readonly bonus!: string;
}

@RecordType("The futures assets of one sub-account of a Classic master account")
export class SubAccountFuturesAssets {
  @Field(() => String, { description: "User identifier of the sub-account; the exchange sends it as a number (`userId`)" })
  readonly subUid!: string;

  @Field(() => [SubAccountFuturesAsset], { description: "Its futures accounts, one per margin coin (`assetList`)" })
  readonly assets!: readonly SubAccountFuturesAsset[];
}
