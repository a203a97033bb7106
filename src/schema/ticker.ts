import { ticker } from "@exchange-graph/contract/ticker";
import { Field } from "type-graphql";
import { ProductCategory } from "./enums/category.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";

@RecordType(
  "Ticker of a symbol: last price, best prices and figures of the last 24 hours. Fields that do not apply to its category are null",
  { implements: Node },
)
export class Ticker extends recordOf(ticker, { without: ["nextFundingTime", "openUtc", "changeUtc24h"] }) {
  @Field(() => ProductCategory, {
    description: "Product category, as in the argument; a margin pair trades at the prices of spot",
  })
  readonly category!: ProductCategory;
}
