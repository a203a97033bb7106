import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { Fault } from "../../errors/index.js";
import { addressOf, type JournalEntry, type WriteCharge, type WriteState } from "../journal/entry.js";
import type { DayLimit } from "../journal/writeJournal.js";
import { policyOf } from "../policies/index.js";
import type { OrderIds } from "../policies/orderIds.js";
import type { TriggeredOrder } from "../policies/policy.js";
import { SHOWS_WITHIN_MS } from "../reconciler.js";
import type { Amount } from "./exposure.js";
import { PlacedOrders } from "./placedOrders.js";
import { dayOf } from "./sharedFigures.js";
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
  readonly added: Amount;
  /** Whether it can stay open after it was accepted. */
  readonly stays: boolean;
  /** Whether it creates an order that appears in the list of open orders, or of trigger orders. */
  readonly isNew: boolean;
  /** Whether that is a trigger order. */
  readonly waits: boolean;
  /** The client's own identifier of that order, if it has one. */
  readonly clientOid: string | undefined;
  /** The order that it changes. */
  readonly changed?: OrderIds | undefined;
  /** By the exchange's clock, Unix ms. */
  readonly at: number;
  /** Limits of its day over all processes that share the journal. */
  readonly dayLimits?: readonly DayLimit[];
}

/** Use on one day. */
interface Figures {
  value: Exact;
  readonly coins: Map<string, Exact>;
}

interface Held extends Charge {
  state: WriteState;
  settledAt: number | undefined;
  validUntil: number;
  orderId: string | undefined;
}

/** Open orders and positions of an account at the exchange. */
export interface OpenRisk {
  /** When the exchange was asked, by its clock: everything executed by then is included. */
  readonly askedAt: number;
  readonly orders: readonly (Amount & {
    readonly orderId: string;
    readonly clientOid: string | null;
    readonly coin: string;
    /** Undefined for an order that waits for a trigger, and one without a limit price. */
    readonly terms: TriggeredOrder | undefined;
  })[];
  readonly positions: readonly (Amount & { readonly coin: string })[];
  /** Trigger orders that can add risk, of an earlier time: each with all that it may still trade. */
  readonly plans: OpenRisk["orders"];
  readonly plansAskedAt: number;
}

/** A snapshot of the trigger orders that can add risk, and its time. */
export interface PicturedPlans {
  readonly askedAt: number;
  readonly rows: Promise<OpenRisk["plans"]>;
}

/** The last snapshots of each user, with their times. */
export type Pictures = Map<string, { readonly askedAt: number; readonly plans: PicturedPlans; readonly risk: Promise<OpenRisk> }>;

/**
 * Time for which ended charges are kept: a snapshot may have been requested before they ended. That of the trigger orders is up to
 * half as old.
 */
const KEPT_MS = 60_000;
/** Maximum number of users and clients with figures of a day. */
const MAX_FIGURES = 100_000;
/** Number of days with figures: more than a clock that was wrong may have made of one. */
const MAX_DAYS = 10;

/** Tracks the use of limits. A charge counts from before its write is sent until the write is known to have had no effect. */
export class Usage {
  /** By user and key. */
  readonly #held = new Map<string, Held>();
  /** By day, then by user or client. */
  readonly #days = new Map<number, Map<string, Figures>>();
  readonly #placed = new PlacedOrders();
  #pruneAt = 0;

  /** Counts a charge from now on. */
  hold(address: string, charge: Charge): void {
    this.#held.set(address, {
      ...charge,
      state: "SENT",
      settledAt: undefined,
      validUntil: Number.POSITIVE_INFINITY,
      orderId: undefined,
    });
    this.#book(charge, 1);
  }

  /** A charge as stored in the journal. */
  charge(address: string): WriteCharge | undefined {
    const held = this.#held.get(address);
    if (held === undefined) return undefined;
    const { coin, added, stays, isNew } = held;
    return { coin, qty: plain(added.qty), value: added.value === null ? null : plain(added.value), stays, isNew };
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
      const added = { qty: exact(qty), value: value === null ? null : exact(value) };
      const client = who ?? ANONYMOUS;
      const changed = replacedBy(entry);
      const owner = (changed && this.#placed.of(user, changed)?.owner) ?? client;
      this.hold(address, {
        user,
        client,
        owner,
        coin,
        added,
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
    for (const name of names.filter((one) => one !== user)) {
      for (const day of this.#days.values()) {
        const figures = day.get(figureOf("account", name));
        if (figures === undefined) continue;
        day.delete(figureOf("account", name));
        add(day, figureOf("account", user), figures);
      }
    }
  }

  /** Removes a charge whose write was not sent, or had no effect. */
  release(address: string): void {
    const held = this.#held.get(address);
    if (held === undefined) return;
    this.#held.delete(address);
    this.#book(held, -1);
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

  /** The client that an order belongs to, and the one whose day it counts for; undefined if neither is known. */
  placed(user: string, ids: OrderIds): ReturnType<PlacedOrders["of"]> {
    return this.#placed.of(user, ids);
  }

  /** Assigns the order of a write to its client. A change that nothing limits leaves its order to the former client. */
  #assign(entry: JournalEntry, held: Held | undefined): void {
    const { user, reply, clientOid } = entry;
    const replaced = replacedBy(entry);
    const before = held?.changed ?? replaced;
    const former = before && this.#placed.of(user, before);
    const owner = former?.owner ?? held?.owner;
    if (owner === undefined) return;
    const charged = held?.isNew === true ? { client: held.client, day: dayOf(held.at) } : undefined;
    if (charged === undefined && replaced === undefined) {
      if (before !== undefined && former === undefined) this.#placed.add(user, before, { owner, charged });
      return;
    }
    const orderId = orderIdIn(reply);
    this.#placed.add(user, { orderId, clientOid: clientOid ?? undefined }, { owner, charged });
    const terms = policyOf(entry.endpoint)?.triggers?.(entry.values);
    if (terms !== undefined && orderId !== undefined) this.#placed.addTrigger(user, orderId, terms, owner);
  }

  /**
   * Use of a user or client on this day and on later ones: charges that seem to come from the future were made while the
   * exchange's clock was ahead.
   */
  since(
    day: number,
    { kind, whose }: Pick<AppliedLimits, "kind" | "whose">,
    coin: string,
  ): { readonly qty: Exact; readonly value: Exact } {
    let [qty, value] = [ZERO, ZERO];
    for (const [of, figures] of this.#days) {
      const used = of < day ? undefined : figures.get(figureOf(kind, whose));
      if (used === undefined) continue;
      qty = qty.plus(used.coins.get(coin) ?? ZERO);
      value = value.plus(used.value);
    }
    return { qty, value };
  }

  /** Open amounts: those in the snapshot of a user, and those that it cannot include yet. */
  open({ kind, whose }: Pick<AppliedLimits, "kind" | "whose">, user: string, coin: string, risk: OpenRisk) {
    const listed = new Set([...risk.orders, ...risk.plans].map(({ orderId }) => orderId));
    for (const { orderId, clientOid, terms } of risk.orders)
      if (terms !== undefined) this.#placed.addTriggered(user, { orderId, clientOid: clientOid ?? undefined }, terms, listed);
    const held = [...this.#held.values()].filter((one) => one.user === user);
    // A list may show an order before its write has an answer.
    const pending = new Map(held.flatMap(({ clientOid, owner }) => (clientOid === undefined ? [] : [[clientOid, owner]])));
    const ownerOf = (orderId: string, clientOid: string | null): string | undefined =>
      this.#placed.of(user, { orderId, clientOid: clientOid ?? undefined })?.owner ?? pending.get(clientOid ?? "");
    const isCounted = ({ orderId, clientOid }: OpenRisk["orders"][number]): boolean =>
      kind === "account" || ownerOf(orderId, clientOid) === whose;
    const orders = [...risk.orders, ...risk.plans].filter(isCounted);
    const shown = { orders: namesIn(risk.orders), plans: namesIn(risk.plans) };
    const hidden = held
      .filter((one) => kind === "account" || one.owner === whose)
      .filter((one) => (one.waits ? isHidden(one, shown.plans, risk.plansAskedAt) : isHidden(one, shown.orders, risk.askedAt)))
      .map(({ coin: of, added }) => ({ coin: of, ...added }));
    // It is not known which client opened a position, so it counts for its account.
    const rows = [...orders, ...(kind === "account" ? risk.positions : []), ...hidden];
    return {
      qty: rows.reduce((sum, row) => (row.coin === coin ? sum.plus(row.qty) : sum), ZERO),
      value: rows.reduce((sum, row) => (row.value === null ? sum : sum.plus(row.value)), ZERO),
    };
  }

  #book({ user, client, coin, added, at }: Charge, sign: 1 | -1): void {
    const day = this.#dayOf(at);
    const [qty, value] = [added.qty, added.value ?? ZERO];
    const change =
      sign === 1 ? { value, coins: new Map([[coin, qty]]) } : { value: value.neg(), coins: new Map([[coin, qty.neg()]]) };
    for (const figure of [figureOf("account", user), figureOf("client", client)]) add(day, figure, change);
  }

  /** The figures of a day. A clock that was wrong may return to an earlier one, so some are kept. */
  #dayOf(at: number): Map<string, Figures> {
    const day = dayOf(at);
    const known = this.#days.get(day);
    if (known !== undefined) return known;
    const figures = new Map<string, Figures>();
    this.#days.set(day, figures);
    const days = [...this.#days.keys()].sort((one, other) => one - other);
    for (const old of days.slice(0, Math.max(0, days.length - MAX_DAYS))) this.#days.delete(old);
    return figures;
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

function add(day: Map<string, Figures>, figure: string, { value, coins }: Figures): void {
  const known = day.get(figure);
  if (known === undefined && day.size >= MAX_FIGURES)
    throw new Fault("RATE_LIMITED", "too many clients have traded today for their limits to be kept; nothing was sent");
  const figures = known ?? { value: ZERO, coins: new Map<string, Exact>() };
  day.set(figure, figures);
  for (const [coin, qty] of coins) figures.coins.set(coin, (figures.coins.get(coin) ?? ZERO).plus(qty));
  figures.value = figures.value.plus(value);
}

/** The principal without configured clients. */
export const ANONYMOUS = "anyone";

const figureOf = (kind: AppliedLimits["kind"], whose: string): string => `${kind}\n${whose}`;

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
function isHidden(held: Held, shown: ReadonlySet<string>, askedAt: number): boolean {
  if (held.state === "ACCEPTED" && !held.stays) return false;
  const names = [held.orderId, held.clientOid].filter((name) => name !== undefined);
  return !names.some((name) => shown.has(name)) && askedAt <= endOf(held);
}
