import type { Clock } from "@exchange-graph/contract/clock";
import { MemoryQuotas } from "../../datasources/ports/memoryQuotas.js";
import type { Quota, QuotaStore } from "../../datasources/ports/quotaStore.js";
import { ANONYMOUS_CLIENT } from "../principal/clientPrincipal.js";

/** What one client may ask for in a minute; 0 is as much as it likes. */
export interface ClientLimits {
  readonly operationsPerMinute: number;
  readonly upstreamCallsPerMinute: number;
}

/** As much as it likes of both. */
export const NO_CLIENT_LIMITS: ClientLimits = { operationsPerMinute: 0, upstreamCallsPerMinute: 0 };

const UNLIMITED = ANONYMOUS_CLIENT.id;

/** Keeps one client from using up what is there for all. Whoever reaches a gateway without clients has no budget. */
export class ClientBudgets {
  readonly #operations: Quota | undefined;
  readonly #calls: Quota | undefined;

  constructor(
    { operationsPerMinute, upstreamCallsPerMinute }: ClientLimits,
    clock: Clock,
    store: QuotaStore | undefined = new MemoryQuotas(clock),
  ) {
    const quota = (kind: string, perMinute: number) => (perMinute === 0 ? undefined : store.quota(kind, perMinute));
    this.#operations = quota("operations", operationsPerMinute);
    this.#calls = quota("calls", upstreamCallsPerMinute);
  }

  /** One more operation; or in how many milliseconds it may come. */
  operation(principalId: string): number | undefined {
    return principalId === UNLIMITED ? undefined : this.#operations?.spend(principalId, 1);
  }

  /** Calls that an operation may make; or in how many milliseconds it may come. */
  calls(principalId: string, estimated: number): number | undefined {
    return principalId === UNLIMITED || estimated === 0 ? undefined : this.#calls?.spend(principalId, estimated);
  }

  /** What was estimated and not made is given back, and what was made beyond it is taken. */
  settle(principalId: string, estimated: number, actual: number): void {
    if (principalId === UNLIMITED) return;
    if (actual < estimated) this.#calls?.giveBack(principalId, estimated - actual);
    if (actual > estimated) this.#calls?.take(principalId, actual - estimated);
  }
}
