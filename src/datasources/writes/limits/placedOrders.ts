import type { OrderIds } from "../policies/policy.js";

/** An order that was placed or changed here. */
interface PlacedOrder {
  /** The principal of the client that it belongs to. */
  readonly owner: string;
  /** The client, and the day since 1970, that its whole quantity counts for; undefined if it counts for none. */
  readonly charged: { readonly client: string; readonly day: number } | undefined;
}

const MAX_NAMES = 200_000;

/** The clients of the latest orders. An order in the place of another one belongs to the client of that one. */
export class PlacedOrders {
  readonly #orders = new Map<string, PlacedOrder>();

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
