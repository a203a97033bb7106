import type { Exact } from "@exchange-graph/contract/decimal";
import type { Closers } from "../orders/closers.js";
import type { Executor } from "../orders/execution.js";
import { type ExecType, newOrder, positionTerms } from "../orders/order.js";
import type { OrderService } from "../orders/orderService.js";
import type { State } from "../state.js";
import { closedBy, type Position } from "./position.js";

/** Closes positions by force (liquidation, delivery): the exchange takes them over at a price, without the book. */
export class ForcedClosing {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
    private readonly executor: Executor,
    private readonly closers: Closers,
  ) {}

  close(position: Position, price: Exact, execType: Extract<ExecType, "liquidation" | "delivery">): void {
    const { ids, now } = this.state;
    const { uid, category, symbol, side, holdMode, marginMode, leverage, marginCoin, size } = position;
    const order = newOrder(
      {
        uid,
        category,
        symbol,
        side: closedBy(side),
        orderType: "market",
        timeInForce: "ioc",
        quantity: size,
        clientOid: "",
        stpMode: "none",
        execType,
        position: positionTerms(side, "close", { holdMode, reduceOnly: true, marginMode, leverage, marginCoin }),
      },
      ids.next(),
      now(),
    );
    this.service.accept(order);
    this.executor.execute(order, { price, quantity: size, scope: "taker", execId: ids.next(), execLinkId: ids.next() });
    this.closers.review(order);
  }
}
