import { exact, plain } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { TriggeredOrder } from "../policies/policy.js";
import type { OrderIds } from "../policies/replies.js";

/** An order that was placed or changed here. */
interface PlacedOrder {
  /** The principal of the client that it belongs to. */
  readonly owner: string;
  /** The client, and the day (since 1970), whose figures contain its whole quantity; undefined if none do. */
  readonly charged: { readonly client: string; readonly day: number } | undefined;
}

const MAX_NAMES = 200_000;
const MAX_TRIGGERS = 10_000;

/** The clients of the latest orders. An order that replaces another belongs to the client of the replaced one. */
export class PlacedOrders {
  readonly #orders = new Map<string, PlacedOrder>();
  /** Orders that wait for a trigger, with the terms of the orders that they will place, by identifier. */
  readonly #triggers = new Map<string, { readonly terms: string; readonly owner: string }>();

  /** An order of a user; undefined if it was placed elsewhere, or is not one of the latest. */
  of(user: string, { orderId, clientOid }: OrderIds): PlacedOrder | undefined {
    const byId = orderId === undefined ? undefined : this.#orders.get(orderId);
    return byId ?? (clientOid === undefined ? undefined : this.#orders.get(ownName(user, clientOid)));
  }

  /** Adds an order under both of its identifiers. */
  add(user: string, { orderId, clientOid }: OrderIds, order: PlacedOrder): void {
    if (orderId !== undefined) this.#set(orderId, order);
    if (clientOid !== undefined) this.#set(ownName(user, clientOid), order);
  }

  addTrigger(user: string, orderId: string, terms: TriggeredOrder, owner: string): void {
    this.#triggers.set(orderId, { terms: wordsOf(user, terms), owner });
    if (this.#triggers.size <= MAX_TRIGGERS) return;
    const [oldest] = this.#triggers.keys();
    if (oldest !== undefined) this.#triggers.delete(oldest);
  }

  /**
   * The exchange does not report which order a trigger has placed. An order from elsewhere is taken for it if it has the terms of a
   * trigger order that is no longer `waiting`.
   */
  addTriggered(user: string, ids: OrderIds, terms: TriggeredOrder, waiting: ReadonlySet<string>): void {
    if (this.#triggers.size === 0 || this.of(user, ids) !== undefined) return;
    const termsText = wordsOf(user, terms);
    const found = [...this.#triggers].find(([orderId, one]) => one.terms === termsText && !waiting.has(orderId));
    if (found === undefined) return;
    this.#triggers.delete(found[0]);
    this.add(user, ids, { owner: found[1].owner, charged: undefined });
  }

  #set(name: string, order: PlacedOrder): void {
    this.#orders.delete(name);
    this.#orders.set(name, order);
    if (this.#orders.size <= MAX_NAMES) return;
    const [oldest] = this.#orders.keys();
    if (oldest !== undefined) this.#orders.delete(oldest);
  }
}

/** Clients' own identifiers are unique for their user only. */
const ownName = (user: string, clientOid: string): string => `${user}\n${clientOid}`;

const wordsOf = (user: string, { symbol, side, qty, price }: TriggeredOrder): string =>
  [user, inCapitals(symbol), side, plain(exact(qty)), plain(exact(price))].join("\n");
