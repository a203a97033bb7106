import type { Exact } from "@exchange-graph/contract/decimal";
import { POSITION_SIDES } from "@exchange-graph/contract/vocabulary";
import { ZERO } from "../ledger.js";
import type { PositionKey } from "../positions/positionStore.js";
import type { State } from "../state.js";
import { type Order, type OrderTerms, remaining } from "./order.js";
import type { OrderService } from "./orderService.js";

/** Whether the order can only reduce a position. */
export const onlyCloses = ({ position }: Pick<OrderTerms, "position">): boolean =>
  position !== undefined && (position.effect === "close" || position.reduceOnly);

/** The position that an order closes, if there is one. */
export function targetOf({ uid, category, symbol, side }: Pick<OrderTerms, "uid" | "category" | "symbol" | "side">): PositionKey {
  return { uid, category, symbol, side: side === "buy" ? "short" : "long" };
}

/** Closing orders: together they never exceed the position's size. */
export class Closers {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
  ) {}

  /** The open closing orders of a position, oldest first. */
  of(target: PositionKey): readonly Order[] {
    return [...this.state.orders.open(target.uid)].filter(
      (order) =>
        onlyCloses(order) &&
        order.symbol === target.symbol &&
        order.category === target.category &&
        targetOf(order).side === target.side,
    );
  }

  /** Quantity of a position that such orders claim. */
  askedOf(target: PositionKey): Exact {
    return this.of(target).reduce((sum, order) => sum.plus(remaining(order)), ZERO);
  }

  /** Maximum quantity that an order can still trade; undefined if it is not only closing. */
  limitOf(order: Order): Exact | undefined {
    return onlyCloses(order) ? this.state.positions.sizeOf(targetOf(order)) : undefined;
  }

  /** After a trade on a symbol: cancels the younger orders that would close more than is left. */
  review({ uid, category, symbol, position }: Order): void {
    if (position === undefined) return;
    for (const side of POSITION_SIDES) {
      const target = { uid, category, symbol, side };
      const size = this.state.positions.sizeOf(target);
      let closing = ZERO;
      for (const order of this.of(target)) {
        closing = closing.plus(remaining(order));
        if (closing.gt(size)) this.service.cancel(order, "back_contract_cancel");
      }
    }
  }
}
