import type { Clock } from "@exchange-graph/contract/clock";
import { ANONYMOUS_CLIENT } from "../principal/clientPrincipal.js";
import { memoryQuotas, type Quota, type QuotaStore } from "./quotaStore.js";

/** Quotas of one client per minute; 0 is unlimited. */
export interface ClientLimits {
  readonly operationsPerMinute: number;
  readonly upstreamCallsPerMinute: number;
  /** Events of subscriptions that are sent to the client. */
  readonly eventsPerMinute: number;
}

export const NO_CLIENT_LIMITS: ClientLimits = { operationsPerMinute: 0, upstreamCallsPerMinute: 0, eventsPerMinute: 0 };

const UNLIMITED = ANONYMOUS_CLIENT.id;

/** Quotas per client, so that one client cannot use up the gateway's capacity. Without configured clients there are none. */
export class ClientBudgets {
  readonly #operations: Quota | undefined;
  readonly #calls: Quota | undefined;
  readonly #events: Quota | undefined;

  constructor(
    { operationsPerMinute, upstreamCallsPerMinute, eventsPerMinute }: ClientLimits,
    clock: Clock,
    store: QuotaStore | undefined = memoryQuotas(clock),
  ) {
    const quota = (kind: string, perMinute: number) => (perMinute === 0 ? undefined : store.quota(kind, perMinute));
    this.#operations = quota("operations", operationsPerMinute);
    this.#calls = quota("calls", upstreamCallsPerMinute);
    this.#events = quota("events", eventsPerMinute);
  }

  /** Counts an operation. Returns the time in ms to wait if the quota is used up, otherwise undefined. */
  operation(principalId: string): number | undefined {
    return principalId === UNLIMITED ? undefined : this.#operations?.spend(principalId, 1);
  }

  /**
   * Returns a function that counts events of a client before they are sent, and returns the time in ms to wait if the quota is used
   * up. Undefined if the client has no such quota.
   */
  eventsOf(principalId: string): ((count: number) => number | undefined) | undefined {
    const quota = this.#events;
    return principalId === UNLIMITED || quota === undefined ? undefined : (count) => quota.spend(principalId, count);
  }

  /**
   * Reserves the estimated calls of an operation. Returns the time in ms to wait if the quota is used up, otherwise undefined.
   */
  calls(principalId: string, estimated: number): number | undefined {
    return principalId === UNLIMITED || estimated === 0 ? undefined : this.#calls?.spend(principalId, estimated);
  }

  /** Corrects the reservation by the actual number of calls. */
  settle(principalId: string, estimated: number, actual: number): void {
    if (principalId === UNLIMITED) return;
    if (actual < estimated) this.#calls?.giveBack(principalId, estimated - actual);
    if (actual > estimated) this.#calls?.take(principalId, actual - estimated);
  }
}
