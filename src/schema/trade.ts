import { publicTrade } from "@exchange-graph/contract/publicTrade";
import { ProductCategory } from "./enums/category.js";
import { of, text } from "./fields.js";
import { Node } from "./node.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("A trade of the public market", { implements: Node })
export class Trade extends extended(recordOf(publicTrade), {
  category: of(ProductCategory)("Product category; a margin pair has the trades of spot"),
  symbol: text("Symbol name, for example `BTCUSDT`"),
}) {}
