import type { Clock } from "@exchange-graph/contract/clock";
import { ADDRESS_LIMIT, type RateLimit } from "@exchange-graph/contract/endpoint";
import { ADDRESS_COUNTER } from "./buckets.js";
import { Budget } from "./budget.js";
import type { RateBudgetStore, SlotLease } from "./rateBudgetStore.js";
import type { Priority } from "./waitingLine.js";

/**
 * The limit per address is divided into parts of a minute: a limit that holds in each part also holds in every minute, and a
 * minute's calls are not used up at once.
 */
const PARTS = 12;
export const OVERALL: Pick<RateLimit, "limit" | "windowMs"> = {
  limit: ADDRESS_LIMIT.limit / PARTS,
  windowMs: ADDRESS_LIMIT.windowMs / PARTS,
};
/**
 * Share of the limit, and of the connections, that reads leave to cancels and other writes, so that these never wait for reads.
 */
const KEPT_FOR_WRITES = 0.05;

/** Endpoint name of the limit that all endpoints share. */
export const ALL_ENDPOINTS = "(all)";

interface AddressParts {
  readonly overall: Pick<RateLimit, "limit" | "windowMs">;
  readonly connections: number;
  readonly store: RateBudgetStore;
  /** Share of the limit that this gateway may use. */
  readonly share: () => number;
  readonly waiting: () => number;
  /** Called when more slots may be available. */
  readonly changed: () => void;
}

/** The budget that every call uses besides its endpoint's: the limit per address, and a connection. */
export class AddressBudget {
  readonly budget: Budget;
  readonly #lease: SlotLease;
  /** Connections, and how many of them reads leave to writes. A single connection serves all. */
  readonly #connections: number;
  readonly #keptConnections: number;
  #inFlight = 0;

  constructor(clock: Clock, { overall, connections, store, share, waiting, changed }: AddressParts) {
    this.#lease = store.lease(
      { endpoint: ALL_ENDPOINTS, counter: ADDRESS_COUNTER, ...overall },
      () => ({ held: this.budget.held(clock.now()), waiting: waiting(), isForCancels: true }),
      changed,
    );
    this.budget = new Budget(overall.limit, overall.windowMs, share, this.#lease);
    this.#connections = connections;
    this.#keptConnections =
      connections === 1 || connections === Number.POSITIVE_INFINITY ? 0 : Math.ceil(connections * KEPT_FOR_WRITES);
  }

  /** Whether there is a slot for a call of this priority, and a connection. */
  mayLeave(priority: Priority, now: number): boolean {
    const keptConnections = isRead(priority) ? this.#keptConnections : 0;
    return this.#inFlight < this.#connections - keptConnections && this.budget.left(now) > this.#keptFrom(priority);
  }

  /** Takes a slot for a call that is being sent. */
  take(now: number): void {
    this.budget.take(now);
    this.#inFlight++;
  }

  /** Called when its answer has arrived. */
  settle(now: number): void {
    this.budget.settle(now);
    this.#inFlight--;
  }

  /** Called when it was not sent. */
  giveBack(): void {
    this.budget.giveBack();
    this.#inFlight--;
  }

  /** Reports a waiting call. */
  demand(): void {
    this.#lease.demand();
  }

  /** Earliest time at which a call of this priority may be sent: a lower bound. */
  earliest(priority: Priority, now: number): number {
    return this.budget.earliest(now, this.#keptFrom(priority));
  }

  /** Time at which there may be a slot again, by the slots of this replica. */
  nextFree(priority: Priority, now: number): number {
    return this.budget.nextFree(now, this.#keptFrom(priority));
  }

  /** Slots that a call of this priority leaves to others. */
  #keptFrom(priority: Priority): number {
    if (priority === "background") return this.budget.half;
    return isRead(priority) ? Math.floor(this.#lease.slots() * KEPT_FOR_WRITES) : 0;
  }
}

const isRead = (priority: Priority): boolean => priority !== "cancel" && priority !== "write";
