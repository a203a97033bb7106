import { FuturesCategoryInput, ProductCategoryInput } from "../enums/category.js";
import { PositionSideInput } from "../enums/position.js";
import { listOf, of, text } from "../fields.js";
import { extended, fieldsOf, Input, RecordType } from "../record.js";
import { SYMBOL } from "./orders.js";
import { WriteInput, WritePayload } from "./write.js";

@Input("The cancellation of all open orders of a category, or of one symbol in it")
export class CancelAllOrdersInput extends extended(WriteInput, {
  category: of(ProductCategoryInput)("Product category of the orders"),
  symbol: text.optional(`${SYMBOL}. Required on Classic SPOT. Default: every symbol of the category`),
}) {}

@Input("The closing of all positions of a futures category at market, or of those in one symbol")
export class ClosePositionsInput extends extended(WriteInput, {
  category: of(FuturesCategoryInput)("Futures category of the positions"),
  symbol: text.optional(`${SYMBOL}. Default: every symbol of the category`),
  posSide: of(PositionSideInput).optional("Only the position on this side; in hedge mode, with `symbol`. Default: both sides"),
}) {}

@RecordType("What a call about many orders has done with one of them")
class BulkOrder extends fieldsOf({
  orderId: text.orNull("The exchange's identifier of the order; null if there is none"),
  clientOid: text.orNull("The client's own identifier of the order"),
  code: text.orNull("The exchange's code if it was not done; null if it was"),
  message: text.orNull("The exchange's text if it was not done; null if it was"),
}) {}

const MOST = 400;

@RecordType("Orders whose cancellation was requested together", { implements: WritePayload })
export class CancelAllOrdersPayload extends extended(WritePayload, {
  orders: listOf(
    BulkOrder,
    MOST,
  )("The orders, each with its own result; empty where the exchange names none (Classic SPOT, and after a lost answer)"),
}) {}

@RecordType("Positions that were closed together", { implements: WritePayload })
export class ClosePositionsPayload extends extended(WritePayload, {
  orders: listOf(BulkOrder, MOST)("The closing orders, each with its own result; empty after a lost answer"),
}) {}
