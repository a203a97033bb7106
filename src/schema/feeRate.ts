import { feeRate } from "@exchange-graph/contract/feeRate";
import { ProductCategory } from "./enums/category.js";
import { of } from "./fields.js";
import { extended, RecordType, recordOf } from "./record.js";

@RecordType("Trading fees of an account in one symbol. They follow its level and can differ from those of the instrument")
export class AccountFeeRate extends extended(recordOf(feeRate), {
  category: of(ProductCategory).orNull(
    "Product category; null for futures of a Classic account, which the exchange lists without their category",
  ),
}) {}
