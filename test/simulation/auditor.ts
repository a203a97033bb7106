import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { TIMESTAMP_WINDOW_MS } from "@exchange-graph/contract/signing";
import type { SandboxInMemory } from "@exchange-graph/sandbox";
import type { Answer } from "@exchange-graph/sandbox/http/answer";
import { type Fill, type Order, remaining } from "@exchange-graph/sandbox/world/orders/order";
import type { Plan } from "@exchange-graph/sandbox/world/plans/plan";
import { instrumentOf, lastPrice, markPrice, usdtPrice } from "@exchange-graph/sandbox/world/state";
import type { AmountLimit, TradingLimits } from "../../src/datasources/writes/limits/tradingLimits.js";
import type { Call, LineObserver } from "./line.js";
import { STREAM_INVARIANTS } from "./streamAuditor.js";
import type { VirtualTime } from "./time.js";

/** What must hold, whatever happens. */
export const INVARIANTS = [
  "order limit",
  "day limit",
  "open limit",
  "forbidden symbol",
  "halt",
  "halt leaves risk open",
  "sent once",
  "one effect per key",
  "allowed address",
  "revoked token",
  "expired token",
  "rejected has no effect",
  "accepted has an effect",
  "rate limit",
  "engine load",
  "switch",
  ...STREAM_INVARIANTS,
] as const;
export type Invariant = (typeof INVARIANTS)[number];

export interface Violation {
  readonly invariant: Invariant;
  /** World time, Unix ms. */
  readonly at: number;
  readonly text: string;
}

/** An amount in a coin, and its value in USDT. */
interface Amount {
  qty: Exact;
  value: Exact;
}

/** Who has caused an order: a client by way of the gateway, the exchange's app, or the exchange itself. */
type Origin =
  | { readonly by: "gateway"; readonly client: string | undefined; readonly call: Call }
  | { readonly by: "app" | "exchange" };

interface AuditedOrder {
  readonly order: Order;
  readonly origin: Origin;
  readonly addsRisk: boolean;
  /** World time of its creation, Unix ms. */
  readonly at: number;
  /** Its quantity when it was last checked. */
  quantity: Exact;
  /** Day of its creation, in days since 1970, or undefined within a minute after midnight. */
  readonly day: number | undefined;
}

/** A key that a gateway uses; world times. */
interface UsedKey {
  readonly key: string;
  /** When its last call left, or arrived. */
  usedAt: number;
  /** Since when the gateway knows the key's user; undefined before. */
  knownSince: number | undefined;
}

/** Whom limits apply to. */
export interface AuditedLimits {
  /** Of users, by their uid: of all names of a user. */
  readonly users: ReadonlyMap<string, TradingLimits>;
  readonly clients: ReadonlyMap<string, TradingLimits>;
}

const ZERO = exact("0");
/** The market moves between the check of an order and its execution, and further where the exchange's clock jumps. */
const MOVE = exact("1.03");
const JUMP = exact("1.15");
/** After an order of the exchange's app, open amounts are not checked for this long. */
const APP_MS = 15_000;
/** Number of ended trigger orders that clients still ask for. */
const MOST_ENDED = 5;
/** What was stored this long ago is known to every gateway that has read it since, ms. */
const READ_MS = 4;
/** When it starts, a gateway does not know yet which names are one user's. */
const FIRST_MS = 10_000;
/** Their answers tell whose a key is. Until a gateway has one, the key counts for itself, also for these calls. */
const WHOSE: ReadonlySet<string | undefined> = new Set(["accountSettings", "classicAccount"]);
/** The longest window of an endpoint's rate limit. */
const WINDOW_MS = 10_000;
/** So long after such an answer, calls that left before it may still count. */
const WHOSE_MS = 2_000;
/** By the end of a write's validity gateways ask about it, and with their rate limits have its outcome within this time, ms. */
const LOOKED_UP_MS = 10_000;
/** An order with a client's identifier that is older than its request by more than this may be an earlier one of that name, ms. */
const TOLERANCE_MS = 1_000;
/** Orders that the exchange creates this shortly after midnight may count for either day. */
const MIDNIGHT_MS = 60_000;

/**
 * Judges a run by the exchange's ledger and by what passes the line. It knows nothing of the gateway's code.
 *
 * A position is reduced, and no risk added, by orders that the exchange itself treats so. What limits promise is checked with a
 * tolerance for money, since prices move, and exactly for coins.
 */
export class Auditor implements LineObserver {
  violation: Violation | undefined;
  readonly #orders = new Map<string, AuditedOrder>();
  readonly #plans = new Map<string, { readonly origin: Origin; readonly at: number }>();
  readonly #clientOf = new Map<string, string>();
  readonly #sent = new Map<string, Call>();
  /** The latest time that a write was signed for. */
  #lastSignedAt = Number.NEGATIVE_INFINITY;
  /** Closes that two gateways have sent, and the number of answers, by key, that did not say that they were sent without the journal. */
  readonly #closedTwice = new Set<string>();
  readonly #journaled = new Map<string, number>();
  /** Writes that a gateway has sent without the journal. */
  readonly #unjournaled = new Set<string>();
  readonly #rejected = new Set<string>();
  readonly #days = new Map<string, Map<string, Amount>>();
  readonly #exchangeDays = new Map<number, Set<number>>();
  readonly #haltedSince = new Map<string, number>();
  readonly #forbiddenSince = new Map<string, number>();
  readonly #touched = new Set<AuditedOrder>();
  readonly #touchedPlans = new Set<Plan>();
  /** When a write last had an effect on an order, by its identifier at the exchange; world time. */
  readonly #writtenAt = new Map<string, number>();
  /** Executions of orders that trade at once: they happen before their order is seen. */
  readonly #early = new Map<string, readonly Fill[]>();
  #call: Call | undefined;
  #isApp = false;
  #appAt = Number.NEGATIVE_INFINITY;
  /** Until then a rate limit may be exceeded: after a gateway has started, and when a call arrives that was given up. */
  #unknownUntil: number;
  /** Keys that gateways have used since one started, by gateway and key. */
  readonly #usedKeys = new Map<string, UsedKey>();
  /** Keys whose user any gateway has received: the others find it in the journal. */
  readonly #knownKeys = new Set<string>();
  #executed = ZERO;
  /** The limits, in order, with the world times since which they are in force. */
  readonly #limits: { readonly since: number; readonly limits: AuditedLimits }[];
  #fills = 0;

  constructor(
    private readonly parts: {
      readonly time: VirtualTime;
      readonly exchange: SandboxInMemory;
      /** Those of the start. */
      readonly limits: AuditedLimits;
      /** Replicas without common open amounts: these are not checked. */
      readonly isShared: boolean;
      /** Whether replicas have common rate budgets: without them these are not checked. */
      readonly hasSharedRates: boolean;
      /** Clocks of gateways run too fast or slow: rate limits are not checked. */
      readonly isDrifting: boolean;
      /** Whether the exchange's clock jumps. */
      readonly isJumping: boolean;
      /** Invariants that are not checked. */
      readonly except: ReadonlySet<Invariant>;
      /** Called with everything that happens, for the hash of the run. */
      readonly trace: (line: string) => void;
    },
  ) {
    this.#unknownUntil = parts.time.now + FIRST_MS;
    this.#limits = [{ since: Number.NEGATIVE_INFINITY, limits: parts.limits }];
    const { state } = parts.exchange.world;
    state.events.on((event) => {
      if (event.kind === "order") this.#order(event.order);
      else if (event.kind === "fill") this.#fill(event.fill);
      else if (event.kind === "plan") this.#plan(event.plan);
    });
  }

  /** What was executed for clients, in USDT, and the number of fills. */
  get figures(): { readonly orders: number; readonly fills: number; readonly executed: string } {
    return { orders: this.#orders.size, fills: this.#fills, executed: plain(truncated(this.#executed, 0)) };
  }

  /** The client that gives an order this identifier. */
  expect(clientOid: string, client: string): void {
    this.#clientOf.set(clientOid, client);
  }

  /** The client that has named the effect of a write; undefined if nobody has. */
  clientOf({ endpoint, body }: Call): string | undefined {
    const name = nameIn(endpoint, body);
    return name === undefined ? undefined : this.#clientOf.get(name);
  }

  /** Open orders of a client, or of all, that can be changed. */
  open(uid: string, client?: string): readonly Order[] {
    return [...this.parts.exchange.world.state.orders.open(uid)].filter((order) => {
      const origin = this.#orders.get(order.orderId)?.origin;
      return origin?.by === "gateway" && (client === undefined || origin.client === client);
    });
  }

  /** Trigger orders of a client, the newest first; those that have ended lately included. */
  plans(uid: string, client: string): readonly Plan[] {
    const { planStore } = this.parts.exchange.world;
    return [...planStore.waiting(uid), ...planStore.ended(uid).slice(0, MOST_ENDED)]
      .filter(({ planId, action }) => {
        const origin = this.#plans.get(planId)?.origin;
        return action.kind === "order" && origin?.by === "gateway" && origin.client === client;
      })
      .sort((one, other) => other.createdTime - one.createdTime);
  }

  /** The order, or trigger order, with this identifier of a client. */
  hasEffect(uid: string, clientOid: string): boolean {
    const { state, planStore } = this.parts.exchange.world;
    return (
      state.orders.find(uid, { clientOid }) !== undefined ||
      [...planStore.waiting(uid), ...planStore.ended(uid)].some((plan) => plan.clientOid === clientOid)
    );
  }

  /** When a write last had an effect on this order, world time; undefined if none has. */
  writtenAt(orderId: string): number | undefined {
    return this.#writtenAt.get(orderId);
  }

  /** Runs something that the exchange's app does. */
  app<T>(act: () => T): T {
    this.#isApp = true;
    try {
      return act();
    } finally {
      this.#isApp = false;
    }
  }

  /** A gateway has started: it does not know what its forerunner has used of rate limits. */
  started(): void {
    const { time, hasSharedRates } = this.parts;
    this.#unknownUntil = time.now + (hasSharedRates ? FIRST_MS : MIDNIGHT_MS);
    this.#usedKeys.clear();
  }

  /** A halt of these users was confirmed, and is stored. `left`: orders that it reported as not cancelled; undefined without `cancelOpen`. */
  halted(uids: readonly string[], requestedAt: number, left: readonly (string | null)[] | undefined): void {
    for (const uid of uids) {
      if (!this.#haltedSince.has(uid)) this.#haltedSince.set(uid, this.parts.time.now);
      if (left !== undefined) this.#leavesNoRisk(uid, requestedAt, left);
    }
  }

  /** The end of a halt is asked for. */
  resumed(uids: readonly string[]): void {
    for (const uid of uids) this.#haltedSince.delete(uid);
  }

  /**
   * A client was told how its write ended; `undefined`: that nothing was sent. `isRepeated`: it was given to another gateway, too,
   * which may send it later although this one does not.
   */
  ended(uid: string, clientOid: string, outcome: string | undefined, isRepeated: boolean, isUnjournaled = false): void {
    const key = `${uid} ${clientOid}`;
    if (isUnjournaled) this.#unjournaled.add(key);
    else if (outcome !== undefined) this.#journaled.set(key, (this.#journaled.get(key) ?? 0) + 1);
    this.#checkClosedTwice(key);
    // Without an outcome it may be tried again.
    if (isRepeated && outcome === undefined) return;
    if (isRepeated && outcome === "REJECTED") {
      // Without the journal a gateway tells how its own call ended, and the others do not know it.
      if (isUnjournaled || this.#unjournaled.has(key)) return;
      const sent = this.#sent.get(`${uid} ${clientOid}`);
      const isOld = sent !== undefined && sent.leftAt < this.parts.time.now - READ_MS;
      if (isOld && this.hasEffect(uid, clientOid))
        this.fail("rejected has no effect", `${clientOid} was REJECTED, and another gateway had sent it at ${sent.leftAt}`);
      return;
    }
    const effect = this.hasEffect(uid, clientOid);
    if (outcome === "ACCEPTED" && !effect)
      this.fail("accepted has an effect", `${clientOid} was ACCEPTED, and the exchange has no such order`);
    if (outcome === "REJECTED") {
      this.#rejected.add(`${uid} ${clientOid}`);
      if (effect) this.fail("rejected has no effect", `${clientOid} was REJECTED, and the exchange has it`);
    }
    if (outcome === undefined && this.#sent.has(`${uid} ${clientOid}`))
      this.fail("rejected has no effect", `${clientOid} failed as if nothing was sent, and it was sent`);
  }

  /**
   * Whether the exchange may still execute its request, or could until just now: it was signed for a time that the exchange's clock,
   * which has jumped back since, had not passed yet. Without an identifier: whether it may execute any request.
   */
  mayBeExecuted(clientOid: string | null): boolean {
    const { clock } = this.parts.exchange;
    const signed = clientOid === null ? [this.#lastSignedAt] : this.#signed(clientOid);
    return signed.some((at) => at + TIMESTAMP_WINDOW_MS + LOOKED_UP_MS > clock.now());
  }

  /** Whether its order is older than its request by the exchange's clock, which was set back just before it was executed. */
  isOlderThanItsRequest(clientOid: string): boolean {
    const [order] = [...this.#orders.values()].flatMap((one) => (one.order.clientOid === clientOid ? [one.order] : []));
    return order !== undefined && this.#signed(clientOid).some((at) => order.createdTime < at - TOLERANCE_MS);
  }

  /** When the requests of an order were signed. */
  #signed(clientOid: string): readonly number[] {
    return [...this.#sent].flatMap(([key, { signedAt }]) => (key.endsWith(` ${clientOid}`) ? [signedAt] : []));
  }

  /** Without the journal a close may be sent by two gateways, which one of them has to say. */
  #checkClosedTwice(key: string): void {
    if (this.#closedTwice.has(key) && (this.#journaled.get(key) ?? 0) > 1)
      this.fail("sent once", `the close ${key} was sent by two gateways, and neither says that it was without the journal`);
  }

  /** Every gateway has taken over other limits. */
  replaced(limits: AuditedLimits): void {
    this.#limits.push({ since: this.parts.time.now, limits });
  }

  forbid(symbol: string): void {
    if (!this.#forbiddenSince.has(symbol)) this.#forbiddenSince.set(symbol, this.parts.time.now);
  }

  left(call: Call): void {
    const { time, exchange, trace } = this.parts;
    trace(`${time.now} ${call.gateway} left ${call.endpoint} ${JSON.stringify(call.body)}`);
    this.#seeDay();
    this.#useKey(call);
    if (!call.isWrite) return;
    this.#lastSignedAt = Math.max(this.#lastSignedAt, call.signedAt);
    const uid = exchange.gate.credentials.find(call.key ?? "")?.uid ?? "";
    for (const row of rowsIn(call)) this.#sees(call, uid, row);
  }

  #sees(call: Call, uid: string, row: Call["body"]): void {
    const name = nameIn(call.endpoint, row);
    if (name === undefined) return;
    const before = this.#sent.get(`${uid} ${name}`);
    if (before !== undefined && this.parts.isShared && before.gateway !== call.gateway && isClose(row)) {
      this.#closedTwice.add(`${uid} ${name}`);
      this.#checkClosedTwice(`${uid} ${name}`);
    } else if (before !== undefined) this.fail("sent once", `${call.endpoint} of ${name} was sent at ${before.leftAt} and again`);
    this.#sent.set(`${uid} ${name}`, call);
  }

  arrived(call: Call): void {
    const { now } = this.parts.time;
    this.#seeDay();
    // Its slot may be in use again, and a copy has none.
    if (call.isGivenUp || call.isCopied) this.#unknownUntil = Math.max(this.#unknownUntil, now + WINDOW_MS);
    const used = this.#usedKeys.get(`${call.gateway} ${call.key}`);
    if (used !== undefined) used.usedAt = now;
    this.#call = call;
  }

  answered(call: Call, answer: Answer): void {
    const { time, trace, isShared, hasSharedRates, isDrifting } = this.parts;
    trace(`${time.now} ${call.gateway} answered ${call.endpoint} ${answer.status} ${answer.code}`);
    this.#call = undefined;
    if (
      answer.code === "429" &&
      !this.#hasUnknownKeys(call) &&
      !isDrifting &&
      (!isShared || hasSharedRates) &&
      time.now > this.#unknownUntil
    )
      this.fail("rate limit", `${call.endpoint} of ${call.gateway} was over a rate limit`);
    if (call.endpoint === "convertTrade" && answer.status === 200 && answer.code === "00000") this.#conversion(call);
    for (const audited of this.#touched) this.#checkOrder(audited, call);
    for (const plan of this.#touchedPlans) this.#checkPlan(plan, call);
    this.#touched.clear();
    this.#touchedPlans.clear();
  }

  /**
   * Whether a copy of this call changes nothing, or is refused as one: the exchange knows an order by its name only while it is
   * open, and more margin or a withdrawal by nothing. It may refuse the copy of a close because its position is already covered.
   */
  isTold(call: Call): boolean {
    const { state, planStore } = this.parts.exchange.world;
    const uid = this.parts.exchange.gate.credentials.find(call.key ?? "")?.uid ?? "";
    if (call.endpoint === "classicSetMargin" || call.endpoint === "subAccountWithdrawal") return false;
    return rowsIn(call).every((row) => {
      const clientOid = nameIn(call.endpoint, row);
      return (
        clientOid === undefined ||
        call.endpoint === "convertTrade" ||
        planStore.find(uid, { clientOid }) !== undefined ||
        (!isClose(row) && [...state.orders.open(uid)].some((order) => order.clientOid === clientOid))
      );
    });
  }

  #order(order: Order): void {
    if (this.#call?.isWrite === true) this.#writtenAt.set(order.orderId, this.parts.time.now);
    const audited = this.#orders.get(order.orderId) ?? this.#created(order);
    if (this.#call !== undefined && audited.addsRisk && order.quantity.gt(audited.quantity)) this.#touched.add(audited);
    audited.quantity = order.quantity;
  }

  #created(order: Order): AuditedOrder {
    const { time, trace } = this.parts;
    const origin = this.#originOf(order);
    const since = time.now % DAY_MS;
    const audited: AuditedOrder = {
      order,
      origin,
      addsRisk: addsRisk(order),
      at: time.now,
      quantity: order.quantity,
      day: since < MIDNIGHT_MS ? undefined : Math.floor(time.now / DAY_MS),
    };
    this.#orders.set(order.orderId, audited);
    trace(
      `${time.now} order ${order.orderId} ${order.clientOid} ${order.category} ${order.symbol} ${order.side} ${plain(order.quantity)}`,
    );
    if (origin.by === "gateway" && this.#call !== undefined) this.#touched.add(audited);
    if (origin.by === "app" && audited.addsRisk && this.parts.limits.users.has(order.uid)) this.#appAt = time.now;
    if (this.#rejected.has(`${order.uid} ${order.clientOid}`))
      this.fail("rejected has no effect", `${order.clientOid} was REJECTED, and was executed later`);
    for (const fill of this.#early.get(order.orderId) ?? []) this.#count(audited, fill);
    this.#early.delete(order.orderId);
    return audited;
  }

  #originOf({ planId, clientOid }: Order): Origin {
    if (planId !== undefined) return this.#plans.get(planId)?.origin ?? { by: "exchange" };
    return this.#present(clientOid);
  }

  #present(clientOid: string): Origin {
    if (this.#isApp) return { by: "app" };
    if (this.#call === undefined) return { by: "exchange" };
    return { by: "gateway", client: this.#clientOf.get(clientOid) ?? this.#ownerOfChanged(this.#call), call: this.#call };
  }

  /** An order that replaces another one belongs to the same client. */
  #ownerOfChanged({ body }: Call): string | undefined {
    const origin = this.#ofChanged(body)?.origin;
    return origin?.by === "gateway" ? origin.client : undefined;
  }

  /** The order that a call changes. */
  #ofChanged({ orderId, clientOid, newClientOid }: Call["body"]): AuditedOrder | undefined {
    if (typeof orderId === "string") return this.#orders.get(orderId);
    if (newClientOid === undefined) return undefined;
    return [...this.#orders.values()].find(({ order }) => order.clientOid === clientOid);
  }

  #plan(plan: Plan): void {
    if (plan.status === "live" && this.#present(plan.clientOid).by === "gateway") this.#touchedPlans.add(plan);
    if (this.#plans.has(plan.planId)) return;
    this.#plans.set(plan.planId, { origin: this.#present(plan.clientOid), at: this.parts.time.now });
  }

  #fill(fill: Fill): void {
    const { time, trace } = this.parts;
    trace(`${time.now} fill ${fill.execId} ${fill.orderId} ${plain(fill.price)} ${plain(fill.quantity)}`);
    const audited = this.#orders.get(fill.orderId);
    if (audited === undefined) this.#early.set(fill.orderId, [...(this.#early.get(fill.orderId) ?? []), fill]);
    else this.#count(audited, fill);
  }

  #count(audited: AuditedOrder, fill: Fill): void {
    if (audited.origin.by !== "gateway") return;
    this.#fills++;
    const value = fill.value.times(this.#rate(audited.order));
    this.#executed = this.#executed.plus(value);
    if (!audited.addsRisk || audited.day === undefined) return;
    this.#countDay(fill.uid, audited.origin.client, audited.day, this.#coinOf(audited.order), { qty: fill.quantity, value });
  }

  /** A conversion counts for the coin that is given. */
  #conversion(call: Call): void {
    const { time, exchange } = this.parts;
    const uid = exchange.gate.credentials.find(call.key ?? "")?.uid ?? "";
    const coin = String(call.body.fromCoin);
    const qty = exact(String(call.body.fromCoinSize));
    const given = { qty, value: qty.times(usdtPrice(exchange.world.state, coin)) };
    const client = this.#clientOf.get(String(call.body.traceId));
    this.refuseHalted(uid, call, `a conversion of ${plain(qty)} ${coin}`);
    this.#check("order limit", call, uid, client, (limits) => limits.order, coin, given, 1);
    if (time.now % DAY_MS >= MIDNIGHT_MS) this.#countDay(uid, client, Math.floor(time.now / DAY_MS), coin, given);
  }

  #countDay(uid: string, client: string | undefined, day: number, coin: string, { qty, value }: Amount): void {
    const days = Math.max(1, this.#exchangeDays.get(day)?.size ?? 1);
    for (const whose of client === undefined ? [uid] : [uid, client]) {
      const key = `${day} ${whose}`;
      const used = this.#days.get(key) ?? new Map<string, Amount>();
      this.#days.set(key, used);
      add(used, coin, { qty, value });
      add(used, "", { qty: ZERO, value });
    }
    const usedBy = (whose: string): Amount => this.#usedOn(day, whose, coin);
    // What was accepted under former limits is executed under present ones.
    this.#check("day limit", undefined, uid, client, (limits) => limits.day, coin, usedBy, days);
  }

  #usedOn(day: number, whose: string, coin: string): Amount {
    const used = this.#days.get(`${day} ${whose}`);
    return { qty: used?.get(coin)?.qty ?? ZERO, value: used?.get("")?.value ?? ZERO };
  }

  /** Checks an order that a call has placed or enlarged. */
  #checkOrder({ order, origin, addsRisk: isRisk }: AuditedOrder, call: Call): void {
    if (!isRisk || origin.by !== "gateway") return;
    const { uid, clientOid, category, symbol } = order;
    const what = `${clientOid} (${category} ${symbol} ${order.side} ${order.orderType} ${plain(order.quantity)})`;
    this.refuseHalted(uid, call, what);
    if (call.leftAt > (this.#forbiddenSince.get(symbol) ?? Number.POSITIVE_INFINITY))
      this.fail("forbidden symbol", `${what} left at ${call.leftAt}, after its symbol was forbidden`);
    const rate = this.#rate(order);
    const left = order.status === "cancelled" ? ZERO : remaining(order);
    const whole = {
      qty: order.amount === undefined ? order.filledQuantity.plus(left) : order.filledQuantity,
      value: order.filledValue.plus(order.price === undefined ? ZERO : left.times(order.price)).times(rate),
    };
    const coin = this.#coinOf(order);
    this.#check("order limit", call, uid, origin.client, (limits) => limits.order, coin, whole, 1, what);
    this.#checkDay(order, origin.client, call, what);
    if (!this.parts.isShared && this.parts.time.now - this.#appAt > APP_MS && !this.#addsNothing(order, call))
      this.#check(
        "open limit",
        call,
        uid,
        origin.client,
        (limits) => limits.open,
        coin,
        (whose) => this.#openOf(uid, whose, coin),
        1,
        what,
      );
  }

  /** Checks a trigger order that a call has placed or changed, as the order that it will place. */
  #checkPlan(plan: Plan, call: Call): void {
    const { uid, clientOid, category, symbol, kind, action, quantity, legs } = plan;
    if (action.kind === "close" || action.request.reduceOnly === true || isClosing(action.request)) return;
    if (plan.attachedTo !== undefined || quantity === undefined) return;
    const what = `${clientOid} (${kind} ${category} ${symbol} ${action.request.side} ${plain(quantity)})`;
    this.refuseHalted(uid, call, what);
    if (call.leftAt > (this.#forbiddenSince.get(symbol) ?? Number.POSITIVE_INFINITY))
      this.fail("forbidden symbol", `${what} left at ${call.leftAt}, after its symbol was forbidden`);
    const origin = this.#plans.get(plan.planId)?.origin;
    const price = action.request.price ?? legs[0]?.trigger.price;
    if (origin?.by !== "gateway" || price === undefined) return;
    const whole = { qty: quantity, value: quantity.times(price).times(this.#rate(plan)) };
    this.#check("order limit", call, uid, origin.client, (limits) => limits.order, this.#coinOf(plan), whole, 1, what);
  }

  /** A new order in the place of another one may be open above a limit, if it is no larger than what was left of that. */
  #addsNothing(order: Order, { body }: Call): boolean {
    const former = this.#ofChanged(body)?.order;
    if (former === undefined || former === order || former.price === undefined || order.price === undefined) return false;
    const [before, left] = [remaining(former), remaining(order)];
    return left.lte(before) && left.times(order.price).lte(before.times(former.price).times(MOVE));
  }

  /** Open amounts of a user: orders and positions; of a client: its orders. */
  #openOf(uid: string, whose: string, coin: string): Amount {
    const { state } = this.parts.exchange.world;
    const sum: Amount = { qty: ZERO, value: ZERO };
    const count = (base: string, qty: Exact, value: Exact) => {
      if (base === coin) sum.qty = sum.qty.plus(qty);
      sum.value = sum.value.plus(value);
    };
    for (const order of state.orders.open(uid)) {
      const audited = this.#orders.get(order.orderId);
      if (audited?.addsRisk !== true) continue;
      if (whose !== uid && !(audited.origin.by === "gateway" && audited.origin.client === whose)) continue;
      const price = order.price ?? lastPrice(state, order.category, order.symbol);
      count(this.#coinOf(order), remaining(order), remaining(order).times(price).times(this.#rate(order)));
    }
    if (whose !== uid) return sum;
    for (const position of state.positions.open(uid)) {
      const mark = markPrice(state, position.category, position.symbol);
      count(this.#coinOf(position), position.size, position.size.times(mark).times(this.#rate(position)));
    }
    return sum;
  }

  /** What is left of a new order has to fit beside what was executed, by the limits that it was sent under. */
  #checkDay(order: Order, client: string | undefined, call: Call, what: string): void {
    const { time } = this.parts;
    if (this.#limits.length === 1 || time.now % DAY_MS < MIDNIGHT_MS || this.#addsNothing(order, call)) return;
    const day = Math.floor(time.now / DAY_MS);
    const coin = this.#coinOf(order);
    const isLeft = order.status !== "cancelled" && order.amount === undefined && order.price !== undefined;
    const left = isLeft ? remaining(order) : ZERO;
    const value = left.times(order.price ?? ZERO).times(this.#rate(order));
    const usedBy = (whose: string): Amount => {
      const used = this.#usedOn(day, whose, coin);
      return { qty: used.qty.plus(left), value: used.value.plus(value) };
    };
    const days = Math.max(1, this.#exchangeDays.get(day)?.size ?? 1);
    this.#check("day limit", call, order.uid, client, (limits) => limits.day, coin, usedBy, days, what);
  }

  /** `call`: what the effect is of, which has to keep the limits of the time when it left; undefined: any limits since the start. */
  #check(
    invariant: Invariant,
    call: Call | undefined,
    uid: string,
    client: string | undefined,
    of: (limits: TradingLimits) => AmountLimit | undefined,
    coin: string,
    used: Amount | ((whose: string) => Amount),
    times: number,
    what = "",
  ): void {
    const why = this.#limitsAt(call).map(({ users, clients }) => {
      const applied = [[uid, users.get(uid)] as const, [client, clients.get(client ?? "")] as const];
      return applied.map(([whose = "", limits]) => limits && this.#excess(of(limits), whose, coin, used, times)).find(Boolean);
    });
    if (why.every((one) => one !== undefined)) this.fail(invariant, `${why[0]} ${what}`);
  }

  /** The limits that were in force when a call left: two at the very time of a change. */
  #limitsAt(call: Call | undefined): readonly AuditedLimits[] {
    const isInForce = (_: unknown, at: number): boolean =>
      call === undefined ||
      ((this.#limits[at]?.since ?? 0) <= call.leftAt && (this.#limits[at + 1]?.since ?? Number.POSITIVE_INFINITY) >= call.leftAt);
    return this.#limits.filter(isInForce).map(({ limits }) => limits);
  }

  /** By what a limit is exceeded; undefined if it is kept. */
  #excess(
    limit: AmountLimit | undefined,
    whose: string,
    coin: string,
    used: Amount | ((whose: string) => Amount),
    times: number,
  ): string | undefined {
    if (limit === undefined) return undefined;
    const { qty, value } = typeof used === "function" ? used(whose) : used;
    const mostOfCoin = limit.coins.get(coin);
    if (mostOfCoin !== undefined && qty.gt(exact(mostOfCoin).times(String(times))))
      return `${whose}: ${plain(qty)} ${coin} where ${mostOfCoin} are allowed`;
    const most = exact(limit.value ?? "0").times(this.parts.isJumping ? JUMP : MOVE);
    if (limit.value !== undefined && value.gt(most.times(String(times))))
      return `${whose}: ${plain(truncated(value, 2))} USDT where ${limit.value} are allowed`;
    return undefined;
  }

  /** Fails if a call left during a halt of the user. */
  refuseHalted(uid: string, call: Call, what: string): void {
    const since = this.#haltedSince.get(uid);
    if (since !== undefined && call.leftAt > since)
      this.fail("halt", `${what} left at ${call.leftAt} for ${uid}, halted since ${since}`);
  }

  #leavesNoRisk(uid: string, requestedAt: number, left: readonly (string | null)[]): void {
    if (left.includes(null)) return;
    const { state, planStore } = this.parts.exchange.world;
    for (const order of state.orders.open(uid)) {
      const audited = this.#orders.get(order.orderId);
      if (audited?.addsRisk !== true || left.includes(order.orderId) || audited.at > requestedAt) continue;
      this.fail(
        "halt leaves risk open",
        `${order.clientOid} (${order.category} ${order.symbol} ${order.side}) is open after a halt`,
      );
    }
    for (const plan of planStore.waiting(uid)) {
      if (plan.action.kind === "close" || plan.action.request.reduceOnly === true || left.includes(plan.planId)) continue;
      if ((this.#plans.get(plan.planId)?.at ?? 0) > requestedAt) continue;
      this.fail("halt leaves risk open", `the ${plan.kind} ${plan.planId} (${plan.category} ${plan.symbol}) waits after a halt`);
    }
  }

  received({ gateway, key = "", endpoint }: Call, answer: Answer): void {
    const used = this.#usedKeys.get(`${gateway} ${key}`);
    if (used === undefined || !WHOSE.has(endpoint) || answer.status !== 200) return;
    used.knownSince ??= this.parts.time.now;
    this.#knownKeys.add(key);
  }

  /** A gateway that has to ask whose a key is did not find it in the journal. */
  #useKey({ gateway, key = "", endpoint }: Call): void {
    const { now } = this.parts.time;
    const name = `${gateway} ${key}`;
    const used = this.#usedKeys.get(name);
    if (used !== undefined) used.usedAt = now;
    else {
      const isKnown = this.#knownKeys.has(key) && !WHOSE.has(endpoint);
      this.#usedKeys.set(name, { key, usedAt: now, knownSince: isKnown ? now : undefined });
    }
  }

  /** Whether a key of the call's user is used whose user is not known yet: until then it counts for itself. */
  #hasUnknownKeys(call: Call): boolean {
    const { time, exchange } = this.parts;
    const userOf = (key: string | undefined) => exchange.gate.credentials.find(key ?? "")?.uid;
    const user = userOf(call.key);
    const since = time.now - WHOSE_MS;
    const isUnknown = ({ key, usedAt, knownSince = time.now }: UsedKey): boolean =>
      usedAt > since && knownSince > since && userOf(key) === user;
    return user !== undefined && [...this.#usedKeys.values()].some(isUnknown);
  }

  #seeDay(): void {
    const { time, exchange } = this.parts;
    const day = Math.floor(time.now / DAY_MS);
    const days = this.#exchangeDays.get(day) ?? new Set([day]);
    this.#exchangeDays.set(day, days.add(Math.floor(exchange.clock.now() / DAY_MS)));
  }

  #coinOf({ category, symbol }: Pick<Order, "category" | "symbol">): string {
    return instrumentOf(this.parts.exchange.world.state, category, symbol).baseCoin;
  }

  /** Value of the quote coin in USDT. */
  #rate({ category, symbol }: Pick<Order, "category" | "symbol">): Exact {
    const { state } = this.parts.exchange.world;
    const { quoteCoin } = instrumentOf(state, category, symbol);
    return quoteCoin === "USD" || quoteCoin === "USDT" ? exact("1") : usdtPrice(state, quoteCoin);
  }

  /** An invariant is broken. */
  fail(invariant: Invariant, text: string): void {
    if (!this.parts.except.has(invariant)) this.violation ??= { invariant, at: this.parts.time.now, text };
  }
}

/** Whether the exchange lets an order open or enlarge something. */
function addsRisk({ position, execType }: Order): boolean {
  if (execType !== "normal") return false;
  return position === undefined || position.effect === "open" || (position.effect === "net" && !position.reduceOnly);
}

/** Whether an order in hedge mode closes: it trades against the side of its position. */
const isClosing = ({ side, posSide }: { readonly side: "buy" | "sell"; readonly posSide?: string | undefined }): boolean =>
  posSide === (side === "buy" ? "short" : "long");

/** Whether an order can only close something, by its own words; in hedge mode it then trades against the side of its position. */
function isClose({ reduceOnly, tradeSide, side, posSide }: Call["body"]): boolean {
  const closed = side === "buy" ? "short" : "long";
  return /^yes$/i.test(`${reduceOnly}`) || tradeSide === "close" || posSide === closed;
}

/** The orders of a batch, or what a single one is sent as. */
function rowsIn({ body }: Call): readonly Call["body"][] {
  const rows: unknown = Array.isArray(body) ? body : (body.orderList ?? [body]);
  return Array.isArray(rows) ? rows : [body];
}

/** What a call names its effect: the identifier of a new order or trigger order, or of a quotation. */
function nameIn(endpoint: string | undefined, body: Call["body"]): string | undefined {
  const name =
    body.newClientOid ?? (/place/i.test(endpoint ?? "") && !/replace/i.test(endpoint ?? "") ? body.clientOid : body.traceId);
  return typeof name === "string" ? name : undefined;
}

function add(used: Map<string, Amount>, unit: string, { qty, value }: Amount): void {
  const before = used.get(unit) ?? { qty: ZERO, value: ZERO };
  used.set(unit, { qty: before.qty.plus(qty), value: before.value.plus(value) });
}
