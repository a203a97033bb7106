import { instrument } from "@exchange-graph/contract/instrument";
import { Field } from "type-graphql";
import { ProductCategory } from "./enums/category.js";
import { AssetClass } from "./enums/instrument.js";
import { Node } from "./node.js";
import { EnumField, groupOf, partOf, RecordType } from "./record.js";

@RecordType("How small and how large an order in an instrument may be, and in which steps")
export class OrderSize extends groupOf(instrument, {
  min: "minOrderQty",
  max: "maxOrderQty",
  maxMarket: "maxMarketOrderQty",
  minAmount: "minOrderAmount",
  step: "quantityMultiplier",
}) {}

@RecordType("When and how a delivery contract ends")
export class Delivery extends groupOf(instrument, {
  startTime: "deliveryStartTime",
  time: "deliveryTime",
  period: "deliveryPeriod",
}) {}

@RecordType("The leverage that futures allow")
export class LeverageRange extends groupOf(instrument, { min: "minLeverage", max: "maxLeverage" }) {}

@RecordType("What can be traded, in which steps and up to which size: a spot or margin pair, or a futures contract", {
  implements: Node,
  lasting: true,
})
export class Instrument extends partOf(instrument, [
  "symbol",
  "baseCoin",
  "quoteCoin",
  "status",
  "type",
  "priceMultiplier",
  "feeRateUpRatio",
  "openCostUpRatio",
  "maxSymbolOrderNum",
  "maxProductOrderNum",
  "maxPositionNum",
  "fundInterval",
  "launchTime",
  "offTime",
  "limitOpenTime",
  "maintainTime",
  "areaSymbol",
  "userMinBorrow",
]) {
  @Field(() => ProductCategory, { description: "Product category, as in the argument" })
  readonly category!: ProductCategory;

  @EnumField(() => AssetClass, "What the base is (`symbolType`); null where the exchange does not say", { nullable: true })
  readonly assetClass!: AssetClass | null;
}
