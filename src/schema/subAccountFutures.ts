import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { marginCoins } from "./listLengths.js";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("A sub-account's futures account in one margin coin")
class SubAccountFuturesAsset {
  @Field(() => String, { description: "Margin coin, in which the amounts below are counted" })
  readonly marginCoin!: string;

  @Field(() => Decimal, { nullable: true, description: "Locked, in margin coin" })
  readonly locked!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Free to use, in margin coin" })
  readonly available!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can open positions with cross margin, in margin coin" })
  readonly crossedMaxAvailable!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can open positions with isolated margin, in margin coin" })
  readonly isolatedMaxAvailable!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can be transferred out, in margin coin" })
  readonly maxTransferOut!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Equity with unrealised profit and loss, in margin coin; the exchange also spells it `equity` (`accountEquity`)",
  })
  readonly equity!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity, in USDT (`usdtEquity`)" })
  readonly equityUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity, in BTC (`btcEquity`)" })
  readonly equityBtc!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Unrealised profit and loss of the open positions, in margin coin; null where the exchange leaves it empty (`unrealizedPL`)",
  })
  readonly unrealisedPnl!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Trading bonus, in margin coin (`coupon`)" })
  readonly bonus!: string | null;
}

@RecordType("The futures assets of one sub-account of a Classic master account")
export class SubAccountFuturesAssets {
  @Field(() => String, { description: "User identifier of the sub-account; the exchange sends it as a number (`userId`)" })
  readonly subUid!: string;

  @Cost({ rows: marginCoins })
  @Field(() => [SubAccountFuturesAsset], {
    nullable: "items",
    description: "Its futures accounts, one per margin coin (`assetList`)",
  })
  readonly assets!: readonly (SubAccountFuturesAsset | Error)[];
}
