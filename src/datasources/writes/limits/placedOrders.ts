import { exact, plain } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { growingLru } from "../../errors/index.js";
import type { TriggeredOrder } from "../policies/policy.js";
import type { OrderIds } from "../policies/replies.js";

const MAX_NAMES = 200_000;
const MAX_TRIGGERS = 10_000;

/**
 * The clients of the latest orders that were placed or changed here, by their principals. An order that replaces another belongs to the
 * client of the replaced one.
 */
export class PlacedOrders {
  readonly #owners = growingLru<string>(MAX_NAMES);
  /** Orders that wait for a trigger, with the terms of the orders that they will place, by identifier. */
  readonly #triggers = growingLru<{ readonly terms: string; readonly owner: string }>(MAX_TRIGGERS);

  /** The client that an order of a user belongs to; undefined if it was placed elsewhere, or is not one of the latest. */
  ownerOf(user: string, { orderId, clientOid }: OrderIds): string | undefined {
    const byId = orderId === undefined ? undefined : this.#owners.get(orderId);
    return byId ?? (clientOid === undefined ? undefined : this.#owners.get(ownName(user, clientOid)));
  }

  /** Adds an order under both of its identifiers. */
  add(user: string, { orderId, clientOid }: OrderIds, owner: string): void {
    if (orderId !== undefined) this.#owners.set(orderId, owner);
    if (clientOid !== undefined) this.#owners.set(ownName(user, clientOid), owner);
  }

  addTrigger(user: string, orderId: string, terms: TriggeredOrder, owner: string): void {
    this.#triggers.set(orderId, { terms: wordsOf(user, terms), owner });
  }

  /**
   * The exchange does not report which order a trigger has placed. An order from elsewhere is taken for it if it has the terms of a
   * trigger order that is no longer `waiting`, the oldest such.
   */
  addTriggered(user: string, ids: OrderIds, terms: TriggeredOrder, waiting: ReadonlySet<string>): void {
    if (this.#triggers.size === 0 || this.ownerOf(user, ids) !== undefined) return;
    const words = wordsOf(user, terms);
    for (const orderId of this.#triggers.rkeys()) {
      const trigger = this.#triggers.peek(orderId);
      if (trigger?.terms !== words || waiting.has(orderId)) continue;
      this.#triggers.delete(orderId);
      this.add(user, ids, trigger.owner);
      return;
    }
  }
}

/** Clients' own identifiers are unique for their user only. */
const ownName = (user: string, clientOid: string): string => `${user}\n${clientOid}`;

const wordsOf = (user: string, { symbol, side, qty, price }: TriggeredOrder): string =>
  [user, inCapitals(symbol), side, plain(exact(qty)), plain(exact(price))].join("\n");
