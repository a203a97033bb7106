import {
  cancelSymbolOrders,
  classicCancelAllFuturesOrders,
  classicCancelSpotSymbolOrders,
  classicClosePositions,
  closePositions,
  countdownCancelAll,
} from "@exchange-graph/contract/bulkWrites";
import { SECOND_MS } from "@exchange-graph/contract/clock";
import { isNamed } from "@exchange-graph/contract/letterCase";
import type { FuturesCategory, ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { PositionSide } from "../world/accounts.js";
import { onlyCloses, targetOf } from "../world/orders/closers.js";
import type { OrderEntry } from "../world/orders/entry.js";
import type { Order } from "../world/orders/order.js";
import type { OrderService } from "../world/orders/orderService.js";
import { closedBy, type Position } from "../world/positions/position.js";
import type { State } from "../world/state.js";
import type { Timeline } from "../world/timeline.js";
import { classicResults, type Result, unifiedResults } from "./bulkResults.js";
import { type Handler, signed } from "./handler.js";
import { categoryOf } from "./symbols.js";

/** Calls about many orders, each of which succeeds or fails by itself. */
export function bulkWriteHandlers(
  state: State,
  entry: OrderEntry,
  service: OrderService,
  timeline: Pick<Timeline, "at">,
): readonly Handler[] {
  /** When all orders of a user are cancelled, Unix ms. */
  const deadlines = new Map<string, number>();
  const count = (uid: string, seconds: number): void => {
    if (seconds === 0) {
      deadlines.delete(uid);
      return;
    }
    const deadline = state.now() + seconds * SECOND_MS;
    deadlines.set(uid, deadline);
    timeline.at(deadline, () => {
      // A later call has started the time anew, or ended it.
      if (deadlines.get(uid) !== deadline) return;
      deadlines.delete(uid);
      for (const order of [...state.orders.open(uid)]) service.cancel(order, "normal_cancel");
    });
  };

  const cancelAll = (uid: string, category: ProductCategory, symbol: string | undefined): readonly Result[] => {
    const open = [...state.orders.open(uid)].filter((order) => order.category === category && isNamed(order.symbol, symbol));
    for (const order of open) service.cancel(order, "normal_cancel");
    return open.map(({ orderId, clientOid }) => ({ orderId, clientOid }));
  };

  /** Orders that would close the position are cancelled first. */
  const closed = (uid: string, { category, symbol, side, size }: Position): Result => {
    const isOfIt = (order: Order): boolean =>
      onlyCloses(order) && order.category === category && order.symbol === symbol && targetOf(order).side === side;
    for (const order of [...state.orders.open(uid)].filter(isOfIt)) service.cancel(order, "normal_cancel");
    try {
      const order = { uid, category, symbol, side: closedBy(side), posSide: side, reduceOnly: true, quantity: size } as const;
      return entry.place({ ...order, orderType: "market" }).order;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { orderId: "", clientOid: "", refused: error };
    }
  };
  const closeAll = (uid: string, category: FuturesCategory, symbol?: string, side?: PositionSide): readonly Result[] =>
    [...state.positions.open(uid)]
      .filter((one) => one.category === category && isNamed(one.symbol, symbol) && (side ?? one.side) === one.side)
      .map((position) => closed(uid, position));

  return [
    signed(cancelSymbolOrders, ({ values, uid }) => ({ list: unifiedResults(cancelAll(uid, values.category, values.symbol)) })),
    signed(countdownCancelAll, ({ values, uid }) => {
      count(uid, values.countdown);
      return "success";
    }),
    signed(closePositions, ({ values, uid }) => ({
      list: unifiedResults(closeAll(uid, values.category, values.symbol, values.posSide)),
    })),
    signed(classicCancelSpotSymbolOrders, ({ values, uid }) => {
      cancelAll(uid, "SPOT", values.symbol);
      return { symbol: values.symbol };
    }),
    signed(classicCancelAllFuturesOrders, ({ values, uid }) =>
      classicResults(cancelAll(uid, categoryOf(values.productType), values.symbol)),
    ),
    signed(classicClosePositions, ({ values, uid }) =>
      classicResults(closeAll(uid, categoryOf(values.productType), values.symbol, values.holdSide)),
    ),
  ];
}
