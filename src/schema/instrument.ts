import { Field, Int } from "type-graphql";
import { ProductCategory } from "./enums/category.js";
import { AssetClass, ContractType, InstrumentStatus } from "./enums/instrument.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("How small and how large an order in an instrument may be, and in which steps")
export class OrderSize {
  @Field(() => Decimal, { nullable: true, description: "Smallest order, in base coin (`minOrderQty`, `minTradeNum`)" })
  readonly min!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Largest limit order, in base coin (`maxOrderQty`)" })
  readonly max!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Largest market order, in base coin (`maxMarketOrderQty`)" })
  readonly maxMarket!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Smallest order, in quote coin (`minOrderAmount`, `minTradeUSDT`)" })
  readonly minAmount!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Step size: a quantity is a multiple of it, in base coin (`quantityMultiplier`, `sizeMultiplier`; spot and margin: one unit of the last decimal)",
  })
  readonly step!: string | null;
}

@RecordType("When and how a delivery contract ends")
export class Delivery {
  @Field(() => DateTime, { nullable: true, description: "Start of the delivery (`deliveryStartTime`)" })
  readonly startTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "The delivery itself (`deliveryTime`)" })
  readonly time!: number | null;

  @Field(() => String, { nullable: true, description: "Which delivery this is, for example `this_quarter` (`deliveryPeriod`)" })
  readonly period!: string | null;
}

@RecordType("The leverage that futures allow")
export class LeverageRange {
  @Field(() => Decimal, { nullable: true, description: "Lowest leverage (`minLeverage`, `minLever`)" })
  readonly min!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Highest leverage (`maxLeverage`, `maxLever`)" })
  readonly max!: string | null;
}

@RecordType("What can be traded, in which steps and up to which size: a spot or margin pair, or a futures contract", {
  implements: Node,
  lasting: true,
})
export class Instrument {
  @Field(() => ProductCategory, { description: "Product category, as in the argument" })
  readonly category!: ProductCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @Field(() => String, { nullable: true, description: "Coin that is bought and sold" })
  readonly baseCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Coin that it is priced in" })
  readonly quoteCoin!: string | null;

  @EnumField(() => InstrumentStatus, "State of trading (also spelt `symbolStatus`)", { nullable: true })
  readonly status!: InstrumentStatus | null;

  @EnumField(() => ContractType, "Perpetual, or with a delivery; futures only", { nullable: true })
  readonly type!: ContractType | null;

  @EnumField(() => AssetClass, "What the base is (`symbolType`); null where the exchange does not say", { nullable: true })
  readonly assetClass!: AssetClass | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Tick size: a price is a multiple of it, in quote coin (Classic: `priceEndStep` units of the last decimal; spot and margin: one unit of it)",
  })
  readonly priceMultiplier!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Surcharge on the fee rate when costs are estimated, as a fraction" })
  readonly feeRateUpRatio!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Surcharge on the opening cost when it is estimated, as a fraction; futures only",
  })
  readonly openCostUpRatio!: string | null;

  @Field(() => Int, { nullable: true, description: "Most open orders that an account may have in the symbol" })
  readonly maxSymbolOrderNum!: number | null;

  @Field(() => Int, { nullable: true, description: "Most open orders that an account may have in the category" })
  readonly maxProductOrderNum!: number | null;

  @Field(() => Int, { nullable: true, description: "Most positions that an account may have; futures only" })
  readonly maxPositionNum!: number | null;

  @Field(() => Int, { nullable: true, description: "Hours between two funding settlements; futures only" })
  readonly fundInterval!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When it was listed" })
  readonly launchTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "Delisting; null where none is planned" })
  readonly offTime!: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: "From when on positions can no longer be opened; null where that is not planned",
  })
  readonly limitOpenTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "Maintenance; null where none is planned" })
  readonly maintainTime!: number | null;

  @Field(() => Boolean, { nullable: true, description: "Is the symbol restricted to some regions? Spot and margin only" })
  readonly areaSymbol!: boolean | null;

  @Field(() => Decimal, { nullable: true, description: "Smallest amount that can be borrowed; margin only" })
  readonly userMinBorrow!: string | null;
}
