import { cancelAllOrders, closePositions } from "../../datasources/writes/index.js";
import {
  CancelAllOrdersInput,
  CancelAllOrdersPayload,
  ClosePositionsInput,
  ClosePositionsPayload,
} from "../../schema/mutations/manyOrders.js";
import { WRITE } from "../fieldCosts.js";
import { mutation, resolversOf } from "../fieldTable.js";
import { write } from "./write.js";

export const ManyOrdersMutations = resolversOf(null, {
  cancelAllOrders: mutation("trade", CancelAllOrdersPayload, {
    description:
      "Cancels all open orders of a category, or of one symbol in it, with one call; trigger orders stay. ACCEPTED says that the request was accepted: each order has its own result. Source: POST /api/v3/trade/cancel-symbol-order, or POST /api/v2/spot/trade/cancel-symbol-order or POST /api/v2/mix/order/cancel-all-orders",
    cost: WRITE,
    input: CancelAllOrdersInput,
    says: "The orders, and the options of the write",
    audits: ["category", "symbol"],
    resolve: (context, input) => write(context, input, cancelAllOrders, (reply) => ({ orders: reply?.orders ?? [] })),
  }),
  closePositions: mutation("trade", ClosePositionsPayload, {
    description:
      "Closes all positions of a futures category at market, or those in one symbol, with one call; it is sent during a halt too. ACCEPTED says that the request was accepted: each closing order has its own result. Source: POST /api/v3/trade/close-positions, or POST /api/v2/mix/order/close-positions",
    cost: WRITE,
    input: ClosePositionsInput,
    says: "The positions, and the options of the write",
    audits: ["category", "symbol", "posSide"],
    resolve: (context, input) => write(context, input, closePositions, (reply) => ({ orders: reply?.orders ?? [] })),
  }),
});
