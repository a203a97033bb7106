import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { cancelOrder } from "../../datasources/writes/mutations/cancelOrder.js";
import { modifyOrder } from "../../datasources/writes/mutations/modifyOrder.js";
import { placeOrder } from "../../datasources/writes/mutations/placeOrder.js";
import { placeTpslOrder } from "../../datasources/writes/mutations/placeTpslOrder.js";
import { FuturesCategory, ProductCategory } from "../../schema/enums/category.js";
import { OrderSide, OrderType, StpMode, TimeInForce, TriggerBy } from "../../schema/enums/order.js";
import { MarginMode, PositionSide } from "../../schema/enums/position.js";
import {
  CancelOrderInput,
  CancelOrderPayload,
  ModifyOrderInput,
  ModifyOrderPayload,
  PlaceOrderInput,
  PlaceOrderPayload,
  PlaceTpslOrderInput,
  PlaceTpslOrderPayload,
} from "../../schema/mutations/orders.js";
import { Needs } from "../../schema/needs.js";
import type { RequestContext } from "../context.js";
import { knownWords } from "./knownWords.js";
import { placedIn } from "./orderJoins.js";
import { type Written, write } from "./write.js";

const INPUT = "What to do, and how to send it";

/** Exits with words that can be said. */
const exitsOf = ({ takeProfit, stopLoss }: Pick<PlaceOrderInput, "takeProfit" | "stopLoss">) => ({
  takeProfit: takeProfit && knownWords(takeProfit, { triggerBy: TriggerBy }, "takeProfit."),
  stopLoss: stopLoss && knownWords(stopLoss, { triggerBy: TriggerBy }, "stopLoss."),
});

@Resolver()
export class OrderMutations {
  @Needs("trade", "input", "account")
  @Mutation(() => PlaceOrderPayload, {
    description:
      "Places an order. Sent once or not at all; a lost answer is looked up by `clientOid`. Source: POST /api/v3/trade/place-order, or POST /api/v2/spot/trade/place-order or POST /api/v2/mix/order/place-order",
  })
  placeOrder(
    @Arg("input", () => PlaceOrderInput, { description: INPUT }) input: PlaceOrderInput,
    @Ctx() { reads }: RequestContext,
  ): Promise<Written<PlaceOrderPayload>> {
    const words = {
      category: ProductCategory,
      side: OrderSide,
      orderType: OrderType,
      timeInForce: TimeInForce,
      posSide: PositionSide,
      marginMode: MarginMode,
      stpMode: StpMode,
    };
    return write(
      reads,
      input,
      words,
      async (...[, account, order]) => placeOrder(reads, account, { ...order, ...exitsOf(order) }),
      placedIn(input),
    );
  }

  @Needs("trade", "input", "account")
  @Mutation(() => ModifyOrderPayload, {
    description:
      "Changes an open order. Source: POST /api/v3/trade/modify-order, or POST /api/v2/spot/trade/cancel-replace-order or POST /api/v2/mix/order/modify-order",
  })
  modifyOrder(
    @Arg("input", () => ModifyOrderInput, { description: INPUT }) input: ModifyOrderInput,
    @Ctx() { reads }: RequestContext,
  ): Promise<Written<ModifyOrderPayload>> {
    return write(
      reads,
      input,
      { category: ProductCategory },
      async (...[, account, change]) => modifyOrder(reads, account, { ...change, ...exitsOf(change) }),
      placedIn(input),
    );
  }

  @Needs("trade", "input", "account")
  @Mutation(() => CancelOrderPayload, {
    description:
      "Asks for the cancellation of an order; it goes before all other writes. Accepted means asked for: the order tells whether it was cancelled in time. Source: POST /api/v3/trade/cancel-order or cancel-strategy-order, or POST /api/v2/spot/trade/cancel-order or POST /api/v2/mix/order/cancel-order or cancel-plan-order",
  })
  cancelOrder(
    @Arg("input", () => CancelOrderInput, { description: INPUT }) input: CancelOrderInput,
    @Ctx() { reads }: RequestContext,
  ): Promise<Written<CancelOrderPayload>> {
    return write(reads, input, { category: ProductCategory }, cancelOrder, placedIn(input));
  }

  @Needs("trade", "input", "account")
  @Mutation(() => PlaceTpslOrderPayload, {
    description:
      "Places a take-profit, stop-loss or trailing stop on a futures position. Source: POST /api/v3/trade/place-strategy-order, or POST /api/v2/mix/order/place-tpsl-order",
  })
  placeTpslOrder(
    @Arg("input", () => PlaceTpslOrderInput, { description: INPUT }) input: PlaceTpslOrderInput,
    @Ctx() { reads }: RequestContext,
  ): Promise<Written<PlaceTpslOrderPayload>> {
    const words = { category: FuturesCategory, posSide: PositionSide, triggerBy: TriggerBy, stpMode: StpMode };
    return write(reads, input, words, placeTpslOrder, placedIn(input));
  }
}
