import { ticker } from "@exchange-graph/contract/ticker";
import { ProductCategory } from "./enums/category.js";
import { of } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType(
  "Ticker of a symbol: last price, best prices and figures of the last 24 hours. Fields that do not apply to its category are null",
  { implements: Node },
)
export class Ticker extends extended(
  recordOf(ticker, { without: ["nextFundingTime", "openUtc", "changeUtc24h", "turnover24hUsdt"] }),
  {
    category: of(ProductCategory)("Product category, as in the argument; a margin pair has the prices of spot"),
  },
) {}
