import type { Clock } from "@exchange-graph/contract/clock";
import { ADDRESS_LIMIT, type RateLimit } from "@exchange-graph/contract/endpoint";
import type { RateBudgetStore, SlotLease } from "../ports/rateBudgetStore.js";
import { Budget } from "./budget.js";
import { ADDRESS_COUNTER } from "./counterOf.js";
import type { Priority } from "./waitingLine.js";

/**
 * The address's limit is spent in parts of a minute: what holds in each of them holds in every minute too, and a minute's
 * calls spent at once would leave none for the rest of it.
 */
const PARTS = 12;
export const OVERALL: Pick<RateLimit, "limit" | "windowMs"> = {
  limit: ADDRESS_LIMIT.limit / PARTS,
  windowMs: ADDRESS_LIMIT.windowMs / PARTS,
};
/** The share of it, and of the connections, that reads leave to cancels and other writes: however much is read, taking risk away never waits for it. */
const KEPT_FOR_WRITES = 0.05;

/** What stands for an endpoint where all of them are meant. */
export const ALL_ENDPOINTS = "(all)";

interface AddressParts {
  readonly overall: Pick<RateLimit, "limit" | "windowMs">;
  readonly connections: number;
  readonly store: RateBudgetStore;
  /** The part of the limit that is ours to use. */
  readonly share: () => number;
  /** Calls that wait for it. */
  readonly waiting: () => number;
  /** There may be more of it. */
  readonly changed: () => void;
}

/** What every call spends besides its endpoint's budget: the limit of the address, and a connection. */
export class AddressBudget {
  readonly budget: Budget;
  readonly #lease: SlotLease;
  /** Connections, and how many of them reads leave to writes. A single one serves all. */
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

  /** Is there a slot for a call of this priority, and a connection? */
  mayLeave(priority: Priority, now: number): boolean {
    const keptConnections = isRead(priority) ? this.#keptConnections : 0;
    return this.#inFlight < this.#connections - keptConnections && this.budget.left(now) > this.#keptFrom(priority);
  }

  /** A call leaves. */
  take(now: number): void {
    this.budget.take(now);
    this.#inFlight++;
  }

  /** Its answer came. */
  settle(now: number): void {
    this.budget.settle(now);
    this.#inFlight--;
  }

  /** It did not leave. */
  giveBack(): void {
    this.budget.giveBack();
    this.#inFlight--;
  }

  /** A call waits for it. */
  demand(): void {
    this.#lease.demand();
  }

  /** When a call of this priority may leave: never too late. */
  earliest(priority: Priority, now: number): number {
    return this.budget.earliest(now, this.#keptFrom(priority));
  }

  /** When there may be a slot for one again, by the slots that are here. */
  nextFree(priority: Priority, now: number): number {
    return this.budget.nextFree(now, this.#keptFrom(priority));
  }

  #keptFrom(priority: Priority): number {
    return isRead(priority) ? Math.floor(this.#lease.slots() * KEPT_FOR_WRITES) : 0;
  }
}

const isRead = (priority: Priority): boolean => priority === "read" || priority === "refresh";
