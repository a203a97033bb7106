import type { Exact } from "@exchange-graph/contract/decimal";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { type ProductCategory, TPSL_ROLES } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../../refused.js";
import { isFutures } from "../catalogue/instrument.js";
import { type Dialect, dialectOf, refused } from "../dialect.js";
import { ZERO } from "../ledger.js";
import type { Market } from "../market/market.js";
import { least } from "../money.js";
import type { State } from "../state.js";
import type { Backing } from "./backing.js";
import { type Closers, onlyCloses, targetOf } from "./closers.js";
import type { Matching } from "./matching.js";
import { isOpen, newOrder, type Order, type OrderRequest, type OrderTerms, remaining, type TpslTerms } from "./order.js";
import type { OrderService } from "./orderService.js";
import type { OrderKey } from "./orderStore.js";
import { listedMarket, termsOf } from "./orderTerms.js";
import { checkOpenOrders, checkPrice, checkQuantity, checkStatus, checkTpsl, checkValue } from "./rules.js";

export interface Placement {
  readonly order: Order;
  /** Whether the order has replaced older closing orders; its id is then not returned. */
  readonly hasReplaced: boolean;
}

/** New values of an order. Missing values are unchanged. */
export interface OrderChange {
  readonly price?: Exact | undefined;
  readonly quantity?: Exact | undefined;
  /** `null` takes it off. */
  readonly takeProfit?: TpslTerms | null | undefined;
  readonly stopLoss?: TpslTerms | null | undefined;
  /** The client's identifier of the change. */
  readonly requestId?: string | undefined;
}

/** Accepts orders: checks them, reserves the funds, matches them, and rests the remainder. */
export class OrderEntry {
  constructor(
    private readonly state: State,
    private readonly service: OrderService,
    private readonly matching: Matching,
    private readonly backing: Backing,
    private readonly closers: Closers,
  ) {}

  place(request: OrderRequest): Placement {
    const { terms, market, dialect } = this.#admit(request);
    const { order, hasReplaced } = this.#prepare(terms, market, dialect);
    this.service.accept(order);
    this.#adoptMarginMode(order, market);
    this.#run(order);
    return { order, hasReplaced };
  }

  /** Accepts an order that arrived after its receive window, and cancels it before it can trade. */
  placeLate(request: OrderRequest): Order {
    const { terms } = this.#admit(request);
    const order = newOrder(terms, this.state.ids.next(), this.state.now());
    order.status = "cancelled";
    order.cancelReason = "cancel_receiveWindow";
    this.state.orders.enter(order);
    this.state.events.emit({ kind: "order", order });
    return order;
  }

  cancel(uid: string, category: ProductCategory, key: OrderKey): Order {
    const order = this.openOrder(uid, category, key);
    this.service.cancel(order, "normal_cancel");
    return order;
  }

  /** The open order of a key in a category. Refuses if there is none. */
  openOrder(uid: string, category: ProductCategory, key: OrderKey): Order {
    const order = this.state.orders.findOpen(uid, { ...key, category });
    if (order === undefined) throw refused(dialectOf(this.state.accounts.of(uid), category), "orderNotFound");
    return order;
  }

  /**
   * Changes an open limit order in place: it keeps its id and its fills. With another price or quantity it moves to the end of
   * the queue.
   */
  modify(order: Order, change: OrderChange): Order {
    const price = change.price ?? order.price;
    const quantity = change.quantity ?? order.quantity;
    const market = listedMarket(this.state, order);
    const dialect = dialectOf(this.state.accounts.of(order.uid), order.category);
    if (order.orderType !== "limit" || quantity.lt(order.filledQuantity)) throw new Refused(REFUSAL.unifiedNotModifiable);
    if (price === undefined) throw new Refused(REFUSAL.unifiedNotModifiable);
    const isMoved = !order.price?.eq(price) || !order.quantity.eq(quantity);
    if (!isMoved && !changesTpsl(order, change)) throw refused(dialect, "nothingModified");
    const tpsl = tpslAfter(order, change);
    checkTpsl({ ...order, ...tpsl, price }, market, market.listing.price(this.state.markets.tick), dialect);
    if (isMoved) this.#move(order, price, quantity, market, dialect);
    Object.assign(order, tpsl);
    if (change.requestId !== undefined) order.requestId = change.requestId;
    order.updatedTime = this.state.now();
    if (!isMoved) this.state.events.emit({ kind: "order", order });
    else if (remaining(order).eq(ZERO)) this.service.complete(order);
    else this.#run(order);
    return order;
  }

  /** Removes an order from the book to give it its new price and quantity. */
  #move(order: Order, price: Exact, quantity: Exact, market: Market, dialect: Dialect): void {
    const last = market.listing.price(this.state.markets.tick);
    this.#checkClosing(order, quantity, dialect);
    checkPrice({ side: order.side, price }, market, last, dialect);
    checkQuantity({ ...order, quantity }, market, dialect);
    checkValue(this.state, { ...order, price, quantity }, market, last, dialect);
    this.#rearm(order, price, quantity, market, dialect);
    market.orders.remove(order);
  }

  /** Replaces an open order by a new one with its own id. If the new one is refused, the old one is kept. */
  replace(order: Order, request: OrderRequest): Placement {
    const market = listedMarket(this.state, request);
    const dialect = dialectOf(this.state.accounts.of(request.uid), request.category);
    const terms = termsOf(this.state, request, market.listing.instrument, dialect);
    this.#check(terms, market, dialect);
    this.service.suspend(order);
    try {
      checkOpenOrders(this.state, terms, market, dialect);
      const successor = this.#prepare(terms, market, dialect);
      this.service.accept(successor.order);
      this.service.cancel(order, "modify_limit_order");
      this.#run(successor.order);
      return successor;
    } catch (error) {
      if (isOpen(order)) this.service.accept(order);
      throw error;
    }
  }

  /** The terms of a request, after all checks except those of balances. */
  #admit(request: OrderRequest): { readonly terms: OrderTerms; readonly market: Market; readonly dialect: Dialect } {
    const market = listedMarket(this.state, request);
    const dialect = dialectOf(this.state.accounts.of(request.uid), request.category);
    const terms = termsOf(this.state, request, market.listing.instrument, dialect);
    this.#check(terms, market, dialect);
    checkOpenOrders(this.state, terms, market, dialect);
    return { terms, market, dialect };
  }

  /** The margin mode of an order becomes that of the symbol: it may change while nothing is open. */
  #adoptMarginMode({ uid, position }: Order, { listing: { instrument } }: Market): void {
    if (position === undefined || !isFutures(instrument)) return;
    const account = this.state.accounts.of(uid);
    const setting = account.setting(instrument.category, instrument.symbol);
    if (setting.marginMode === position.marginMode) return;
    account.setSetting(instrument.category, instrument.symbol, { ...setting, marginMode: position.marginMode });
    this.state.events.emit({ kind: "settings", uid });
  }

  #check(terms: OrderTerms, market: Market, dialect: Dialect): void {
    const last = market.listing.price(this.state.markets.tick);
    checkStatus(this.state, market, onlyCloses(terms), dialect);
    checkPrice(terms, market, last, dialect);
    checkQuantity(terms, market, dialect);
    checkTpsl(terms, market, last, dialect);
    checkValue(this.state, terms, market, last, dialect);
  }

  /** The order of the terms, after all checks. */
  #prepare(terms: OrderTerms, market: Market, dialect: Dialect): Placement {
    const room = onlyCloses(terms) ? this.#makeRoom(terms, dialect) : { quantity: terms.quantity, hasReplaced: false };
    const order = newOrder({ ...terms, quantity: room.quantity }, this.state.ids.next(), this.state.now());
    this.backing.measure(order);
    this.backing.ensure(order, market.listing.instrument, dialect);
    return { order, hasReplaced: room.hasReplaced };
  }

  /**
   * Checks that there is a position to close. In hedge mode quantity that other orders close is not available. In one-way mode
   * older reduce-only orders are reduced, oldest first, and a quantity above the position means all of it.
   */
  #makeRoom(terms: OrderTerms, dialect: Dialect): { readonly quantity: Exact; readonly hasReplaced: boolean } {
    const target = targetOf(terms);
    const size = this.state.positions.sizeOf(target);
    if (size.eq(ZERO)) throw refused(dialect, "noPosition");
    const quantity = terms.position?.reduceOnly ? least(terms.quantity, size) : terms.quantity;
    let free = size.minus(this.closers.askedOf(target));
    if (quantity.lte(free)) return { quantity, hasReplaced: false };
    if (!terms.position?.reduceOnly) throw refused(dialect, "positionTooSmall");
    for (const older of this.closers.of(target)) {
      if (quantity.lte(free)) break;
      free = free.plus(remaining(older));
      this.service.cancel(older, "normal_cancel");
    }
    return { quantity, hasReplaced: true };
  }

  /** A closing order must not exceed the quantity that other orders leave of the position. */
  #checkClosing(order: Order, quantity: Exact, dialect: Dialect): void {
    if (!onlyCloses(order) || quantity.lte(order.quantity)) return;
    const target = targetOf(order);
    const closing = this.closers.askedOf(target).plus(quantity.minus(order.quantity));
    if (closing.lte(this.state.positions.sizeOf(target))) return;
    throw order.position?.reduceOnly ? new Refused(REFUSAL.unifiedReduceOnlyProtected) : refused(dialect, "positionTooSmall");
  }

  #run(order: Order): void {
    const before = order.filledQuantity;
    if (order.timeInForce === "post_only" && this.matching.crosses(order)) {
      this.service.cancel(order, "post_only_fill_cancel");
    } else if (order.timeInForce === "fok" && this.matching.liquidity(order).lt(remaining(order))) {
      this.service.cancel(order, "fok_not_full_cancel");
    } else {
      this.matching.take(order);
    }
    if (!isOpen(order)) return;
    if (order.timeInForce === "gtc" || order.timeInForce === "post_only") {
      this.service.rest(order);
      if (order.filledQuantity.eq(before)) this.state.events.emit({ kind: "order", order });
    } else if (order.amount !== undefined && order.filledQuantity.gt(ZERO)) {
      this.service.complete(order);
    } else {
      this.service.cancel(order, "ioc_not_full_cancel");
    }
  }

  /** Sets the order's new values and reserves the coins for them; if the balance is too low, nothing changes. */
  #rearm(order: Order, price: Exact, quantity: Exact, market: Market, dialect: Dialect): void {
    const { price: oldPrice = price, quantity: oldQuantity, reservePrice, opening } = order;
    this.service.suspend(order);
    try {
      Object.assign(order, { price, quantity });
      this.backing.measure(order);
      this.backing.ensure(order, market.listing.instrument, dialect);
    } catch (error) {
      Object.assign(order, { price: oldPrice, quantity: oldQuantity, reservePrice, opening });
      throw error;
    } finally {
      this.service.accept(order);
    }
  }
}

const tpslAfter = (order: Order, change: OrderChange) =>
  Object.fromEntries(TPSL_ROLES.map((role) => [role, change[role] === undefined ? order[role] : (change[role] ?? undefined)]));

const changesTpsl = (order: Order, change: OrderChange): boolean =>
  TPSL_ROLES.some((role) => change[role] !== undefined && !isSameTpsl(order[role], change[role]));

function isSameTpsl(before: TpslTerms | undefined, after: TpslTerms | null | undefined): boolean {
  if (before === undefined || after === null || after === undefined) return before === (after ?? undefined);
  const isSamePrice = (one: Exact | undefined, other: Exact | undefined) =>
    one === undefined || other === undefined ? one === other : one.eq(other);
  return (
    before.triggerPrice.eq(after.triggerPrice) &&
    before.triggerBy === after.triggerBy &&
    isSamePrice(before.limitPrice, after.limitPrice)
  );
}
