import type { Clock } from "@exchange-graph/contract/clock";
import { ADDRESS_LIMIT, type RateLimit } from "@exchange-graph/contract/endpoint";
import { Fault } from "../fault.js";
import { Budget } from "./budget.js";
import { ADDRESS_COUNTER } from "./counterOf.js";
import { type NeighbourObserver, Neighbours } from "./neighbours.js";
import { GATEWAY, type Requester } from "./requester.js";
import { Turns } from "./turns.js";
import { URGENCIES, type Urgency, WaitingLine } from "./waitingLine.js";

/**
 * The address's limit is spent in parts of a minute: what holds in each of them holds in every minute too, and a minute's
 * calls spent at once would leave none for the rest of it.
 */
const PARTS = 12;
const OVERALL: Pick<RateLimit, "limit" | "windowMs"> = {
  limit: ADDRESS_LIMIT.limit / PARTS,
  windowMs: ADDRESS_LIMIT.windowMs / PARTS,
};
/** The share of it, and of the connections, that reads leave to cancels and other writes: however much is read, taking risk away never waits for it. */
const KEPT_FOR_WRITES = 0.05;
/**
 * The share of the time to its deadline that a call keeps for its answer. One that left at the last moment would be given
 * up on the way, and might arrive, and be counted, after its slot has been given to the next one.
 */
const KEPT_FOR_ANSWER = 0.05;
/** Clients of each lane that are compared for the next turn at the address's budget: those whose turns come next there. */
const MAX_COMPARED = 16;
/** With so many lanes, and then with twice as many as are in use, those that are not are forgotten. */
const FORGET_FROM = 128;

/** Leave to send one call. Exactly one of the two is called, once. */
export interface Permit {
  /** How long the call waited for its slot. */
  readonly waitedMs: number;
  /** The call has ended. `remaining` is what the exchange says is left; `refused` that it said "too many". */
  settle(outcome?: { remaining?: number | undefined; refused?: boolean }): void;
  /** The call did not leave. */
  giveBack(): void;
}

/** What stands for an endpoint where all of them are meant. */
const ALL_ENDPOINTS = "(all)";

/** What an operator sees of one counter. */
export interface LaneState {
  readonly endpoint: string;
  readonly counter: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly left: number;
  readonly waiting: number;
}

interface Lane {
  readonly endpoint: string;
  readonly counter: string;
  readonly budget: Budget;
  readonly waiting: WaitingLine<Job>;
  wake: (() => void) | undefined;
}

/** What the budgets are made of. */
interface SchedulerOptions {
  /** What may be sent from this address; the exchange's own limit if left out. */
  readonly overall?: Pick<RateLimit, "limit" | "windowMs">;
  /**
   * Calls under way at the same time. It is to be the number of connections: then whoever waits waits here, where clients take
   * turns, and never for a connection, where they would not.
   */
  readonly connections?: number;
  readonly observer?: NeighbourObserver | undefined;
}

interface Job {
  readonly bookedAt: number;
  /** Of its client. */
  readonly weight: number;
  grant(permit: Permit): void;
}

/** Spends the exchange's rate limits: who may send now, who waits, and who would wait in vain. */
export class Scheduler {
  readonly #lanes = new Map<string, Lane>();
  #forgetAt = FORGET_FROM;
  readonly #overall: Budget;
  readonly #keptForWrites: number;
  /** Connections, and how many of them reads leave to writes. A single one serves all. */
  readonly #connections: number;
  readonly #keptConnections: number;
  #inFlight = 0;
  /** Lanes with budget of their own that wait for the overall one, or for a connection. */
  readonly #held = new Set<Lane>();
  /** Of the clients whose calls are in them. */
  readonly #turns = new Turns();

  /** Others that spend the same limits. */
  readonly neighbours: Neighbours;

  constructor(
    private readonly clock: Clock,
    { overall = OVERALL, connections = Number.POSITIVE_INFINITY, observer }: SchedulerOptions = {},
  ) {
    this.neighbours = new Neighbours(clock, observer);
    this.#overall = new Budget(overall.limit, overall.windowMs, () => this.neighbours.addressShare());
    this.#keptForWrites = Math.floor(overall.limit * KEPT_FOR_WRITES);
    this.#connections = connections;
    this.#keptConnections =
      connections === 1 || connections === Number.POSITIVE_INFINITY ? 0 : Math.ceil(connections * KEPT_FOR_WRITES);
  }

  /**
   * Waits for a slot of `endpoint`'s budget on `counter` (an account for limits per user, the address otherwise). Clients
   * that wait for the same take turns. Throws `RATE_LIMITED` at once when no slot can come in time for an answer before
   * `deadlineAt`, or when none came. Throws why nothing is to be sent for the requester any more, as soon as that is so
   * and at the latest when its turn has come.
   */
  async acquire(
    endpoint: string,
    counter: string,
    rate: RateLimit,
    urgency: Urgency,
    deadlineAt: number,
    requester: Requester = GATEWAY,
  ): Promise<Permit> {
    const permit = await this.#turn(endpoint, counter, rate, urgency, deadlineAt, requester);
    const found = requester.refusal();
    const why = found instanceof Promise ? await found : found;
    if (why === undefined) return permit;
    permit.giveBack();
    throw why;
  }

  #turn(
    endpoint: string,
    counter: string,
    rate: RateLimit,
    urgency: Urgency,
    deadlineAt: number,
    requester: Requester,
  ): Permit | Promise<Permit> {
    const lane = this.#lane(endpoint, counter, rate);
    const { client, weight } = requester;
    const now = this.clock.now();
    const leaveBy = deadlineAt - Math.max(0, deadlineAt - now) * KEPT_FOR_ANSWER;
    const earliest = this.#earliest(lane, urgency, now, lane.waiting.ahead(urgency, client, weight));
    if (earliest > leaveBy || !lane.waiting.hasRoomFor(urgency, client)) throw limited(endpoint, earliest - now);
    if (lane.waiting.size === 0 && lane.budget.left(now) > 0 && this.#mayLeave(urgency, now)) return this.#take(lane, now, now);
    return new Promise((resolve, reject) => {
      const job: Job = {
        bookedAt: now,
        weight,
        grant: (permit) => {
          cancel();
          stay();
          resolve(permit);
        },
      };
      const waiting = lane.waiting.add(urgency, client, job, weight);
      const cancel = this.clock.after(leaveBy - now, () => {
        if (!lane.waiting.remove(urgency, waiting)) return;
        stay();
        const now = this.clock.now();
        // Slots that nobody has settled yet tell no time: one window from now is the soonest that is sure.
        const earliest = this.#earliest(lane, urgency, now, lane.waiting.ahead(urgency, client, weight));
        reject(limited(endpoint, Math.max(earliest - now, lane.budget.windowMs)));
      });
      const stay = requester.onceRefused((why) => {
        if (!lane.waiting.remove(urgency, waiting)) return;
        cancel();
        reject(why);
      });
      this.#grant(lane);
    });
  }

  /** Every counter in use. */
  lanes(): LaneState[] {
    const now = this.clock.now();
    return [...this.#lanes.values()].map(({ endpoint, counter, budget, waiting }) => ({
      endpoint,
      counter,
      limit: budget.limit,
      windowMs: budget.windowMs,
      left: budget.left(now),
      waiting: waiting.size,
    }));
  }

  /** The counter of everything that leaves from this address. Whoever waits for it waits in the lane of an endpoint. */
  overall(): LaneState {
    return {
      endpoint: ALL_ENDPOINTS,
      counter: ADDRESS_COUNTER,
      limit: this.#overall.limit,
      windowMs: this.#overall.windowMs,
      left: this.#overall.left(this.clock.now()),
      waiting: [...this.#held].reduce((waiting, lane) => waiting + lane.waiting.size, 0),
    };
  }

  #lane(endpoint: string, counter: string, rate: RateLimit): Lane {
    const limit = rate.cautious ?? rate.limit;
    // An account whose tariff has changed is counted anew by the new one.
    const key = `${endpoint}\n${counter}\n${limit}`;
    const known = this.#lanes.get(key);
    if (known !== undefined) return known;
    if (this.#lanes.size >= this.#forgetAt) this.#forgetIdle();
    const lane: Lane = {
      endpoint,
      counter,
      budget: new Budget(limit, rate.windowMs, () => this.neighbours.share(counter)),
      waiting: new WaitingLine(),
      wake: undefined,
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  #forgetIdle(): void {
    const now = this.clock.now();
    for (const [key, { budget, waiting }] of this.#lanes) if (waiting.size === 0 && budget.isIdle(now)) this.#lanes.delete(key);
    this.#forgetAt = Math.max(FORGET_FROM, 2 * this.#lanes.size);
  }

  /** Hands out what is free now, and books a wake-up for the rest. */
  #grant(lane: Lane): void {
    const now = this.clock.now();
    while (this.#grantOne(lane, now) !== undefined);
    this.#book(lane, now);
  }

  #grantOne(lane: Lane, now: number, client?: string): Job | undefined {
    if (lane.budget.left(now) === 0) return undefined;
    const job = lane.waiting.next((urgency) => this.#mayLeave(urgency, now), client);
    job?.grant(this.#take(lane, now, job.bookedAt));
    return job;
  }

  /** Has those who still wait looked at again in time. */
  #book(lane: Lane, now: number): void {
    lane.wake?.();
    lane.wake = undefined;
    this.#held.delete(lane);
    if (this.#held.size === 0) this.#turns.clear();
    const { foremost } = lane.waiting;
    if (foremost === undefined) return;
    if (!this.#mayLeave(foremost, now)) this.#held.add(lane);
    const next = this.#earliest(lane, foremost, now, 0);
    // Nothing has settled yet: the next `settle` wakes the lane.
    if (next > now) lane.wake = this.clock.after(next - now, () => this.#freed(lane));
  }

  /** When a call with `ahead` others before it may leave by its endpoint's budget and by the address's: never too late. */
  #earliest(lane: Lane, urgency: Urgency, now: number, ahead: number): number {
    return Math.max(lane.budget.earliest(now, ahead), this.#overall.earliest(now, this.#keptFrom(urgency)));
  }

  /** Does the address as a whole have a slot for a call of this urgency, and is there a connection for it? */
  #mayLeave(urgency: Urgency, now: number): boolean {
    const keptConnections = isRead(urgency) ? this.#keptConnections : 0;
    return this.#inFlight < this.#connections - keptConnections && this.#overall.left(now) > this.#keptFrom(urgency);
  }

  #keptFrom(urgency: Urgency): number {
    return isRead(urgency) ? this.#keptForWrites : 0;
  }

  #take(lane: Lane, now: number, bookedAt: number): Permit {
    lane.budget.take(now);
    this.#overall.take(now);
    this.#inFlight++;
    const foreign = lane.budget.departure(now);
    return {
      waitedMs: now - bookedAt,
      settle: ({ remaining, refused = false } = {}) => {
        const now = this.clock.now();
        lane.budget.settle(now);
        this.#overall.settle(now);
        this.#inFlight--;
        if (refused) this.neighbours.noticed(lane.counter, "refused");
        else this.neighbours.answered(lane.counter);
        if (!refused && remaining !== undefined && foreign(remaining) > 0) this.neighbours.noticed(lane.counter, "counted");
        if (remaining !== undefined) lane.budget.correct(now, remaining);
        if (refused) lane.budget.close(now);
        this.#freed(lane);
      },
      giveBack: () => {
        lane.budget.giveBack();
        this.#overall.giveBack();
        this.#inFlight--;
        this.#freed(lane);
      },
    };
  }

  /**
   * A slot has come back: to this lane, and to those that wait for the address. There the most urgent goes first, and
   * among equals the client that has had the fewest.
   */
  #freed(lane: Lane): void {
    if (this.#held.size === 0) {
      this.#grant(lane);
      return;
    }
    const now = this.clock.now();
    // Whoever has been served comes last among equals.
    const all = new Set(this.#held.add(lane));
    const open = new Set(all);
    for (;;) {
      const next = this.#foremostOf(open);
      if (next === undefined) break;
      open.delete(next.lane);
      const granted = this.#grantOne(next.lane, now, next.client);
      if (granted === undefined) continue;
      this.#turns.taken(next.client, granted.weight);
      for (const lanes of [open, all]) {
        lanes.delete(next.lane);
        lanes.add(next.lane);
      }
    }
    for (const one of all) this.#book(one, now);
  }

  #foremostOf(lanes: ReadonlySet<Lane>): { readonly lane: Lane; readonly client: string } | undefined {
    let best: { lane: Lane; client: string; rank: number; turns: number } | undefined;
    for (const lane of lanes) {
      const own = rank(lane);
      if (best !== undefined && own > best.rank) continue;
      for (const client of lane.waiting.foremostClients(MAX_COMPARED)) {
        const turns = this.#turns.of(client);
        if (best === undefined || own < best.rank || turns < best.turns) best = { lane, client, rank: own, turns };
      }
    }
    return best;
  }
}

const isRead = (urgency: Urgency): boolean => urgency === "read" || urgency === "refresh";

const rank = ({ waiting: { foremost } }: Lane): number =>
  foremost === undefined ? URGENCIES.length : URGENCIES.indexOf(foremost);

const limited = (endpoint: string, afterMs: number): Fault => {
  const retryAfterMs = Math.max(1, Math.ceil(afterMs));
  return new Fault("RATE_LIMITED", `${endpoint}: no rate budget before the deadline, try again in ${retryAfterMs} ms`, {
    endpoint,
    retryAfterMs,
  });
};
