import { instrument } from "@exchange-graph/contract/instrument";
import { ProductCategory } from "./enums/category.js";
import { AssetClass } from "./enums/instrument.js";
import { of, word } from "./fields.js";
import { Node } from "./node.js";
import { extended, groupOf, partOf, RecordType } from "./record.js";

@RecordType("Minimum, maximum and step of the orders in an instrument")
export class OrderSize extends groupOf(instrument, {
  min: "minOrderQty",
  max: "maxOrderQty",
  maxMarket: "maxMarketOrderQty",
  minAmount: "minOrderAmount",
  step: "quantityMultiplier",
}) {}

@RecordType("Delivery of a contract with an expiry")
export class Delivery extends groupOf(instrument, {
  startTime: "deliveryStartTime",
  time: "deliveryTime",
  period: "deliveryPeriod",
}) {}

@RecordType("Leverage range of a futures contract")
export class LeverageRange extends groupOf(instrument, { min: "minLeverage", max: "maxLeverage" }) {}

@RecordType("A spot or margin pair, or a futures contract, with its trading rules", {
  implements: Node,
  lasting: true,
})
export class Instrument extends extended(
  partOf(instrument, [
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
    "isRegional",
    "userMinBorrow",
  ]),
  {
    category: of(ProductCategory)("Product category, as in the argument"),
    assetClass: word(AssetClass).orNull("Asset class of the base (`symbolType`); null where the exchange does not say"),
  },
) {}
