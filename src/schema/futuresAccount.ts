import { Field } from "type-graphql";
import { Account } from "./account.js";
import { Cost } from "./cost.js";
import { FuturesProductType } from "./enums/category.js";
import { FuturesAssetMode } from "./enums/futuresAccount.js";
import { marginCoins } from "./listLengths.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("One coin in a Classic futures account")
class FuturesAccountAsset {
  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, { nullable: true, description: "Balance, in the coin" })
  readonly balance!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Free to use, in the coin; null where the exchange leaves it out" })
  readonly available!: string | null;
}

@RecordType("A Classic futures account: one per product type and margin coin", { implements: Node })
export class FuturesAccount {
  @Field(() => Account, { description: "The account that it belongs to" })
  readonly account!: Account;

  @Field(() => FuturesProductType, { description: "Futures category, by the coin of the margin" })
  readonly productType!: FuturesProductType;

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
    description: "Equity with unrealised profit and loss at mark price, in margin coin (`accountEquity`)",
  })
  readonly equity!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity, in USDT (`usdtEquity`)" })
  readonly equityUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Equity, in BTC (`btcEquity`)" })
  readonly equityBtc!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Risk ratio with cross margin, as a fraction (`crossedRiskRate`)" })
  readonly crossedMarginRatio!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Unrealised profit and loss of the open positions, in margin coin; null where the exchange leaves it empty (`unrealizedPL`)",
  })
  readonly unrealisedPnl!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Trading bonus, in margin coin (`coupon`)" })
  readonly bonus!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Total margin in multi-asset mode; the exchange also spells it `unionTotalMagin`",
  })
  readonly unionTotalMargin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Total free to use in multi-asset mode" })
  readonly unionAvailable!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Maintenance margin in multi-asset mode (`unionMm`)" })
  readonly unionMaintenanceMargin!: string | null;

  @Cost({ rows: marginCoins })
  @Field(() => [FuturesAccountAsset], { nullable: "items", description: "What the account holds, coin by coin (`assetList`)" })
  readonly assets!: readonly (FuturesAccountAsset | Error)[];

  @Field(() => Decimal, {
    nullable: true,
    description: "Margin of the isolated positions, in margin coin; null where the exchange leaves it out",
  })
  readonly isolatedMargin!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Margin of the cross positions, in margin coin; null where the exchange leaves it out",
  })
  readonly crossedMargin!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Unrealised profit and loss of the isolated positions, in margin coin; null where the exchange leaves it out (`isolatedUnrealizedPL`)",
  })
  readonly isolatedUnrealisedPnl!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Unrealised profit and loss of the cross positions, in margin coin; null where the exchange leaves it out (`crossedUnrealizedPL`)",
  })
  readonly crossedUnrealisedPnl!: string | null;

  @EnumField(() => FuturesAssetMode, "Which coins stand as margin; null where the exchange leaves it out", { nullable: true })
  readonly assetMode!: FuturesAssetMode | null;
}
