import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { cancelAllOrders, closePositions } from "../../datasources/writes/index.js";
import { Cost } from "../../schema/cost.js";
import { FuturesCategoryInput, ProductCategoryInput } from "../../schema/enums/category.js";
import { PositionSideInput } from "../../schema/enums/position.js";
import { listOf, of, text } from "../../schema/fields.js";
import { SYMBOL } from "../../schema/mutations/orders.js";
import { WriteInput, WritePayload } from "../../schema/mutations/write.js";
import { extended, fieldsOf, Input, RecordType } from "../../schema/record.js";
import { RequiresScope } from "../../schema/requiresScope.js";
import type { RequestContext } from "../context.js";
import { WRITE } from "../fieldCosts.js";
import { Audited } from "./observeMutations.js";
import { type WrittenPayload, write } from "./write.js";

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

@Resolver()
export class ManyOrdersMutations {
  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol")
  @Mutation(() => CancelAllOrdersPayload, {
    description:
      "Cancels all open orders of a category, or of one symbol in it, with one call; trigger orders stay. ACCEPTED says that the request was accepted: each order has its own result. Source: POST /api/v3/trade/cancel-symbol-order, or POST /api/v2/spot/trade/cancel-symbol-order or POST /api/v2/mix/order/cancel-all-orders",
  })
  cancelAllOrders(
    @Arg("input", () => CancelAllOrdersInput, { description: "The orders, and the options of the write" })
    input: CancelAllOrdersInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<CancelAllOrdersPayload>> {
    return write(context, input, cancelAllOrders, (reply) => ({ orders: reply?.orders ?? [] }));
  }

  @RequiresScope("trade", "input", "account")
  @Cost(WRITE)
  @Audited("category", "symbol", "posSide")
  @Mutation(() => ClosePositionsPayload, {
    description:
      "Closes all positions of a futures category at market, or those in one symbol, with one call; it is sent during a halt too. ACCEPTED says that the request was accepted: each closing order has its own result. Source: POST /api/v3/trade/close-positions, or POST /api/v2/mix/order/close-positions",
  })
  closePositions(
    @Arg("input", () => ClosePositionsInput, { description: "The positions, and the options of the write" })
    input: ClosePositionsInput,
    @Ctx() context: RequestContext,
  ): Promise<WrittenPayload<ClosePositionsPayload>> {
    return write(context, input, closePositions, (reply) => ({ orders: reply?.orders ?? [] }));
  }
}
