import type { Exact } from "@exchange-graph/contract/decimal";
import { ZERO } from "../ledger.js";
import type { Level } from "../market/houseBook.js";
import type { Side } from "../market/listing.js";
import type { Market } from "../market/market.js";
import { least } from "../money.js";
import type { State } from "../state.js";
import type { Closers } from "./closers.js";
import type { Executor } from "./execution.js";
import { isOpen, type Order, remaining } from "./order.js";
import type { Resting } from "./orderBook.js";
import type { OrderService } from "./orderService.js";

const opposite = (side: Side): Side => (side === "buy" ? "sell" : "buy");

/** The counterpart of a taker: a price, and the user's order at it; undefined for generated liquidity. */
interface Counterpart {
  readonly steps: number;
  readonly maker: Order | undefined;
  /** In units. */
  readonly offered: number;
}

/** A trade: `undefined` on one side is generated liquidity. */
interface Trade {
  readonly market: Market;
  readonly taker: Order | undefined;
  readonly maker: Order | undefined;
  /** The taker's side. */
  readonly side: Side;
  readonly steps: number;
  readonly quantity: Exact;
  readonly execLinkId: string;
}

/**
 * Price-time priority. A taker gets the best price first; at equal prices users' orders come before generated liquidity, older
 * ones first. Users' resting orders are filled when the moving price crosses them.
 */
export class Matching {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
    private readonly executor: Executor,
    private readonly closers: Closers,
  ) {}

  /** Matches a new order as far as its price allows. The caller rests or cancels the remainder. */
  take(order: Order): void {
    const market = this.#marketOf(order);
    const limit = limitOf(order, market);
    const execLinkId = this.state.ids.next();
    while (isOpen(order)) {
      const met = this.#next(order.side, limit, market);
      if (met === undefined) return;
      const { maker, steps } = met;
      if (maker !== undefined && this.#preventsSelfTrade(order, maker)) continue;
      const offered = this.#closable(maker, market.listing.grid.quantity(met.offered));
      if (maker !== undefined && offered.eq(ZERO)) {
        this.service.cancel(maker, "back_contract_cancel");
        continue;
      }
      const quantity = this.#closable(order, least(offered, this.#wanted(order, steps, market)));
      if (quantity.eq(ZERO)) return;
      if (maker === undefined) market.house.take(order.side, steps, this.#tick, market.listing.grid.units(quantity));
      this.#trade({ market, taker: order, maker, side: order.side, steps, quantity, execLinkId });
    }
  }

  /** Quantity that a new order could trade at once, up to its own quantity. */
  liquidity(order: Order): Exact {
    const market = this.#marketOf(order);
    const { grid } = market.listing;
    const { side } = order;
    const limit = limitOf(order, market);
    let units = 0;
    for (const level of market.house.levels(side, this.#tick)) {
      if (reaches(side, limit, level.steps)) units += level.units;
    }
    for (const { order: maker, steps } of market.orders.side(opposite(side))) {
      if (reaches(side, limit, steps)) units += grid.units(remaining(maker));
    }
    return least(grid.quantity(units), remaining(order));
  }

  /** Whether the order would trade at once. */
  crosses(order: Order): boolean {
    const market = this.#marketOf(order);
    return this.#next(order.side, limitOf(order, market), market) !== undefined;
  }

  /** Fills the users' orders that the price has crossed, each at its own price. */
  sweep(market: Market): void {
    for (const side of ["buy", "sell"] as const) {
      const best = market.orders.best(side);
      if (best === undefined || !reaches(side, best.steps, market.house.best(side, this.#tick))) continue;
      for (const resting of [...market.orders.side(side)]) if (!this.#sweepOne(resting, market)) break;
    }
  }

  /** False if the price does not reach this order, nor those behind it. */
  #sweepOne({ order, steps }: Resting, market: Market): boolean {
    const { grid } = market.listing;
    // Only a trade takes ids: a check without a trade must not change the sequence.
    let execLinkId: string | undefined;
    while (isOpen(order)) {
      const level = market.house.first(order.side, this.#tick);
      if (level === undefined || !reaches(order.side, steps, level.steps)) return false;
      execLinkId ??= this.state.ids.next();
      const quantity = this.#closable(order, least(grid.quantity(level.units), remaining(order)));
      if (quantity.eq(ZERO)) {
        this.service.cancel(order, "back_contract_cancel");
        break;
      }
      market.house.take(order.side, level.steps, this.#tick, grid.units(quantity));
      this.#trade({ market, taker: undefined, maker: order, side: opposite(order.side), steps, quantity, execLinkId });
    }
    return true;
  }

  #next(side: Side, limit: number, market: Market): Counterpart | undefined {
    const resting = market.orders.best(opposite(side));
    const level = market.house.first(side, this.#tick);
    const isHouseBetter = level !== undefined && (resting === undefined || isBetter(side, level.steps, resting.steps));
    const best = isHouseBetter ? ofHouse(level) : resting && ofUser(resting, market);
    return best !== undefined && reaches(side, limit, best.steps) ? best : undefined;
  }

  /** Handles an own order on the other side. True if the taker has to match again. */
  #preventsSelfTrade(taker: Order, maker: Order): boolean {
    if (taker.uid !== maker.uid || taker.stpMode === "none") return false;
    if (taker.stpMode !== "cancel_taker") this.service.cancel(maker, "stp_cancel");
    if (taker.stpMode !== "cancel_maker") this.service.cancel(taker, "stp_cancel");
    return true;
  }

  /** Quantity left to trade; for an order with an amount, the quantity that the remaining amount buys. */
  #wanted(order: Order, steps: number, market: Market): Exact {
    if (order.amount === undefined) return remaining(order);
    const { grid } = market.listing;
    return grid.floored(order.amount.minus(order.filledValue).div(grid.price(steps)));
  }

  /** A closing order can trade at most the quantity of the position. */
  #closable(order: Order | undefined, quantity: Exact): Exact {
    const limit = order === undefined ? undefined : this.closers.limitOf(order);
    return limit === undefined ? quantity : least(limit, quantity);
  }

  #trade({ market, taker, maker, side, steps, quantity, execLinkId }: Trade): void {
    const { ids, now, events } = this.state;
    const terms = { price: market.listing.grid.price(steps), quantity, execLinkId };
    const execId = ids.next();
    if (taker !== undefined) this.executor.execute(taker, { ...terms, scope: "taker", execId });
    if (maker !== undefined)
      this.executor.execute(maker, { ...terms, scope: "maker", execId: taker === undefined ? execId : ids.next() });
    const print = { ...terms, execId, at: now(), side };
    market.prints.add(print);
    market.touch(this.#tick);
    events.emit({ kind: "trade", listing: market.listing, print });
    for (const order of [taker, maker]) if (order !== undefined) this.closers.review(order);
  }

  #marketOf({ category, symbol }: Order): Market {
    return this.state.markets.of(category, symbol);
  }

  get #tick(): number {
    return this.state.markets.tick;
  }
}

const ofHouse = ({ steps, units }: Level): Counterpart => ({ steps, maker: undefined, offered: units });
const ofUser = ({ order, steps }: Resting, { listing }: Market): Counterpart => ({
  steps,
  maker: order,
  offered: listing.grid.units(remaining(order)),
});

/** Whether a price is better for a taker of `side` than another. */
const isBetter = (side: Side, steps: number, other: number): boolean => (side === "buy" ? steps < other : steps > other);

/** The worst acceptable price of an order, in steps. */
const limitOf = ({ price, side }: Order, { listing }: Market): number =>
  price !== undefined ? listing.grid.steps(price) : side === "buy" ? Number.MAX_SAFE_INTEGER : 0;

const reaches = (side: Side, limit: number, steps: number): boolean => (side === "buy" ? steps <= limit : steps >= limit);
