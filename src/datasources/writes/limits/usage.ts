import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { Fault } from "../../fault.js";
import type { JournalEntry, WriteCharge, WriteState } from "../journal/entry.js";
import type { DayLimit } from "../journal/writeJournal.js";
import { SHOWS_WITHIN_MS } from "../reconciler.js";
import type { Amount } from "./exposure.js";
import type { AppliedLimits } from "./tradingLimits.js";

/** What a write has used of limits, from before it leaves. */
interface Charge {
  /** The exchange's user, or what stands for it. */
  readonly user: string;
  /** The client's principal. */
  readonly client: string;
  /** In capitals. */
  readonly coin: string;
  readonly added: Amount;
  /** Can something of it stand open once it is accepted? */
  readonly stays: boolean;
  /** Does it make an order, which the list of open orders then shows? */
  readonly isNew: boolean;
  /** The name of that order, where it has one. */
  readonly clientOid: string | undefined;
  /** By the exchange's clock, Unix ms. */
  readonly at: number;
  /** What the figures of its day may come to by all that share the journal. */
  readonly dayLimits?: readonly DayLimit[];
}

/** What was used on one day. */
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

/** What an account has open at the exchange. */
export interface OpenRisk {
  /** When the exchange was asked, by its clock: what it had carried out by then is in it. */
  readonly askedAt: number;
  readonly orders: readonly (Amount & { readonly orderId: string; readonly clientOid: string | null; readonly coin: string })[];
  readonly positions: readonly (Amount & { readonly coin: string })[];
}

/** The last picture of what each user of the exchange has open, and when it was asked for. */
export type Pictures = Map<string, { readonly askedAt: number; readonly risk: Promise<OpenRisk> }>;

/** Ended charges stay for so long: a picture of what is open may have been asked for before they ended. */
const KEPT_MS = 60_000;
/** Users and clients with figures of a day. */
const MAX_FIGURES = 100_000;
/** Orders of which it is known which client has placed them. */
const MAX_PLACED = 100_000;

/**
 * How much of the limits is used. A charge counts from before its write leaves until that is known to have had no effect:
 * what is in doubt is used.
 */
export class Usage {
  /** By user and key. */
  readonly #held = new Map<string, Held>();
  readonly #figures = new Map<string, Figures>();
  #day = 0;
  readonly #placedBy = new Map<string, string>();
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
    this.#prune(charge.at);
  }

  /** A charge as the journal keeps it. */
  charge(address: string): WriteCharge | undefined {
    const held = this.#held.get(address);
    if (held === undefined) return undefined;
    const { coin, added, stays, isNew } = held;
    return { coin, qty: plain(added.qty), value: added.value === null ? null : plain(added.value), stays, isNew };
  }

  /** The limits of its day that a charge is held against once more when it is noted. */
  dayLimits(address: string): readonly DayLimit[] {
    return this.#held.get(address)?.dayLimits ?? [];
  }

  /**
   * Takes over what the journal has of writes of before, and of other processes: what became of these is not heard of here,
   * so those that are under way count as in doubt.
   */
  restore(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      const { user, who, key, clientOid, charge, sentAt, state } = entry;
      const address = addressOf(user, key);
      if (charge === undefined || state === "REJECTED" || state === "UNSENT" || this.#held.has(address)) continue;
      const { coin, qty, value, stays, isNew } = charge;
      const added = { qty: exact(qty), value: value === null ? null : exact(value) };
      const client = who ?? ANONYMOUS;
      this.hold(address, { user, client, coin, added, stays, isNew, clientOid: clientOid ?? undefined, at: sentAt });
      this.settled({ ...entry, state: state === "SENT" ? "UNKNOWN" : state });
    }
  }

  /** It has become known who the user is: what was used under these other names was used by it. */
  adopt(names: readonly string[], user: string): void {
    for (const [address, held] of [...this.#held]) {
      if (held.user === user || !names.includes(held.user)) continue;
      this.#held.delete(address);
      this.#held.set(addressOf(user, address.slice(held.user.length + 1)), { ...held, user });
    }
    for (const name of names.filter((one) => one !== user)) {
      const figures = this.#figures.get(figureOf("account", name));
      if (figures === undefined) continue;
      this.#figures.delete(figureOf("account", name));
      this.#add(figureOf("account", user), figures);
    }
  }

  /** Takes back a charge whose write has not left, or has had no effect. */
  release(address: string): void {
    const held = this.#held.get(address);
    if (held === undefined) return;
    this.#held.delete(address);
    this.#book(held, -1);
  }

  /** A write has ended, or its answer is lost. */
  settled({ user, key, state, settledAt, validUntil, reply }: JournalEntry): void {
    const address = addressOf(user, key);
    const held = this.#held.get(address);
    if (held === undefined) return;
    if (state === "REJECTED" || state === "UNSENT") {
      this.release(address);
      return;
    }
    held.state = state;
    held.validUntil = validUntil;
    held.settledAt = settledAt ?? undefined;
    const orderId = orderIdIn(reply);
    if (state !== "ACCEPTED" || orderId === undefined || !held.isNew) return;
    held.orderId = orderId;
    this.#placed(orderId, held.client);
  }

  /** What a user or a client has used today. */
  today(
    applied: Pick<AppliedLimits, "kind" | "whose">,
    coin: string,
    now: number,
  ): { readonly qty: Exact; readonly value: Exact } {
    this.#turnTo(now);
    const figures = this.#figures.get(figureOf(applied.kind, applied.whose));
    return { qty: figures?.coins.get(coin) ?? ZERO, value: figures?.value ?? ZERO };
  }

  /** What is open by the exchange's picture of a user, and by what that cannot show yet. */
  open({ kind, whose }: Pick<AppliedLimits, "kind" | "whose">, user: string, coin: string, risk: OpenRisk) {
    const isOurs = kind === "account" ? () => true : (orderId: string) => this.#placedBy.get(orderId) === whose;
    const orders = risk.orders.filter(({ orderId }) => isOurs(orderId));
    const shown = new Set(
      risk.orders.flatMap(({ orderId, clientOid }) => (clientOid === null ? [orderId] : [orderId, clientOid])),
    );
    const hidden = [...this.#held.values()]
      .filter((held) => held.user === user && (kind === "account" || held.client === whose))
      .filter((held) => isHidden(held, shown, risk.askedAt))
      .map((held) => ({ coin: held.coin, ...held.added }));
    // Whose doing a position is, nobody can say: it is its account's.
    const rows = [...orders, ...(kind === "account" ? risk.positions : []), ...hidden];
    return {
      qty: rows.reduce((sum, row) => (row.coin === coin ? sum.plus(row.qty) : sum), ZERO),
      value: rows.reduce((sum, row) => (row.value === null ? sum : sum.plus(row.value)), ZERO),
    };
  }

  #book({ user, client, coin, added, at }: Charge, sign: 1 | -1): void {
    this.#turnTo(at);
    if (dayOf(at) !== this.#day) return;
    const [qty, value] = [added.qty, added.value ?? ZERO];
    const change =
      sign === 1 ? { value, coins: new Map([[coin, qty]]) } : { value: value.neg(), coins: new Map([[coin, qty.neg()]]) };
    for (const figure of [figureOf("account", user), figureOf("client", client)]) this.#add(figure, change);
  }

  #add(figure: string, { value, coins }: Figures): void {
    const known = this.#figures.get(figure);
    if (known === undefined && this.#figures.size >= MAX_FIGURES)
      throw new Fault("RATE_LIMITED", "too many clients have traded today for their limits to be kept; nothing was sent");
    const figures = known ?? { value: ZERO, coins: new Map<string, Exact>() };
    this.#figures.set(figure, figures);
    for (const [coin, qty] of coins) figures.coins.set(coin, (figures.coins.get(coin) ?? ZERO).plus(qty));
    figures.value = figures.value.plus(value);
  }

  /** A new day begins with nothing used. Time that goes back a little does not bring the day before back. */
  #turnTo(now: number): void {
    const day = dayOf(now);
    if (day <= this.#day) return;
    this.#day = day;
    this.#figures.clear();
  }

  #placed(orderId: string, client: string): void {
    this.#placedBy.set(orderId, client);
    if (this.#placedBy.size <= MAX_PLACED) return;
    const [oldest] = this.#placedBy.keys();
    if (oldest !== undefined) this.#placedBy.delete(oldest);
  }

  #prune(now: number): void {
    if (now < this.#pruneAt) return;
    this.#pruneAt = now + KEPT_MS / 10;
    for (const [address, held] of this.#held)
      if (held.state === "ACCEPTED" && endOf(held) + KEPT_MS < now) this.#held.delete(address);
  }
}

const ZERO = exact("0");

/** The principal where no clients are configured. */
export const ANONYMOUS = "anyone";

/** What users are called has no line ends. */
export const addressOf = (user: string, key: string): string => `${user}\n${key}`;

const figureOf = (kind: AppliedLimits["kind"], whose: string): string => `${kind}\n${whose}`;
const dayOf = (at: number): number => Math.floor(at / DAY_MS);

function orderIdIn(reply: unknown): string | undefined {
  if (typeof reply !== "object" || reply === null || !("orderId" in reply)) return undefined;
  return typeof reply.orderId === "string" ? reply.orderId : undefined;
}

/** From when on the exchange's lists show what became of it. */
function endOf({ state, settledAt, validUntil }: Held): number {
  if (state === "ACCEPTED" && settledAt !== undefined) return settledAt + SHOWS_WITHIN_MS;
  return state === "UNKNOWN" ? validUntil : Number.POSITIVE_INFINITY;
}

/** May it stand open without the picture's showing it? */
function isHidden(held: Held, shown: ReadonlySet<string>, askedAt: number): boolean {
  if (held.state === "ACCEPTED" && !held.stays) return false;
  const names = [held.orderId, held.clientOid].filter((name) => name !== undefined);
  return !names.some((name) => shown.has(name)) && askedAt <= endOf(held);
}
