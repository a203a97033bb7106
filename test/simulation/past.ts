import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import { tradingWallet } from "@exchange-graph/sandbox/world/funds/wallets";
import { type Fill, isOpen } from "@exchange-graph/sandbox/world/orders/order";
import type { VirtualTime } from "./time.js";

/** A state of something at the exchange. */
interface Version {
  /** World time from which on it was so, Unix ms. */
  readonly at: number;
  readonly text: string;
}

/** An order as somebody shows it; decimal text. */
export interface ShownOrder {
  readonly isOpen: boolean;
  readonly filled: string;
  readonly price: string | null;
  /** Null where a quantity says nothing: orders that spend an amount. */
  readonly qty: string | null;
}

/** What is not there, or no longer. */
export const NOTHING = "";

/** What the exchange had at which time: orders, executions, positions and balances of users. */
export class Past {
  readonly fills = new Map<string, Fill>();
  readonly #executedAt = new Map<string, number>();
  readonly #fillsOf = new Map<string, Fill[]>();
  readonly #versions = new Map<string, Version[]>();
  /** Users of orders. */
  readonly #owners = new Map<string, string>();
  readonly #spends = new Set<string>();
  /** Terms with which an order was placed, and the clients' identifiers of those that were changed. */
  readonly #terms = new Map<string, string>();
  readonly changed = new Set<string>();

  constructor(
    private readonly time: VirtualTime,
    private readonly exchange: SandboxInMemory,
  ) {
    const { state } = exchange.world;
    state.events.on((event) => {
      if (event.kind === "order") {
        const { order } = event;
        this.#owners.set(order.orderId, order.uid);
        if (order.amount !== undefined) this.#spends.add(order.orderId);
        const terms = `${order.price} ${order.quantity}`;
        if ((this.#terms.get(order.orderId) ?? terms) !== terms) this.changed.add(order.clientOid);
        this.#terms.set(order.orderId, terms);
        const shown = {
          filled: plain(order.filledQuantity),
          price: order.price === undefined ? null : plain(order.price),
          qty: order.amount === undefined ? plain(order.quantity) : null,
        };
        // The exchange also pushes it with its last execution, before it has ended.
        if (order.status === "filled") this.#put(orderKey(order.orderId), orderText({ ...shown, isOpen: true }));
        this.#put(orderKey(order.orderId), orderText({ ...shown, isOpen: isOpen(order) }));
      } else if (event.kind === "fill") {
        this.fills.set(event.fill.execId, event.fill);
        this.#executedAt.set(event.fill.execId, time.now);
        const all = this.#fillsOf.get(event.fill.uid) ?? [];
        this.#fillsOf.set(event.fill.uid, all);
        all.push(event.fill);
      } else if (event.kind === "position") {
        const { uid, category, symbol, side, size } = event.position;
        this.#put(positionKey(uid, category, symbol, side), size.eq("0") ? NOTHING : plain(size));
      } else if (event.kind === "balance" && event.wallet === tradingWallet(state.accounts.of(event.uid), "SPOT"))
        this.#put(balanceKey(event.uid, event.coin), this.balance(event.uid, event.coin));
    });
  }

  /** Executions of a user, in order. */
  fillsOf(uid: string): readonly Fill[] {
    return this.#fillsOf.get(uid) ?? [];
  }

  /** World time of an execution, whatever the exchange's clock was. */
  seenAt(execId: string): number {
    return this.#executedAt.get(execId) ?? 0;
  }

  ownerOf(orderId: string): string | undefined {
    return this.#owners.get(orderId);
  }

  /** Text of an order, comparable with its versions. */
  shown(orderId: string, order: ShownOrder): string {
    return orderText(this.#spends.has(orderId) ? { ...order, qty: null } : order);
  }

  /** What of a user's wallet for trading is there of a coin, as text. */
  balance(uid: string, coin: string): string {
    const { state } = this.exchange.world;
    const { available, frozen, locked } = state.ledger.balance(tradingWallet(state.accounts.of(uid), "SPOT"), coin);
    return sum(available, frozen, locked);
  }

  /** Whether it was so at some time since `from`. What has never changed is not judged. */
  hasBeen(key: string, text: string, from: number): boolean {
    const versions = this.#versions.get(key);
    if (versions === undefined) return true;
    for (let at = versions.length - 1; at >= 0; at--) {
      const version = versions[at];
      if (version === undefined) break;
      if (version.text === text) return true;
      if (version.at <= from && versions[at - 1]?.at !== version.at) return false;
    }
    // Before its first version it was not there, or unknown.
    return text === NOTHING || !key.startsWith("order");
  }

  /** The first of its versions from the `from`-th on that is so; -1 if none is. */
  find(key: string, text: string, from = 0): number {
    return this.#versions.get(key)?.findIndex((version, place) => place >= from && version.text === text) ?? -1;
  }

  /** What it was at a time. */
  at(key: string, time: number): string | undefined {
    return this.#versions.get(key)?.findLast(({ at }) => at <= time)?.text;
  }

  /** Keys with this beginning that are there now. */
  *keys(prefix: string): Iterable<string> {
    for (const key of this.#versions.keys()) if (key.startsWith(prefix)) yield key;
  }

  /** It is so from now on. */
  note(key: string, text: string): void {
    this.#put(key, text);
  }

  #put(key: string, text: string): void {
    const versions = this.#versions.get(key) ?? [];
    this.#versions.set(key, versions);
    if (versions.at(-1)?.text !== text) versions.push({ at: this.time.now, text });
  }
}

export const orderKey = (orderId: string): string => `order ${orderId}`;
export const positionKey = (uid: string, category: string, symbol: string, side: string): string =>
  `position ${uid} ${category} ${symbol} ${side}`;
export const balanceKey = (uid: string, coin: string): string => `balance ${uid} ${coin}`;

/** An order that has ended is what was filled; of one that is open everything counts. */
const orderText = ({ isOpen: open, filled, price, qty }: ShownOrder): string =>
  open
    ? `open ${plain(exact(filled))} ${price === null ? "market" : plain(exact(price))} ${qty === null ? "" : plain(exact(qty))}`
    : `ended ${plain(exact(filled))}`;

const sum = (...parts: readonly Exact[]): string => plain(parts.reduce((all, part) => all.plus(part)));
