import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { addressOf, type JournalEntry, type WriteCharge, type WriteState } from "../journal/journalEntry.js";
import type { DayLimit } from "../journal/writeJournal.js";
import { policyOf } from "../policies/index.js";
import { SHOWS_WITHIN_MS, type TriggeredOrder } from "../policies/policy.js";
import type { OrderIds } from "../policies/replies.js";
import { DayFigures } from "./dayFigures.js";
import type { CoinAmount } from "./exposure.js";
import { PlacedOrders } from "./placedOrders.js";
import type { AppliedLimits } from "./tradingLimits.js";

/** A write's use of limits, counted from before it is sent. */
interface Charge {
  /** The exchange's user, or its placeholder. */
  readonly user: string;
  /** The client's principal. */
  readonly client: string;
  /** The client that the order belongs to: that of a changed order stays the same. */
  readonly owner: string;
  /** In capitals. */
  readonly coin: string;
  /** Addition to its day. */
  readonly today: CoinAmount;
  /** Addition to what is open, until the exchange's lists show it. */
  readonly added: CoinAmount;
  /** Whether it can stay open after it was accepted. */
  readonly stays: boolean;
  /** Whether it creates an order that appears in the list of open orders, or of trigger orders. */
  readonly isNew: boolean;
  /** Whether that is a trigger order. */
  readonly waits: boolean;
  /** The client's own identifier of that order, if it has one. */
  readonly clientOid: string | undefined;
  readonly changed?: OrderIds | undefined;
  /** By the exchange's clock, Unix ms. */
  readonly at: number;
  /** Limits of its day over all processes that share the journal. */
  readonly dayLimits?: readonly DayLimit[];
}

interface Held extends Charge {
  state: WriteState;
  settledAt: number | undefined;
  validUntil: number;
  orderId: string | undefined;
}

/** Open orders and positions of an account at the exchange. */
export interface OpenRisk {
  /** When the reads were sent, by the exchange's clock: everything executed by then is included. */
  readonly requestedAt: number;
  readonly orders: readonly (CoinAmount & {
    readonly orderId: string;
    readonly clientOid: string | null;
    readonly coin: string;
    /** Undefined for an order that waits for a trigger, and one without a limit price. */
    readonly terms: TriggeredOrder | undefined;
  })[];
  readonly positions: readonly (CoinAmount & { readonly coin: string })[];
  /** Trigger orders that can add risk, as of an earlier time, each with the most that it may still trade. */
  readonly plans: OpenRisk["orders"];
  readonly plansRequestedAt: number;
}

/** A snapshot of the trigger orders that can add risk, and its time. */
export interface PlansSnapshot {
  readonly requestedAt: number;
  readonly rows: Promise<OpenRisk["plans"]>;
}

/** The last snapshots of each user, with their times. */
export type RiskSnapshots = Map<
  string,
  { readonly requestedAt: number; readonly plans: PlansSnapshot; readonly risk: Promise<OpenRisk> }
>;

/**
 * Time for which ended charges are kept: a snapshot may have been requested before they ended. The one of the trigger orders is at
 * most half of this time old.
 */
const KEPT_MS = 60_000;
/** Tracks the use of limits. A charge counts from before its write is sent until the write is known to have had no effect. */
export class Usage {
  /** By user and key. */
  readonly #held = new Map<string, Held>();
  readonly #days = new DayFigures();
  readonly #placed = new PlacedOrders();
  #pruneAt = 0;

  hold(address: string, charge: Charge): void {
    this.#held.set(address, {
      ...charge,
      state: "SENT",
      settledAt: undefined,
      validUntil: Number.POSITIVE_INFINITY,
      orderId: undefined,
    });
    this.#days.add(charge, charge.today);
  }

  /** A charge as stored in the journal. */
  charge(address: string): WriteCharge | undefined {
    const held = this.#held.get(address);
    if (held === undefined) return undefined;
    const { coin, today, stays, isNew } = held;
    return { coin, qty: plain(today.qty), value: today.value === null ? null : plain(today.value), stays, isNew };
  }

  /** The limits of its day that a charge is checked against again when it is recorded. */
  dayLimits(address: string): readonly DayLimit[] {
    return this.#held.get(address)?.dayLimits ?? [];
  }

  /**
   * Loads earlier writes, and those of other processes, from the journal. Outcomes of the latter are not known here, so running
   * ones count as used.
   */
  restore(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      const { user, who, key, clientOid, charge, sentAt, state } = entry;
      const address = addressOf(user, key);
      if (charge === undefined || state === "REJECTED" || state === "UNSENT" || this.#held.has(address)) continue;
      const { coin, qty, value, stays, isNew } = charge;
      const today = { qty: exact(qty), value: value === null ? null : exact(value) };
      const client = who ?? ANONYMOUS;
      const changed = replacedBy(entry);
      const owner = (changed && this.ownerOf(user, changed)) ?? client;
      this.hold(address, {
        user,
        client,
        owner,
        coin,
        today,
        added: today,
        stays,
        isNew,
        waits: policyOf(entry.endpoint)?.waits === true,
        clientOid: clientOid ?? undefined,
        changed,
        at: sentAt,
      });
      this.settled({ ...entry, state: state === "SENT" ? "UNKNOWN" : state });
    }
  }

  /** The user has become known: use under these placeholders counts as its own. */
  adopt(names: readonly string[], user: string): void {
    for (const [address, held] of [...this.#held]) {
      if (held.user === user || !names.includes(held.user)) continue;
      this.#held.delete(address);
      this.#held.set(addressOf(user, address.slice(held.user.length + 1)), { ...held, user });
    }
    for (const name of names) if (name !== user) this.#days.rename(name, user);
  }

  /** Removes a charge whose write was not sent, or had no effect. */
  release(address: string): void {
    const held = this.#held.get(address);
    if (held === undefined) return;
    this.#held.delete(address);
    const { qty, value } = held.today;
    this.#days.add(held, { qty: qty.neg(), value: value?.neg() ?? null });
  }

  /** A write has an outcome, or its answer was lost. */
  settled(entry: JournalEntry): void {
    const { user, key, state, settledAt, validUntil, reply } = entry;
    const address = addressOf(user, key);
    const held = this.#held.get(address);
    if (state === "REJECTED" || state === "UNSENT") {
      this.release(address);
      return;
    }
    this.#assign(entry, held);
    if (held === undefined) return;
    held.state = state;
    held.validUntil = validUntil;
    held.settledAt = settledAt ?? undefined;
    if (state === "ACCEPTED" && held.isNew) held.orderId = orderIdIn(reply);
  }

  /** The client that an order belongs to; undefined if it is not known. */
  ownerOf(user: string, ids: OrderIds): string | undefined {
    return this.#placed.ownerOf(user, ids);
  }

  /** Assigns the order of a write to its client. A changed order without a charge stays with its former client. */
  #assign(entry: JournalEntry, held: Held | undefined): void {
    const { user, reply, clientOid } = entry;
    const replaced = replacedBy(entry);
    const before = held?.changed ?? replaced;
    const former = before && this.ownerOf(user, before);
    const owner = former ?? held?.owner;
    if (owner === undefined) return;
    if (held?.isNew !== true && replaced === undefined) {
      if (before !== undefined && former === undefined) this.#placed.add(user, before, owner);
      return;
    }
    const orderId = orderIdIn(reply);
    this.#placed.add(user, { orderId, clientOid: clientOid ?? undefined }, owner);
    const terms = policyOf(entry.endpoint)?.triggers?.(entry.values);
    if (terms !== undefined && orderId !== undefined) this.#placed.addTrigger(user, orderId, terms, owner);
  }

  /** Use of a user or client on this day and on later ones. */
  since(day: number, { kind, whose }: Pick<AppliedLimits, "kind" | "whose">, coin: string): { qty: Exact; value: Exact } {
    return this.#days.since(day, kind, whose, coin);
  }

  /** Open amounts: those in the user's snapshot, and those that the snapshot cannot include yet. */
  open({ kind, whose }: Pick<AppliedLimits, "kind" | "whose">, user: string, coin: string, risk: OpenRisk) {
    const listed = new Set([...risk.orders, ...risk.plans].map(({ orderId }) => orderId));
    for (const { orderId, clientOid, terms } of risk.orders)
      if (terms !== undefined) this.#placed.addTriggered(user, { orderId, clientOid: clientOid ?? undefined }, terms, listed);
    const held = [...this.#held.values()].filter((one) => one.user === user);
    // A list may show an order before its write has an answer.
    const pending = new Map(held.flatMap(({ clientOid, owner }) => (clientOid === undefined ? [] : [[clientOid, owner]])));
    const ownerOf = (orderId: string, clientOid: string | null): string | undefined =>
      this.ownerOf(user, { orderId, clientOid: clientOid ?? undefined }) ?? pending.get(clientOid ?? "");
    const isCounted = ({ orderId, clientOid }: OpenRisk["orders"][number]): boolean =>
      kind === "account" || ownerOf(orderId, clientOid) === whose;
    const orders = [...risk.orders, ...risk.plans].filter(isCounted);
    const shown = { orders: namesIn(risk.orders), plans: namesIn(risk.plans) };
    const hidden = held
      .filter((one) => kind === "account" || one.owner === whose)
      .filter((one) =>
        one.waits ? isHidden(one, shown.plans, risk.plansRequestedAt) : isHidden(one, shown.orders, risk.requestedAt),
      )
      .map(({ coin: of, added }) => ({ coin: of, ...added }));
    // It is not known which client opened a position, so it counts for its account.
    const rows = [...orders, ...(kind === "account" ? risk.positions : []), ...hidden];
    return {
      qty: rows.reduce((sum, row) => (row.coin === coin ? sum.plus(row.qty) : sum), ZERO),
      value: rows.reduce((sum, row) => (row.value === null ? sum : sum.plus(row.value)), ZERO),
    };
  }

  /** Drops charges that every snapshot from now on (the exchange's time, Unix ms) includes. */
  prune(now: number): void {
    if (now < this.#pruneAt && now > this.#pruneAt - KEPT_MS) return;
    this.#pruneAt = now + KEPT_MS / 10;
    for (const [address, held] of this.#held)
      if (held.state === "ACCEPTED" && endOf(held) + KEPT_MS < now) this.#held.delete(address);
  }
}

const ZERO = exact("0");

/** The principal without configured clients. */
export const ANONYMOUS = "anyone";

/** The order that a write replaces by a new one. */
const replacedBy = ({ endpoint, values }: JournalEntry): OrderIds | undefined => policyOf(endpoint)?.replaces?.(values);

function orderIdIn(reply: unknown): string | undefined {
  if (typeof reply !== "object" || reply === null || !("orderId" in reply)) return undefined;
  return typeof reply.orderId === "string" ? reply.orderId : undefined;
}

/** Time from which the exchange's lists show the outcome. */
function endOf({ state, settledAt, validUntil }: Held): number {
  if (state === "ACCEPTED" && settledAt !== undefined) return settledAt + SHOWS_WITHIN_MS;
  return state === "UNKNOWN" ? validUntil : Number.POSITIVE_INFINITY;
}

const namesIn = (orders: OpenRisk["orders"]): ReadonlySet<string> =>
  new Set(orders.flatMap(({ orderId, clientOid }) => (clientOid === null ? [orderId] : [orderId, clientOid])));

/** Whether it may be open without being in the snapshot. */
function isHidden(held: Held, shown: ReadonlySet<string>, requestedAt: number): boolean {
  if (held.state === "ACCEPTED" && !held.stays) return false;
  const names = [held.orderId, held.clientOid].filter((name) => name !== undefined);
  return !names.some((name) => shown.has(name)) && requestedAt <= endOf(held);
}
