import { Field } from "type-graphql";
import { Account } from "./account.js";
import { FuturesCategory } from "./enums/category.js";
import { FuturesAssetMode } from "./enums/futuresAccount.js";
import { HoldMode, MarginMode, PositionSide, PositionStatus } from "./enums/position.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("The take-profit or stop-loss of a whole position")
export class PositionExit {
  @Field(() => Decimal, { description: "Trigger price, in quote coin" })
  readonly triggerPrice!: string;

  @Field(() => String, { nullable: true, description: "`orderId` of the trigger order behind it" })
  readonly planOrderId!: string | null;
}

@RecordType("An open futures position. Fees are positive where the account paid, funding is positive where it received", {
  implements: Node,
})
export class Position {
  @Field(() => Account, { description: "The account whose position it is" })
  readonly account!: Account;

  @EnumField(() => FuturesCategory, "Product category that it is traded in")
  readonly category!: FuturesCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT` (`instId` in places)" })
  readonly symbol!: string;

  @Field(() => String, { description: "Coin that the position is margined and settled in" })
  readonly marginCoin!: string;

  @EnumField(() => HoldMode, "Position mode in which it is held (Classic: `posMode`)", { nullable: true })
  readonly holdMode!: HoldMode | null;

  @EnumField(() => PositionSide, "Long or short, in one-way mode too (Classic: `holdSide`)")
  readonly posSide!: PositionSide;

  @EnumField(() => MarginMode, "Margin mode in which it is held", { nullable: true })
  readonly marginMode!: MarginMode | null;

  @Field(() => Decimal, { nullable: true, description: "Quantity, in base coin (`total`, also spelt `size`)" })
  readonly qty!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Quantity that can be closed, in base coin (`available`)" })
  readonly availableQty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Quantity held by orders that would close it, in base coin (`frozen`; Classic: `locked`)",
  })
  readonly frozenQty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Margin of the position, in margin coin (`positionBalance`; Classic: `marginSize`)",
  })
  readonly margin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Leverage of the position" })
  readonly leverage!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Average opening price, in quote coin (Classic: `openPriceAvg`)",
  })
  readonly avgPrice!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Mark price, in quote coin" })
  readonly markPrice!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Price at which closing would cost nothing, fees included, in quote coin",
  })
  readonly breakEvenPrice!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Estimated liquidation price, in quote coin; null when there is none (also spelt `liqPrice`)",
  })
  readonly liquidationPrice!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Unrealised profit and loss, in margin coin (Classic: `unrealizedPL`)",
  })
  readonly unrealisedPnl!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Unrealised profit and loss as a fraction of the margin (`unrealizedPLR`). Where the exchange does not send it, the same quotient: `unrealisedPnl` by `margin`, to 10 decimals",
  })
  readonly profitRate!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Profit and loss realised so far, in margin coin (`curRealisedPnl`; Classic: `achievedProfits`)",
  })
  readonly realisedPnl!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Maintenance margin rate, as a fraction (`mmr`; Classic: `keepMarginRate`)",
  })
  readonly maintenanceMarginRate!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Funding so far, in margin coin (also spelt `totalFundingFee` and `totalFee`)",
  })
  readonly totalFunding!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Opening fees so far, in margin coin (`openFeeTotal`; Classic: `deductedFee`)",
  })
  readonly openFee!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Closing fees so far, in margin coin (`closeFeeTotal`)" })
  readonly closeFee!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Cash dividend, in USDT" })
  readonly cashDividend!: string | null;

  @EnumField(() => PositionStatus, "State of the position; Classic accounts do not say", { nullable: true })
  readonly positionStatus!: PositionStatus | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Quantity held by orders that would open more, in base coin; Classic only (`openDelegateSize`)",
  })
  readonly openOrderQty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Margin ratio of the account or position, as a fraction; Classic only (also spelt `marginRate`)",
  })
  readonly marginRatio!: string | null;

  @EnumField(() => FuturesAssetMode, "Which coins stand as margin; Classic only", { nullable: true })
  readonly assetMode!: FuturesAssetMode | null;

  @Field(() => DateTime, { nullable: true, description: "When the position was opened (Classic: `cTime`)" })
  readonly createdTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When it last changed (Classic: `uTime`)" })
  readonly updatedTime!: number | null;
}
