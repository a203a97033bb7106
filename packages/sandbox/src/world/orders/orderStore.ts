import { isNamed } from "@exchange-graph/contract/letterCase";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Pasts } from "../pasts.js";
import { Register } from "../register.js";
import { type Fill, isOpen, type Order } from "./order.js";

/** Number of finished orders and fills kept per user. */
const FINISHED_PER_USER = 5_000;
const FILLS_PER_USER = 10_000;

/**
 * Key of an order: its id or the client's; if both are given, its id is used. It must belong to the given category and symbol.
 */
export interface OrderKey {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
  readonly category?: ProductCategory | undefined;
  /** In any letter case. */
  readonly symbol?: string | undefined;
}

const isMeant =
  ({ orderId, clientOid, category, symbol }: OrderKey) =>
  (order: Order): boolean =>
    (orderId === undefined ? order.clientOid === clientOid : order.orderId === orderId) &&
    (category ?? order.category) === order.category &&
    isNamed(order.symbol, symbol);

/** All orders by user: the open ones, and the latest finished ones with their fills. */
export class OrderStore {
  readonly #open = new Map<string, Map<string, Order>>();
  readonly #finished = new Register<Order>(({ orderId }) => orderId, FINISHED_PER_USER);
  readonly #fills = new Register<Fill>(({ execId }) => execId, FILLS_PER_USER);

  constructor(private readonly pasts: Pasts) {}

  /** Open orders of a user, oldest first. */
  open(uid: string): Iterable<Order> {
    return this.#open.get(uid)?.values() ?? [];
  }

  /** Finished orders of a user, newest first. */
  finished(uid: string): readonly Order[] {
    this.pasts.recall(uid);
    return this.#finished.of(uid);
  }

  /** Fills of a user, newest first. */
  fills(uid: string): readonly Fill[] {
    this.pasts.recall(uid);
    return this.#fills.of(uid);
  }

  findOpen(uid: string, key: OrderKey): Order | undefined {
    const open = this.#open.get(uid);
    if (open === undefined) return undefined;
    if (key.orderId === undefined) return [...open.values()].findLast(isMeant(key));
    const order = open.get(key.orderId);
    return order !== undefined && isMeant(key)(order) ? order : undefined;
  }

  /** An order in any state; by the client's id the open one, otherwise the latest. */
  find(uid: string, key: OrderKey): Order | undefined {
    return this.findOpen(uid, key) ?? this.finished(uid).find(isMeant(key));
  }

  /** Adds a new order, or one of the history. */
  enter(order: Order): void {
    if (!isOpen(order)) {
      this.#finished.enter(order.uid, order);
      return;
    }
    const open = this.#open.get(order.uid) ?? new Map<string, Order>();
    this.#open.set(order.uid, open.set(order.orderId, order));
  }

  withdraw(order: Order): void {
    const open = this.#open.get(order.uid);
    open?.delete(order.orderId);
    if (open?.size === 0) this.#open.delete(order.uid);
  }

  /** Moves an ended order from the open ones to the finished ones. */
  finish(order: Order): void {
    this.withdraw(order);
    this.#finished.enter(order.uid, order);
  }

  enterFill(fill: Fill): void {
    this.#fills.enter(fill.uid, fill);
  }
}
