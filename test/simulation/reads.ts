import type { ClientPrincipal } from "../../src/access/principal/clientPrincipal.js";
import { OPERATIONS, type Payload } from "./operations.js";
import { orderKey, type Past } from "./past.js";
import { AnswerErrors, type Replica } from "./replica.js";
import { LAG_MS, type StreamInvariant, type User } from "./streamAuditor.js";
import type { VirtualTime } from "./time.js";

const OPEN_ORDERS = `query ($account: String!) {
  account(name: $account) { openOrders(first: 100) { nodes { orderId status cumExecQty qty price } pageInfo { hasNextPage } } }
}`;

interface ShownOrder {
  readonly orderId: string;
  readonly status: string;
  readonly cumExecQty: string | null;
  readonly qty: string | null;
  readonly price: string | null;
}

interface ShownPage {
  readonly nodes: readonly ShownOrder[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

interface Answer {
  readonly account: { readonly openOrders: ShownPage | null } | null;
}

interface Parts {
  readonly time: VirtualTime;
  readonly past: Past;
  readonly openOrders: (uid: string) => readonly string[];
  /** When a write last had an effect on an order, world time. */
  readonly writtenAt: (orderId: string) => number | undefined;
  readonly userOf: (name: string) => User | undefined;
  /** Whether a gateway must have learned by now that a client may not read an account. */
  readonly mustForbid: (client: string, account: string, gateway: Replica) => boolean;
  /** A gateway refuses a client for its rights, which asked at that time. */
  readonly forbidden: (client: string, account: string, gateway: Replica, since: number) => void;
  /** Whether pushes are lost: what is answered from streams may then differ. */
  readonly isLossy: boolean;
  readonly fail: (invariant: StreamInvariant, text: string) => void;
  readonly trace: (line: string) => void;
}

/** Reads open orders while others write, and judges the answers by what the exchange had at which time. */
export class Reads {
  /** Effects of writes that a gateway has answered as accepted: their times, by gateway, account and order. */
  readonly #confirmed = new WeakMap<Replica, Map<string, Map<string, number>>>();

  constructor(private readonly parts: Parts) {}

  /** A gateway has answered that a write of an account was accepted. */
  confirmed(gateway: Replica, account: string, orderIds: readonly string[]): void {
    const accounts = this.#confirmed.get(gateway) ?? new Map<string, Map<string, number>>();
    const orders = accounts.get(account) ?? new Map<string, number>();
    for (const orderId of orderIds) orders.set(orderId, this.parts.writtenAt(orderId) ?? this.parts.time.now);
    this.#confirmed.set(gateway, accounts.set(account, orders));
  }

  async read(gateway: Replica, client: ClientPrincipal, account: string): Promise<void> {
    const { time, userOf, trace, mustForbid, forbidden, fail } = this.parts;
    const began = time.now;
    const isForbidden = mustForbid(client.id, account, gateway);
    const user = userOf(account);
    const floors = new Map(this.#confirmed.get(gateway)?.get(account));
    try {
      const answer = (await gateway.execute(client, OPEN_ORDERS, { account })) as Answer;
      trace(`${time.now} read of ${account} ${JSON.stringify(answer)}`);
      if (isForbidden && answer.account !== null) fail("own account", `${client.id} read ${account} without rights on it`);
      const shown = answer.account?.openOrders ?? undefined;
      // The keys may have been swapped meanwhile.
      if (shown !== undefined && user !== undefined && userOf(account)?.since === user.since)
        this.#judge(account, user, began, floors, shown);
    } catch (error) {
      if (!(error instanceof AnswerErrors)) throw error;
      if (error.codes.includes("FORBIDDEN")) forbidden(client.id, account, gateway, began);
    }
  }

  /** A client without rights on an account sees nothing of it, and changes nothing there. */
  async intrude(
    gateway: Replica,
    stranger: ClientPrincipal,
    account: string,
    order: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { time, fail, trace } = this.parts;
    const attempts = { [OPEN_ORDERS]: { account }, [OPERATIONS.placeOrder]: { input: { account, ...order } } };
    for (const [operation, variables] of Object.entries(attempts))
      try {
        const answer = (await gateway.execute(stranger, operation, variables)) as Partial<Answer & { readonly result: Payload }>;
        const text = JSON.stringify(answer);
        trace(`${time.now} intrusion in ${account} ${text}`);
        const isRefused = answer.result === undefined ? answer.account === null : answer.result.outcome === "REJECTED";
        if (!isRefused) fail("own account", `a client without rights on ${account} got ${text}`);
      } catch (error) {
        if (!(error instanceof AnswerErrors)) throw error;
      }
  }

  #judge(
    account: string,
    { uid, since }: User,
    began: number,
    floors: ReadonlyMap<string, number>,
    { nodes, pageInfo }: ShownPage,
  ): void {
    const { past, fail, openOrders, isLossy } = this.parts;
    if (since > began - LAG_MS) return;
    const seen = new Set<string>();
    for (const { orderId, cumExecQty, price, qty, status } of nodes) {
      seen.add(orderId);
      const owner = past.ownerOf(orderId);
      if (owner === undefined) continue;
      if (owner !== uid) fail("own account", `a read of ${account} shows order ${orderId} of ${owner}`);
      const isOpen = status === "NEW" || status === "PARTIALLY_FILLED";
      const text = past.shown(orderId, { isOpen, filled: cumExecQty ?? "0", price, qty });
      const floor = floors.get(orderId);
      if (floor !== undefined && !past.hasBeen(orderKey(orderId), text, floor))
        fail(
          "read your writes",
          `a read of ${account} shows order ${orderId} as "${text}", as before a write that took effect at ${floor}`,
        );
      else if (!isLossy && !past.hasBeen(orderKey(orderId), text, began - LAG_MS))
        fail("live or stale", `a read of ${account} shows order ${orderId} as "${text}", which it was not for ${LAG_MS} ms`);
    }
    // Orders that are not on the first page are not missing.
    if (pageInfo.hasNextPage) return;
    for (const orderId of openOrders(uid)) {
      if (seen.has(orderId)) continue;
      const floor = floors.get(orderId);
      if (floor !== undefined) fail("read your writes", `a read of ${account} misses order ${orderId}, accepted at ${floor}`);
      else if (!isLossy && past.at(orderKey(orderId), began - LAG_MS)?.startsWith("open") === true)
        fail("live or stale", `a read of ${account} misses order ${orderId}`);
    }
  }
}
