import {
  type Acknowledgement,
  cancelOrder,
  cancelOrders,
  modifyOrder,
  placeOrder,
  placeOrders,
  placeTpslOrder,
} from "../../datasources/writes/index.js";
import {
  CancelOrderInput,
  CancelOrderPayload,
  CancelOrdersInput,
  CancelOrdersPayload,
  ModifyOrderInput,
  ModifyOrderPayload,
  PlaceOrderInput,
  PlaceOrderPayload,
  PlaceOrdersInput,
  PlaceOrdersPayload,
} from "../../schema/mutations/orders.js";
import { PlaceTpslOrderInput, PlaceTpslOrderPayload } from "../../schema/mutations/tpslOrders.js";
import { BATCH, WRITE } from "../fieldCosts.js";
import { mutation, resolversOf } from "../fieldTable.js";
import { placedIn } from "./orderJoins.js";
import { write, writeTogether } from "./write.js";

const INPUT = "The order, and the options of the write";

export const OrderMutations = resolversOf(null, {
  placeOrder: mutation("trade", PlaceOrderPayload, {
    description:
      "Places an order. It is sent at most once; a lost answer is looked up by `clientOid`. Source: POST /api/v3/trade/place-order, or POST /api/v2/spot/trade/place-order or POST /api/v2/mix/order/place-order",
    cost: WRITE,
    input: PlaceOrderInput,
    says: INPUT,
    audits: ["category", "symbol", "side", "clientOid"],
    resolve: (context, input) => write(context, input, placeOrder, placedIn(input, (input.triggerPrice ?? null) !== null)),
  }),
  placeOrders: mutation("trade", PlaceOrdersPayload, {
    description:
      "Places several orders of one account with as few calls as the exchange takes: one for up to 20 orders of a unified account in one category, up to 50 Classic spot orders, or up to 20 Classic futures orders in one symbol and margin mode. All of them are checked, and counted against the limits together, before the first call; if one is refused, none is sent, and the others have the error `BATCH_REFUSED`. From then on each order has its own outcome: a lost answer is looked up order by order. What a batch of the exchange does not take (on unified accounts reduce-only orders, attached exits and a margin mode; on Classic accounts trigger prices, `receiveWindow` and, on futures, exits at a limit price) leaves with a call of its own. Source: POST /api/v3/trade/place-batch, or POST /api/v2/spot/trade/batch-orders or POST /api/v2/mix/order/batch-place-order",
    cost: BATCH,
    input: PlaceOrdersInput,
    says: "The orders, and the options of the batch",
    audits: [],
    resolve: (context, input) =>
      writeTogether(context, input, placeOrders, (order, reply: Acknowledgement | null) =>
        placedIn(order, (order.triggerPrice ?? null) !== null)(reply),
      ),
  }),
  modifyOrder: mutation("trade", ModifyOrderPayload, {
    description:
      "Changes an open order. Source: POST /api/v3/trade/modify-order, or POST /api/v2/spot/trade/cancel-replace-order or POST /api/v2/mix/order/modify-order",
    cost: WRITE,
    input: ModifyOrderInput,
    says: INPUT,
    audits: ["category", "symbol", "by"],
    resolve: (context, input) => write(context, input, modifyOrder, placedIn(input)),
  }),
  cancelOrder: mutation("trade", CancelOrderPayload, {
    description:
      "Requests the cancellation of an order; it takes precedence over other writes. ACCEPTED means that the request was accepted; the order shows whether it was cancelled in time. Source: POST /api/v3/trade/cancel-order or cancel-strategy-order, or POST /api/v2/spot/trade/cancel-order or POST /api/v2/mix/order/cancel-order or cancel-plan-order",
    cost: WRITE,
    input: CancelOrderInput,
    says: INPUT,
    audits: ["category", "symbol", "by"],
    resolve: (context, input) => write(context, input, cancelOrder, placedIn(input, input.kind === "PLAN_ORDER")),
  }),
  cancelOrders: mutation("trade", CancelOrdersPayload, {
    description:
      "Requests the cancellation of several orders of one account with as few calls as the exchange takes, as `placeOrders` does. Trigger orders of unified accounts leave with a call each, those of Classic futures in one symbol and of one kind with up to 20 in a call. If one of them breaks a rule, none is sent. Source: POST /api/v3/trade/cancel-batch, or POST /api/v2/spot/trade/batch-cancel-order, POST /api/v2/mix/order/batch-cancel-orders or POST /api/v2/mix/order/cancel-plan-order",
    cost: BATCH,
    input: CancelOrdersInput,
    says: "The orders, and the options of the batch",
    audits: [],
    resolve: (context, input) =>
      writeTogether(context, input, cancelOrders, (order, reply: Acknowledgement | null) =>
        placedIn(order, order.kind === "PLAN_ORDER")(reply),
      ),
  }),
  placeTpslOrder: mutation("trade", PlaceTpslOrderPayload, {
    description:
      "Places a take-profit, stop-loss or trailing stop on a futures position. Source: POST /api/v3/trade/place-strategy-order, or POST /api/v2/mix/order/place-tpsl-order",
    cost: WRITE,
    input: PlaceTpslOrderInput,
    says: INPUT,
    audits: ["category", "symbol", "clientOid"],
    resolve: (context, input) => write(context, input, placeTpslOrder, placedIn(input)),
  }),
});
