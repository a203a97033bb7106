import type { Exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { PositionSide } from "../accounts.js";
import { ZERO } from "../ledger.js";
import { contractOf, type State } from "../state.js";
import { type Order, type OrderTerms, remaining } from "./order.js";
import type { OrderService } from "./orderService.js";

/** Whether the order can only reduce a position. */
export const onlyCloses = ({ position }: Pick<OrderTerms, "position">): boolean =>
  position !== undefined && (position.effect === "close" || position.reduceOnly);

interface Target {
  readonly uid: string;
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly side: PositionSide;
}

/** The position that an order closes; undefined if it closes none. */
export const targetOf = ({ uid, category, symbol, side }: Pick<OrderTerms, "uid" | "category" | "symbol" | "side">): Target => ({
  uid,
  category,
  symbol,
  side: side === "buy" ? "short" : "long",
});

/** Closing orders: together they never exceed the position's size. */
export class Closers {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
  ) {}

  /** Size of the position; zero if there is none. */
  sizeOf({ uid, category, symbol, side }: Target): Exact {
    const position = this.state.positions.find(uid, contractOf(this.state, category, symbol).category, symbol, side);
    return position?.size ?? ZERO;
  }

  /** The open closing orders of a position, oldest first. */
  of(target: Target): readonly Order[] {
    return [...this.state.orders.open(target.uid)].filter(
      (order) =>
        onlyCloses(order) &&
        order.symbol === target.symbol &&
        order.category === target.category &&
        targetOf(order).side === target.side,
    );
  }

  /** Quantity of a position that such orders claim. */
  askedOf(target: Target): Exact {
    return this.of(target).reduce((sum, order) => sum.plus(remaining(order)), ZERO);
  }

  /** Maximum quantity that an order can still trade; undefined if it is not only closing. */
  limitOf(order: Order): Exact | undefined {
    return onlyCloses(order) ? this.sizeOf(targetOf(order)) : undefined;
  }

  /** After a trade on a symbol: cancels the younger orders that would close more than is left. */
  review({ uid, category, symbol, position }: Order): void {
    if (position === undefined) return;
    for (const side of ["long", "short"] as const) {
      const target = { uid, category, symbol, side };
      const size = this.sizeOf(target);
      let closing = ZERO;
      for (const order of this.of(target)) {
        closing = closing.plus(remaining(order));
        if (closing.gt(size)) this.service.cancel(order, "back_contract_cancel");
      }
    }
  }
}
