import type { Exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { PositionSide } from "../accounts.js";
import { ZERO } from "../ledger.js";
import { contractOf, type State } from "../state.js";
import { type Order, type OrderTerms, remaining } from "./order.js";
import type { OrderService } from "./orderService.js";

/** May the order only make a position smaller? */
export const onlyCloses = ({ position }: Pick<OrderTerms, "position">): boolean =>
  position !== undefined && (position.effect === "close" || position.reduceOnly);

/** A position as the orders know it that close it. */
interface Target {
  readonly uid: string;
  readonly category: ProductCategory;
  readonly symbol: string;
  readonly side: PositionSide;
}

/** What an order closes, if it closes anything. */
export const targetOf = ({ uid, category, symbol, side }: Pick<OrderTerms, "uid" | "category" | "symbol" | "side">): Target => ({
  uid,
  category,
  symbol,
  side: side === "buy" ? "short" : "long",
});

/** Orders that may only close: together they never ask for more than the position holds. */
export class Closers {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
  ) {}

  /** How large the position is; zero if there is none. */
  sizeOf({ uid, category, symbol, side }: Target): Exact {
    const position = this.state.positions.find(uid, contractOf(this.state, category, symbol).category, symbol, side);
    return position?.size ?? ZERO;
  }

  /** The open orders that may only close a position, oldest first. */
  of(target: Target): readonly Order[] {
    return [...this.state.orders.open(target.uid)].filter(
      (order) =>
        onlyCloses(order) &&
        order.symbol === target.symbol &&
        order.category === target.category &&
        targetOf(order).side === target.side,
    );
  }

  /** How much of a position is spoken for by such orders. */
  askedOf(target: Target): Exact {
    return this.of(target).reduce((sum, order) => sum.plus(remaining(order)), ZERO);
  }

  /** The most that an order can still trade; nothing if it may do more than close. */
  limitOf(order: Order): Exact | undefined {
    return onlyCloses(order) ? this.sizeOf(targetOf(order)) : undefined;
  }

  /** After a trade on a symbol: the younger orders give way that would close more than is left. */
  review({ uid, category, symbol, position }: Order): void {
    if (position === undefined) return;
    for (const side of ["long", "short"] as const) {
      const target = { uid, category, symbol, side };
      const size = this.sizeOf(target);
      let asked = ZERO;
      for (const order of this.of(target)) {
        asked = asked.plus(remaining(order));
        if (asked.gt(size)) this.service.cancel(order, "back_contract_cancel");
      }
    }
  }
}
