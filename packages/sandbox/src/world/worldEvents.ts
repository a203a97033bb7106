import type { Exact } from "@exchange-graph/contract/decimal";
import type { Wallet } from "./ledger.js";
import type { Listing } from "./market/listing.js";
import type { Print } from "./market/prints.js";
import type { Fill, Order } from "./orders/order.js";
import type { Plan } from "./plans/plan.js";
import type { ClosedPosition, Position } from "./positions/position.js";

/** Events of the world, in order. Records are mutable: a listener has to copy the data that it stores before it returns. */
export type WorldEvent =
  /** An order was placed, filled in part or whole, changed, or has ended. */
  | { readonly kind: "order"; readonly order: Order }
  | { readonly kind: "fill"; readonly fill: Fill }
  /** A position was opened, has changed or, with a size of zero, has ended. */
  | { readonly kind: "position"; readonly position: Position }
  | { readonly kind: "positionClosed"; readonly position: ClosedPosition }
  | { readonly kind: "plan"; readonly plan: Plan }
  /** The balance of a coin has changed. */
  | { readonly kind: "balance"; readonly uid: string; readonly wallet: Wallet; readonly coin: string }
  /** A public trade with a user in it. Generated trades are read from the market, tick by tick. */
  | { readonly kind: "trade"; readonly listing: Listing; readonly print: Print }
  /** A position was liquidated: a public event, without the user. */
  | { readonly kind: "liquidation"; readonly position: Position; readonly price: Exact; readonly size: Exact }
  /** Modes or leverage of an account were set. */
  | { readonly kind: "settings"; readonly uid: string };

type WorldListener = (event: WorldEvent) => void;

/** Passes events on, at once and in order. */
export class Events {
  readonly #listeners = new Set<WorldListener>();

  /** The returned function removes the listener. */
  on(listener: WorldListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: WorldEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
