import { exact } from "@exchange-graph/contract/decimal";
import { isFutures } from "../catalogue/instrument.js";
import { ZERO } from "../ledger.js";
import type { FuturesSettlement } from "../positions/futuresSettlement.js";
import { instrumentOf, type State } from "../state.js";
import { type Fill, fillOf, type Order, remaining } from "./order.js";
import type { OrderService } from "./orderService.js";
import type { SpotSettlement } from "./spotSettlement.js";

/** One side of a trade before its settlement. */
export type Execution = Pick<Fill, "price" | "quantity" | "scope" | "execId" | "execLinkId">;

/** Settles trades: updates coins or positions and the order, and records and pushes the fill. */
export class Executor {
  constructor(
    private readonly state: State,
    private readonly spot: SpotSettlement,
    private readonly futures: FuturesSettlement,
    private readonly service: OrderService,
  ) {}

  execute(order: Order, { price, quantity, scope, execId, execLinkId }: Execution): Fill {
    const { orders, events, now } = this.state;
    const instrument = instrumentOf(this.state, order.category, order.symbol);
    const rate = exact(scope === "taker" ? instrument.takerFeeRate : instrument.makerFeeRate);
    const value = price.times(quantity);
    order.filledQuantity = order.filledQuantity.plus(quantity);
    order.filledValue = order.filledValue.plus(value);
    order.status = "partially_filled";
    order.updatedTime = now();
    const { fee, profit } = isFutures(instrument)
      ? this.futures.settle(order, instrument, price, quantity, rate)
      : this.spot.settle(order, instrument, price, quantity, rate);
    order.fees.set(fee.coin, (order.fees.get(fee.coin) ?? ZERO).plus(fee.amount));
    order.profit = order.profit.plus(profit);
    const fill = fillOf(order, { execId, execLinkId, price, quantity, value, fee, scope, profit, at: now() });
    orders.enterFill(fill);
    events.emit({ kind: "fill", fill });
    if (order.amount === undefined && remaining(order).eq(ZERO)) this.service.complete(order);
    else events.emit({ kind: "order", order });
    return fill;
  }
}
